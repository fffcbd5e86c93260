package org.jspdl.python.function;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// What loader and helper say to each other, through two pipes: a length, a kind, a body; little-endian. The other side
/// is `_samples.py`.
///
/// Used by one thread at a time.
final class HelperFrames {
    /// To the helper: the function.
    static final byte WORK = 1;
    /// To the helper: a sample.
    static final byte CALL = 2;
    /// To the helper: where there is as much memory as it needs.
    static final byte GRANT = 3;
    /// The helper has the function.
    static final byte READY = 4;
    /// The helper can't have the function: why.
    static final byte BROKEN = 5;
    /// What the function has made.
    static final byte RESULT = 6;
    /// The function has failed: how.
    static final byte FAILURE = 7;
    /// How much memory the results need.
    static final byte NEED = 8;
    /// The function has kept memory that is not its own: how. The helper must go.
    static final byte KEPT = 9;

    /// No answer is longer: arrays are not in it, but what Python has pickled is.
    private static final int MOST_BYTES = 1 << 28;

    private static final int HEADER = 5;

    private final OutputStream to;
    private final DataInputStream from;

    HelperFrames(OutputStream to, DataInputStream from) {
        this.to = to;
        this.from = from;
    }

    /// An answer.
    record Answer(byte kind, ByteBuffer body) {}

    void send(byte kind, ByteBuffer... parts) throws IOException {
        int length = 0;
        for (ByteBuffer part : parts) {
            length = Math.addExact(length, part.remaining());
        }
        to.write(little(HEADER).putInt(length).put(kind).array());
        for (ByteBuffer part : parts) {
            to.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
        }
        to.flush();
    }

    /// The next answer.
    ///
    /// @throws java.io.EOFException when the helper is gone
    Answer next() throws IOException {
        byte[] header = new byte[HEADER];
        from.readFully(header);
        ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        int length = fields.getInt();
        if (length < 0 || length > MOST_BYTES) {
            throw new IOException(String.format(
                    java.util.Locale.ROOT,
                    "what the function returned is %,d bytes beside its arrays, of %,d at most",
                    Integer.toUnsignedLong(length),
                    MOST_BYTES));
        }
        byte[] body = new byte[length];
        from.readFully(body);
        return new Answer(fields.get(), ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN));
    }

    static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
