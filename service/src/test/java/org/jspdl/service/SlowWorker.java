package org.jspdl.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// A worker that hands on what another gives, after some times as long as that took.
final class SlowWorker implements AutoCloseable {
    private final URI quick;
    private final int times;
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch end = new CountDownLatch(1);

    SlowWorker(String quick, int times) throws IOException {
        this.quick = URI.create(quick);
        this.times = times;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        long begun = System.nanoTime();
        try (exchange) {
            HttpResponse<byte[]> answer = client.send(
                    HttpRequest.newBuilder(quick.resolve(exchange.getRequestURI()))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            if (end.await((times - 1) * (System.nanoTime() - begun), TimeUnit.NANOSECONDS)) {
                return;
            }
            answer.headers()
                    .firstValue(PieceServer.CHECKSUM)
                    .ifPresent(sum -> exchange.getResponseHeaders().set(PieceServer.CHECKSUM, sum));
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(answer.body());
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
        threads.close();
        client.shutdownNow();
        client.close();
    }
}
