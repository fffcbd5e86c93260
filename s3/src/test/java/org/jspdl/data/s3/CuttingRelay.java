package org.jspdl.data.s3;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;

/// A line to a server that breaks: each connection after as many bytes of requests as a test says.
final class CuttingRelay implements Closeable {
    private final ServerSocket listening;
    private final int port;
    private final IntToLongFunction lives;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger cut = new AtomicInteger();
    private final Thread accepting;

    /// @param port  of the server
    /// @param lives after how many bytes the connection with a number is cut
    CuttingRelay(int port, IntToLongFunction lives) throws IOException {
        this.port = port;
        this.lives = lives;
        this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        this.accepting = Thread.ofVirtual().name("relay").start(this::accept);
    }

    String endpoint() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    /// How many connections were cut.
    int cut() {
        return cut.get();
    }

    private void accept() {
        try {
            for (int i = 0; ; i++) {
                long bytes = lives.applyAsLong(i);
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(client);
                sockets.add(server);
                Thread.ofVirtual().start(() -> relay(client, server, bytes));
                Thread.ofVirtual().start(() -> relay(server, client, Long.MAX_VALUE));
            }
        } catch (IOException closed) {
            // the end of the test
        }
    }

    private void relay(Socket from, Socket to, long bytes) {
        byte[] buffer = new byte[64 << 10];
        try (from;
                to) {
            for (long left = bytes; left > 0; ) {
                int count = from.getInputStream().read(buffer, 0, (int) Math.min(left, buffer.length));
                if (count < 0) {
                    return;
                }
                to.getOutputStream().write(buffer, 0, count);
                left -= count;
            }
            cut.incrementAndGet();
        } catch (IOException closed) {
            // by the other direction
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket each : sockets) {
            each.close();
        }
        try {
            accepting.join();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }
}
