package org.jspdl.python.wire;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// What the trainer says to the loader: a kind, a number and a text each, little-endian, through a pipe.
///
/// Read by one thread at a time.
public final class CommandReader {
    public static final byte START = 1;
    public static final byte TAKEN = 2;
    public static final byte RELEASE = 3;
    public static final byte STATE = 4;
    public static final byte STATISTICS = 5;
    public static final byte EPOCH = 6;
    public static final byte RESUME = 7;
    public static final byte CLOSE = 8;
    /// A part of the body of the command that follows.
    public static final byte MORE = 9;
    /// The trainer asks for its first batch.
    public static final byte WANTED = 10;

    /// From here on states are kept until [#DELIVERED] says that they are not needed, not until the next batch is
    /// taken.
    public static final byte KEEP = 11;
    /// The trainer has passed on everything up to a batch that it took.
    public static final byte DELIVERED = 12;
    /// The trainer has no memory of the ring pinned, and will not have.
    public static final byte UNPINNED = 13;
    /// Other settings, with functions of the trainer's: what was loaded is dropped.
    public static final byte PLAN = 14;

    private static final int HEADER = 13;
    private static final int BUFFER = 1 << 12;
    private static final int MOST_BYTES = 1 << 26;

    private final DataInputStream pipe;
    private final byte[] header = new byte[HEADER];

    public CommandReader(InputStream pipe) {
        this.pipe = new DataInputStream(new BufferedInputStream(pipe, BUFFER));
    }

    /// A command.
    ///
    /// @param number what it is about: an event, a slot, an epoch
    /// @param body   its text; empty for most
    public record Command(byte kind, long number, ByteBuffer body) {
        public String text() {
            return StandardCharsets.UTF_8.decode(body.duplicate()).toString();
        }
    }

    /// The next command, with all parts of its body.
    ///
    /// @throws java.io.EOFException when the trainer has gone
    public Command next() throws IOException {
        ByteArrayOutputStream parts = new ByteArrayOutputStream(0);
        while (true) {
            pipe.readFully(header);
            ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
            byte kind = fields.get();
            long number = fields.getLong();
            int bytes = fields.getInt();
            if (bytes < 0 || bytes > MOST_BYTES - parts.size()) {
                throw new IOException("a command of " + bytes + " bytes is none");
            }
            byte[] body = new byte[bytes];
            pipe.readFully(body);
            if (kind != MORE && parts.size() == 0) {
                return new Command(kind, number, little(body));
            }
            parts.write(body);
            if (kind != MORE) {
                return new Command(kind, number, little(parts.toByteArray()));
            }
        }
    }

    private static ByteBuffer little(byte[] body) {
        return ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    }
}
