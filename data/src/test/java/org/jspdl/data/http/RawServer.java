package org.jspdl.data.http;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// A server that sends the bytes it was given for a path, whatever they are, and goes on with the connection.
final class RawServer implements AutoCloseable {
    private final ServerSocket listener;
    private final Map<String, Response> responses = new ConcurrentHashMap<>();
    private final Map<String, String> asked = new ConcurrentHashMap<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Semaphore answered = new Semaphore(0);
    private final AtomicInteger connections = new AtomicInteger();

    /// @param bytes  sent at once
    /// @param late   sent behind them, unasked
    /// @param closes whether the connection ends then
    record Response(String bytes, String late, boolean closes) {}

    RawServer() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("raw-server-accept").start(this::accept);
    }

    void put(String path, Response response) {
        responses.put(path, response);
    }

    String url(String path) {
        return "http://localhost:" + listener.getLocalPort() + path;
    }

    /// The headers of the last request for a path; empty before the first.
    String asked(String path) {
        return asked.getOrDefault(path, "");
    }

    int connections() {
        return connections.get();
    }

    /// Waits until another response was sent as a whole.
    void awaitResponse() throws InterruptedException {
        answered.acquire();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                open.add(socket);
                connections.incrementAndGet();
                Thread.ofVirtual().name("raw-server-connection").start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
            OutputStream out = socket.getOutputStream();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Response response = requireNonNull(responses.get(line.split(" ")[1]));
                StringBuilder headers = new StringBuilder();
                String header = in.readLine();
                while (header != null && !header.isEmpty()) {
                    headers.append(header).append('\n');
                    header = in.readLine();
                }
                asked.put(line.split(" ")[1], headers.toString());
                try {
                    out.write(response.bytes().getBytes(StandardCharsets.ISO_8859_1));
                    out.write(response.late().getBytes(StandardCharsets.ISO_8859_1));
                } finally {
                    answered.release();
                }
                if (response.closes()) {
                    return;
                }
            }
        } catch (IOException gone) {
            // the client went away, or the server was closed
        } finally {
            open.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
