package org.jspdl.observe.faults;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;

/// A service on a socket that answers at most n requests per second.
final class LimitedStore implements Closeable {
    private static final int ANSWER = 2_000;

    private final ServerSocket server;
    private final long nanosPerRequest;
    private long next = System.nanoTime();

    private LimitedStore(double requestsPerSecond) throws IOException {
        server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        nanosPerRequest = (long) (1e9 / requestsPerSecond);
        Thread.ofPlatform().name("limited-store").daemon().start(this::accept);
    }

    static LimitedStore open(double requestsPerSecond) throws IOException {
        return new LimitedStore(requestsPerSecond);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> answer(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void answer(Socket client) {
        try (client;
                OutputStream out = client.getOutputStream()) {
            LockSupport.parkNanos(turn() - System.nanoTime());
            out.write(new byte[ANSWER]);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private synchronized long turn() {
        next = Math.max(next + nanosPerRequest, System.nanoTime());
        return next;
    }

    void get() throws IOException {
        try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
            if (socket.getInputStream().readNBytes(ANSWER).length < ANSWER) {
                throw new IOException("the store was closed");
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
