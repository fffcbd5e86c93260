package org.jspdl.archive;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;

/// A channel read through a buffer; large reads go around it. Used by one thread at a time.
final class BufferedBytes implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final long MOST_AT_ONCE = 1 << 30;

    private final ReadableByteChannel channel;
    /// On the heap: closing shared native memory takes longer than reading a small archive.
    private final byte[] bytes = new byte[BUFFER];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes).limit(0);
    private long position;

    BufferedBytes(ReadableByteChannel channel, long position) {
        this.channel = channel;
        this.position = position;
    }

    /// How many bytes of the whole lie before what is read next.
    long position() {
        return position;
    }

    /// Fills `target`; how much of it, which is less only at the end.
    long read(MemorySegment target) throws IOException {
        long wanted = target.byteSize();
        long done = 0;
        while (done < wanted) {
            if (buffer.hasRemaining()) {
                int n = (int) Math.min(buffer.remaining(), wanted - done);
                MemorySegment.copy(bytes, buffer.position(), target, ValueLayout.JAVA_BYTE, done, n);
                buffer.position(buffer.position() + n);
                done += n;
            } else if (wanted - done >= BUFFER) {
                int n = channel.read(target.asSlice(done, Math.min(MOST_AT_ONCE, wanted - done))
                        .asByteBuffer());
                if (n < 0) {
                    break;
                }
                done += n;
            } else if (!refill()) {
                break;
            }
        }
        position += done;
        return done;
    }

    /// Passes `count` bytes; how many, which is less only at the end.
    long skip(long count) throws IOException {
        long buffered = Math.min(buffer.remaining(), count);
        buffer.position(buffer.position() + (int) buffered);
        long done = buffered;
        if (done < count && channel instanceof SeekableByteChannel seekable) {
            long there = Math.min(count - done, Math.max(0, seekable.size() - seekable.position()));
            seekable.position(seekable.position() + there);
            done += there;
        }
        while (done < count && refill()) {
            int n = (int) Math.min(buffer.remaining(), count - done);
            buffer.position(n);
            done += n;
        }
        position += done;
        return done;
    }

    private boolean refill() throws IOException {
        buffer.clear();
        int n;
        do {
            n = channel.read(buffer);
        } while (n == 0);
        buffer.flip();
        return n > 0;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
