package org.jspdl.memory;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.zip.Checksum;

/// Memory of any size for those who take a [ByteBuffer], which ends at 2 GiB: channels and checksums.
///
/// All methods copy nothing, except from arrays of other types than `byte[]`, which buffers can't view, and for
/// checksums from mapped files. Safe for threads as far as the memory and the channel are.
public final class SegmentBuffers {
    /// A multiple of every page size, well below a buffer's limit.
    private static final long MOST_BYTES = 1L << 30;

    private static final int COPIED_BYTES = 1 << 15;

    private SegmentBuffers() {}

    /// `segment` as consecutive buffers of at most 1 GiB; none if it is empty.
    public static Iterable<ByteBuffer> of(MemorySegment segment) {
        MemorySegment bytes = viewable(segment);
        return () -> new Pieces(bytes);
    }

    /// Writes all of `content` at the position of `channel`.
    public static void write(WritableByteChannel channel, MemorySegment content) throws IOException {
        for (ByteBuffer buffer : of(content)) {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
    }

    /// Writes all of `content` at byte `position` of a file; the channel's own position stays.
    public static void write(FileChannel channel, long position, MemorySegment content) throws IOException {
        long at = position;
        for (ByteBuffer buffer : of(content)) {
            while (buffer.hasRemaining()) {
                at += channel.write(buffer, at);
            }
        }
    }

    /// Reads what lies at byte `position` of a file; the channel's own position stays.
    ///
    /// @return the bytes read, which is less than `target` has only at the end of the file
    public static long read(FileChannel channel, long position, MemorySegment target) throws IOException {
        requireWritable(target);
        long at = position;
        for (ByteBuffer buffer : of(target)) {
            while (buffer.hasRemaining()) {
                int count = channel.read(buffer, at);
                if (count < 0) {
                    return at - position;
                }
                at += count;
            }
        }
        return at - position;
    }

    /// Fills `target` with what lies at byte `position` of a file; the channel's own position stays.
    ///
    /// @throws EOFException if the file ends before, with the number of missing bytes
    public static void readFully(FileChannel channel, long position, MemorySegment target) throws IOException {
        long read = read(channel, position, target);
        if (read < target.byteSize()) {
            throw new EOFException(
                    String.format("the file ends %,d bytes before what was expected", target.byteSize() - read));
        }
    }

    /// Adds all of `content` to `checksum`. That of mapped files is copied first, a piece at a time: checksums are
    /// native code, which ends the process where a file became shorter.
    public static void update(Checksum checksum, MemorySegment content) {
        if (content.isMapped()) {
            updateCopied(checksum, content);
        } else {
            of(content).forEach(checksum::update);
        }
    }

    private static void updateCopied(Checksum checksum, MemorySegment content) {
        byte[] piece = new byte[(int) Math.min(COPIED_BYTES, content.byteSize())];
        for (long at = 0; at < content.byteSize(); at += piece.length) {
            int count = (int) Math.min(piece.length, content.byteSize() - at);
            MemorySegment.copy(content, ValueLayout.JAVA_BYTE, at, piece, 0, count);
            checksum.update(piece, 0, count);
        }
    }

    private static void requireWritable(MemorySegment target) {
        if (!isViewable(target)) {
            throw new IllegalArgumentException("cannot read a file into an array of another type than byte[]");
        }
    }

    private static MemorySegment viewable(MemorySegment segment) {
        return isViewable(segment) ? segment : MemorySegment.ofArray(segment.toArray(ValueLayout.JAVA_BYTE));
    }

    private static boolean isViewable(MemorySegment segment) {
        return segment.heapBase().map(base -> base instanceof byte[]).orElse(true);
    }

    private static final class Pieces implements Iterator<ByteBuffer> {
        private final MemorySegment bytes;
        private long done;

        Pieces(MemorySegment bytes) {
            this.bytes = bytes;
        }

        @Override
        public boolean hasNext() {
            return done < bytes.byteSize();
        }

        @Override
        public ByteBuffer next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the memory has no more bytes");
            }
            long size = Math.min(MOST_BYTES, bytes.byteSize() - done);
            ByteBuffer buffer = bytes.asSlice(done, size).asByteBuffer();
            done += size;
            return buffer;
        }
    }
}
