package org.jspdl.data.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/// A connection that is being made: by TCP, by a proxy, by TLS. However slowly the other side answers, byte by byte,
/// its socket is closed when the time is up. One thread connects; [#expireIfLate] and [#close] come from others.
final class Connecting implements Closeable {
    private final long expiresAt;
    private @Nullable Closeable socket;
    private boolean closed;
    private volatile boolean expired;

    /// @param expiresAt of [System#nanoTime]
    Connecting(long expiresAt) {
        this.expiresAt = expiresAt;
    }

    /// From now on `opened` is closed when the time is up.
    synchronized <T extends Closeable> T watch(T opened) throws IOException {
        if (closed) {
            opened.close();
            throw new IOException("the storage was closed");
        }
        socket = opened;
        return opened;
    }

    /// How long a call may wait that has a limit of its own; in milliseconds, at least 1.
    int millisLeft() {
        return Math.toIntExact(Math.clamp((expiresAt - System.nanoTime()) / 1_000_000, 1, Integer.MAX_VALUE));
    }

    void expireIfLate(long now) {
        if (expiresAt - now < 0) {
            expired = true;
            close();
        }
    }

    /// What a failure to connect was: of a socket that was closed meanwhile, that the time was up.
    IOException explained(IOException failure) {
        return expired ? new SocketTimeoutException("no connection in time") : failure;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException gone) {
                // nothing is left to do for a connection that was given up
            }
        }
    }
}
