package org.jspdl.python.wire;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What the loader says to the trainer: frames of a length, a kind and a body, little-endian, through a pipe.
///
/// Frames of the same kind and those of batches arrive in the order in which they were sent. Thread-safe.
public final class FrameWriter implements Closeable {
    public static final byte READY = 1;
    public static final byte STRUCTURE = 2;
    public static final byte BATCH = 3;
    public static final byte EPOCH_END = 4;
    public static final byte END = 5;
    public static final byte FAILED = 6;
    public static final byte ANSWER = 7;
    /// Where the ring of a shared loader is; the first frame of such a one.
    public static final byte ATTACHED = 8;

    private static final int HEADER = 5;
    private static final int BUFFER = 1 << 16;

    private final OutputStream pipe;
    private final ReentrantLock lock = new ReentrantLock();
    private ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);

    /// @param pipe owned by this
    public FrameWriter(OutputStream pipe) {
        this.pipe = pipe;
    }

    /// Sends a frame with a text at once.
    ///
    /// @param number tells what it belongs to
    public void send(byte kind, long number, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        lock.lock();
        try {
            begin(kind, Long.BYTES + bytes.length).putLong(number).put(bytes);
            flush();
        } finally {
            lock.unlock();
        }
    }

    /// Adds the frame of a batch; sent at the latest by [#flush].
    public void batch(Announcement batch) throws IOException {
        byte[] values = batch.values().getBytes(StandardCharsets.UTF_8);
        lock.lock();
        try {
            String structure = batch.newStructure();
            if (structure != null) {
                byte[] bytes = structure.getBytes(StandardCharsets.UTF_8);
                begin(STRUCTURE, Long.BYTES + bytes.length)
                        .putLong(batch.structure())
                        .put(bytes);
            }
            long[] offsets = batch.offsets();
            ByteBuffer body = begin(BATCH, 4 * Long.BYTES + Integer.BYTES + offsets.length * Long.BYTES + values.length)
                    .putLong(batch.number())
                    .putLong(batch.generation())
                    .putLong(System.nanoTime())
                    .putLong(batch.structure())
                    .putInt(offsets.length);
            for (long offset : offsets) {
                body.putLong(offset);
            }
            body.put(values);
        } finally {
            lock.unlock();
        }
    }

    /// Sends what was added.
    public void flush() throws IOException {
        lock.lock();
        try {
            if (buffer.position() > 0) {
                pipe.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
        } finally {
            lock.unlock();
        }
    }

    private ByteBuffer begin(byte kind, int bodyBytes) throws IOException {
        if (buffer.remaining() < HEADER + bodyBytes) {
            flush();
            if (buffer.capacity() < HEADER + bodyBytes) {
                buffer = ByteBuffer.allocate(HEADER + bodyBytes).order(ByteOrder.LITTLE_ENDIAN);
            }
        }
        return buffer.putInt(bodyBytes).put(kind);
    }

    @Override
    public void close() throws IOException {
        pipe.close();
    }

    /// A batch that lies in the ring.
    ///
    /// @param number       of the batch, or epoch's end, since the generation began
    /// @param generation   counts the restarts
    /// @param structure    the number of its structure
    /// @param newStructure the structure itself if it is said for the first time
    /// @param offsets      where its arrays begin in the ring
    /// @param values       its other values, as a JSON list
    public record Announcement(
            long number,
            long generation,
            long structure,
            @Nullable String newStructure,
            long[] offsets,
            String values) {}
}
