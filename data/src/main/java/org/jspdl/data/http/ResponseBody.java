package org.jspdl.data.http;

import java.io.EOFException;
import java.io.IOException;
import java.util.Locale;
import org.jspdl.data.http.range.Scatter;
import org.jspdl.data.storage.StorageException.Kind;

/// The body of one response, whose end the head tells: by a length, by chunks, or by the end of the connection. One
/// thread.
///
/// A connection is of use for another request only behind the exact end of a body, which is what [#isConsumed] tells.
final class ResponseBody {
    private static final int MOST_LINE = 4 << 10;
    private static final int MOST_TRAILERS = 64;

    private final Connection connection;
    private final Framing framing;
    /// Bytes of the body, or of the present chunk, that were not read yet.
    private long left;
    private boolean ended;

    private enum Framing {
        LENGTH,
        CHUNKS,
        UNTIL_CLOSED
    }

    private ResponseBody(Connection connection, Framing framing, long left) {
        this.connection = connection;
        this.framing = framing;
        this.left = left;
        this.ended = framing == Framing.LENGTH && left == 0;
    }

    /// The body that follows `head` on `connection`.
    ///
    /// @param expected whether the request is one that is answered with a body
    static ResponseBody of(ResponseHead head, Connection connection, boolean expected) throws IOException {
        if (!expected || head.status() == 204 || head.status() == 304) {
            return new ResponseBody(connection, Framing.LENGTH, 0);
        }
        if (head.isChunked()) {
            return new ResponseBody(connection, Framing.CHUNKS, 0);
        }
        return head.contentLength().isPresent()
                ? new ResponseBody(
                        connection, Framing.LENGTH, head.contentLength().getAsLong())
                : new ResponseBody(connection, Framing.UNTIL_CLOSED, Long.MAX_VALUE);
    }

    /// Reads the whole body, which has `length` bytes, into `target`.
    ///
    /// @throws IOException if it is shorter or longer; then the connection is of no more use
    void fill(Scatter target, long length) throws IOException {
        for (long done = 0; done < length; ) {
            if (!hasMore()) {
                throw new EOFException(
                        String.format(Locale.ROOT, "the body ended after %,d of %,d bytes", done, length));
            }
            long part = Math.min(left, length - done);
            connection.fill(target, part);
            took(part);
            done += part;
        }
        if (framing == Framing.UNTIL_CLOSED ? connection.next() >= 0 : hasMore()) {
            throw longer();
        }
    }

    /// Reads into `target` until it is full, or until the body ends: whether it ended.
    boolean fillUpToEnd(Scatter target) throws IOException {
        while (!target.isFull() && hasMore()) {
            long part = Math.min(left, target.end() - target.at());
            connection.fill(target, part);
            took(part);
        }
        return !hasMore();
    }

    /// Whether something says where the body ends, so that one that was cut off is not taken for a whole.
    boolean hasEnd() {
        return framing != Framing.UNTIL_CLOSED;
    }

    /// One byte of the body, for what is read line by line; -1 behind it.
    int next() throws IOException {
        if (!hasMore()) {
            return -1;
        }
        int next = connection.next();
        if (next < 0 && framing != Framing.UNTIL_CLOSED) {
            throw new EOFException("the body ended early");
        }
        took(1);
        return next;
    }

    private void took(long count) throws IOException {
        left -= count;
        if (left == 0 && framing == Framing.CHUNKS && !line().isEmpty()) {
            throw unreadable("has a chunk that is longer than it says");
        }
        ended |= left == 0 && framing == Framing.LENGTH;
    }

    /// Whether there is another byte; reads what stands between two chunks, and what follows the last.
    private boolean hasMore() throws IOException {
        if (framing == Framing.CHUNKS && left == 0 && !ended) {
            left = chunkSize();
            if (left == 0) {
                for (int trailers = 0; !line().isEmpty(); trailers++) {
                    if (trailers == MOST_TRAILERS) {
                        throw unreadable("has more than " + MOST_TRAILERS + " lines behind its last chunk");
                    }
                }
                ended = true;
            }
        }
        return !ended;
    }

    private long chunkSize() throws IOException {
        String line = line();
        int semicolon = line.indexOf(';');
        String digits = (semicolon < 0 ? line : line.substring(0, semicolon)).strip();
        boolean hexadecimal = !digits.isEmpty() && digits.length() <= 15;
        for (int i = 0; i < digits.length(); i++) {
            hexadecimal &= Character.digit(digits.charAt(i), 16) >= 0 && digits.charAt(i) < 128;
        }
        if (!hexadecimal) {
            throw unreadable("has a chunk without a size");
        }
        return Long.parseLong(digits, 16);
    }

    /// A line between chunks, which ends with both its characters.
    private String line() throws IOException {
        StringBuilder line = new StringBuilder(16);
        for (int c = required(); c != '\r'; c = required()) {
            if (line.length() == MOST_LINE || (c < ' ' && c != '\t')) {
                throw unreadable("has no line where one belongs between its chunks");
            }
            line.append((char) c);
        }
        if (required() != '\n') {
            throw unreadable("has no line where one belongs between its chunks");
        }
        return line.toString();
    }

    private int required() throws IOException {
        int next = connection.next();
        if (next < 0) {
            throw new EOFException("the body ended between two chunks");
        }
        return next;
    }

    /// Whether the body was read to its end, so that the next byte is that of another response.
    ///
    /// @throws IOException if something follows that nobody asked for
    boolean isConsumed() throws IOException {
        if (ended && connection.hasRest()) {
            throw longer();
        }
        return ended;
    }

    private static UnexpectedResponseException longer() {
        return unreadable("is longer than it says, or has a body where none belongs");
    }

    private static UnexpectedResponseException unreadable(String what) {
        return UnexpectedResponseException.permanent(
                Kind.UNSUPPORTED, "the response " + what + "; the connection was closed");
    }
}
