package org.jspdl.data.internal.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Bodies that are text for us: errors and listings.
final class Body {
    private static final int MOST_BEGINNING = 4 << 10;
    private static final int MOST_TEXT = 16 << 20;

    private Body() {}

    /// The first bytes of the body, as far as they can be had; the connection is of no use afterwards.
    static String beginning(ResponseHead head, Connection connection) {
        try {
            byte[] bytes = head.isChunked()
                    ? whole(head, connection)
                    : bytes(
                            connection,
                            Math.min(MOST_BEGINNING, head.contentLength().orElse(0)));
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException _) {
            return ""; // the status says enough
        }
    }

    /// The whole body.
    static byte[] whole(ResponseHead head, Connection connection) throws IOException {
        if (!head.isChunked()) {
            long length = head.contentLength().orElse(-1);
            if (length < 0 || length > MOST_TEXT) {
                throw Refusal.damaged("the answer has no length, or one of more than " + MOST_TEXT + " bytes");
            }
            return bytes(connection, length);
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (int size = chunkSize(connection); size > 0; size = chunkSize(connection)) {
            if (whole.size() + size > MOST_TEXT) {
                throw Refusal.damaged("the answer has more than " + MOST_TEXT + " bytes");
            }
            whole.write(bytes(connection, size));
            line(connection);
        }
        while (!line(connection).isEmpty()) {
            // headers after the body mean nothing to us
        }
        return whole.toByteArray();
    }

    private static int chunkSize(Connection connection) throws IOException {
        String line = line(connection);
        int semicolon = line.indexOf(';');
        try {
            int size = Integer.parseInt(semicolon < 0 ? line : line.substring(0, semicolon), 16);
            if (size >= 0) {
                return size;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw Refusal.damaged("the answer has a chunk without a size");
    }

    private static String line(Connection connection) throws IOException {
        StringBuilder line = new StringBuilder(16);
        for (int c = next(connection); c != '\n'; c = next(connection)) {
            if (line.length() > MOST_BEGINNING) {
                throw Refusal.damaged("the answer has an endless line between its chunks");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private static byte[] bytes(Connection connection, long length) throws IOException {
        byte[] bytes = new byte[(int) length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) next(connection);
        }
        return bytes;
    }

    private static int next(Connection connection) throws IOException {
        int next = connection.next();
        if (next < 0) {
            throw new EOFException("the body ended early");
        }
        return next;
    }
}
