package org.jspdl.data.http;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.Locale;
import java.util.Optional;
import org.jspdl.data.http.range.Scatter;
import org.jspdl.data.storage.StorageException.Kind;

/// A connection and the one exchange that is on it. One thread at a time, but [#expireIfLate] and [#close] come from
/// others.
final class Connection implements Closeable {
    private static final int HEAD_BUFFER = 1 << 10;
    private static final int MOST_HEAD = 64 << 10;
    private static final int MOST_INTERIM = 8;
    private static final long BODY_PART = 1 << 20;

    private final Transport transport;
    private final Optional<ProxySettings.ProxyServer> forwarding;
    private ByteBuffer rest = ByteBuffer.allocate(0);
    private Optional<IOException> unsent = Optional.empty();
    private boolean used;
    private boolean answered;
    private volatile long expiresAt = Long.MAX_VALUE;
    private volatile boolean expired;

    /// @param forwarding the proxy that reads and forwards the requests, if there is one
    Connection(Transport transport, Optional<ProxySettings.ProxyServer> forwarding) {
        this.transport = transport;
        this.forwarding = forwarding;
    }

    /// The proxy that reads the requests, and is told in each which server it is for.
    Optional<ProxySettings.ProxyServer> forwarding() {
        return forwarding;
    }

    /// From now until the next call of this method, the connection is closed after `nanoTime`.
    void expiresAt(long nanoTime) {
        expiresAt = nanoTime;
    }

    void expireIfLate(long now) {
        if (expiresAt - now < 0) {
            expired = true;
            closeQuietly();
        }
    }

    /// Whether a response was received on it before this exchange: then it may have gone stale meanwhile.
    boolean wasUsed() {
        return used;
    }

    /// Whether anything of the present response has arrived.
    boolean answered() {
        return answered;
    }

    /// Sends the head of a request, and its body, which may be empty.
    void send(byte[] head, MemorySegment body) throws IOException {
        answered = false;
        unsent = Optional.empty();
        try {
            transport.write(ByteBuffer.wrap(head));
        } catch (IOException failure) {
            throw explained(failure);
        }
        try {
            for (long at = 0; at < body.byteSize(); at += BODY_PART) {
                transport.write(body.asSlice(at, Math.min(BODY_PART, body.byteSize() - at))
                        .asByteBuffer());
            }
        } catch (IOException failure) {
            unsent = Optional.of(explained(failure)); // a server that refuses a body says so, and hangs up
        }
    }

    /// Reads the head of the response, with `scratch` as its buffer as far as that is large enough. What follows
    /// the head is kept for the body, in `scratch`.
    ///
    /// @throws IOException also if the body of the request could not be sent, and no response says why
    ResponseHead head(ByteBuffer scratch) throws IOException {
        try {
            return response(scratch);
        } catch (IOException failure) {
            throw unsent.orElse(failure);
        }
    }

    /// Whether the request reached the server as a whole, as far as this side can tell.
    boolean sentAll() {
        return unsent.isEmpty();
    }

    private ResponseHead response(ByteBuffer scratch) throws IOException {
        ResponseHead head = nextHead(scratch.remaining() < HEAD_BUFFER ? ByteBuffer.allocate(HEAD_BUFFER) : scratch);
        for (int interim = 1; head.status() < 200; interim++) {
            if (head.status() == 101 || interim > MOST_INTERIM) {
                throw UnexpectedResponseException.permanent(
                        Kind.UNSUPPORTED,
                        "the server said " + head.status() + " in place of a response; the connection was closed");
            }
            head = nextHead(ByteBuffer.allocate(MOST_HEAD).put(rest));
        }
        return head;
    }

    /// Reads a head of which the beginning, and maybe more, is in `buffer`.
    private ResponseHead nextHead(ByteBuffer begun) throws IOException {
        ByteBuffer buffer = begun;
        int end = endOfHead(buffer, 0);
        for (int searched = 0; end < 0; searched = Math.max(0, buffer.position() - 3)) {
            if (!buffer.hasRemaining()) {
                buffer = grown(buffer);
            }
            read(buffer, "the connection ended before the response");
            answered = true;
            end = endOfHead(buffer, searched);
        }
        byte[] head = new byte[end];
        buffer.flip().get(head);
        rest = buffer;
        used = true;
        return ResponseHead.parse(head);
    }

    private static ByteBuffer grown(ByteBuffer buffer) throws IOException {
        if (buffer.capacity() >= MOST_HEAD) {
            throw new IOException("the head of the response is larger than " + MOST_HEAD + " bytes");
        }
        return ByteBuffer.allocate(MOST_HEAD).put(buffer.flip());
    }

    private static int endOfHead(ByteBuffer buffer, int from) {
        for (int i = Math.max(from, 1); i < buffer.position(); i++) {
            if (buffer.get(i) == '\n') {
                int before = buffer.get(i - 1) == '\r' ? i - 2 : i - 1;
                if (before >= 0 && buffer.get(before) == '\n') {
                    return i + 1;
                }
            }
        }
        return -1;
    }

    /// Moves `length` bytes that follow the head into `target`, or less if it is full before.
    void fill(Scatter target, long length) throws IOException {
        long from = target.at();
        int limit = rest.limit();
        rest.limit((int) Math.min(limit, rest.position() + length));
        target.take(rest);
        rest.limit(limit);
        while (target.at() - from < length && !target.isFull()) {
            ByteBuffer room = target.next();
            room.limit((int) Math.min(room.limit(), length - (target.at() - from)));
            int count = read(room, "");
            if (count < 0) {
                throw new EOFException(String.format(
                        Locale.ROOT, "the body ended after %,d of %,d bytes", target.at() - from, length));
            }
            target.advance(count);
        }
    }

    /// One byte of what follows the head; -1 at the end.
    int next() throws IOException {
        if (!rest.hasRemaining()) {
            rest = ByteBuffer.allocate(4 << 10);
            int count = read(rest, "");
            rest.flip();
            if (count < 0) {
                return -1;
            }
        }
        return rest.get() & 0xFF;
    }

    /// Whether bytes have arrived that nobody asked for: the next response would not be the one to the next
    /// request.
    boolean hasUnread() {
        try {
            return rest.hasRemaining() || transport.hasUnread();
        } catch (IOException gone) {
            return true;
        }
    }

    /// Whether more than the body came with it.
    boolean hasRest() {
        return rest.hasRemaining();
    }

    private int read(ByteBuffer buffer, String atEnd) throws IOException {
        int count;
        try {
            count = transport.read(buffer);
        } catch (IOException failure) {
            throw explained(failure);
        }
        if (count < 0 && !atEnd.isEmpty()) {
            throw new EOFException(atEnd);
        }
        return count;
    }

    private IOException explained(IOException failure) {
        if (expired) {
            return new SocketTimeoutException("no response in time");
        }
        if (failure instanceof ClosedByInterruptException
                || Thread.currentThread().isInterrupted()) {
            return new InterruptedIOException("the read was interrupted");
        }
        return failure;
    }

    private void closeQuietly() {
        try {
            transport.close();
        } catch (IOException gone) {
            // nothing is left to do for a connection that was given up
        }
    }

    @Override
    public void close() {
        closeQuietly();
    }
}
