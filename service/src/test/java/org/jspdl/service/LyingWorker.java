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
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// A worker that hands on what an honest one gives, changed for the worse.
final class LyingWorker implements AutoCloseable {
    /// What it does to a piece.
    enum Lie {
        CHANGED_PIXEL,
        WRONG_CHECKSUM,
        NO_CHECKSUM,
        TRUNCATED,
        CUT_SHORT_WITH_ITS_CHECKSUM,
        ANNOUNCED_AS_HUGE,
        ANOTHER_PIECE,
        NOT_SAFETENSORS,
        SERVER_ERROR,
        SILENT
    }

    private final URI honest;
    private final Lie lie;
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch end = new CountDownLatch(1);
    final AtomicInteger told = new AtomicInteger();

    LyingWorker(String honest, Lie lie) throws IOException {
        this.honest = URI.create(honest);
        this.lie = lie;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getRawPath();
            if (path.startsWith(PieceAddress.PREFIX)) {
                told.incrementAndGet();
                lie(exchange, path);
            } else {
                HttpResponse<byte[]> answer = ask(path);
                send(exchange, answer.statusCode(), answer.body(), answer.body().length);
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<byte[]> ask(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(honest.resolve(path)).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private void lie(HttpExchange exchange, String path) throws IOException, InterruptedException {
        if (lie == Lie.SILENT) {
            end.await();
            return;
        }
        PieceAddress asked = PieceAddress.parse(path);
        String other = asked.path()
                .replaceFirst(
                        "/" + asked.places().epoch() + "/",
                        "/" + (asked.places().epoch() + 1) + "/");
        byte[] body = ask(lie == Lie.ANOTHER_PIECE ? other : path).body();
        String checksum = sum(body);
        long announced = body.length;
        int status = 200;
        switch (lie) {
            case CHANGED_PIXEL -> body[body.length - 1] ^= 1;
            case WRONG_CHECKSUM -> checksum = "00000000";
            case NO_CHECKSUM -> checksum = "";
            case TRUNCATED -> body = Arrays.copyOf(body, body.length / 2);
            case CUT_SHORT_WITH_ITS_CHECKSUM -> {
                body = Arrays.copyOf(body, body.length - 100);
                checksum = sum(body);
                announced = body.length;
            }
            case ANNOUNCED_AS_HUGE -> announced = 1L << 40;
            case NOT_SAFETENSORS -> {
                body = "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
                checksum = sum(body);
                announced = body.length;
            }
            case SERVER_ERROR -> status = 500;
            case ANOTHER_PIECE, SILENT -> {}
        }
        if (!checksum.isEmpty()) {
            exchange.getResponseHeaders().set(PieceServer.CHECKSUM, checksum);
        }
        send(exchange, status, body, announced);
    }

    private static String sum(byte[] bytes) {
        return PieceFile.checksum(java.lang.foreign.MemorySegment.ofArray(bytes));
    }

    private static void send(HttpExchange exchange, int status, byte[] body, long announced) throws IOException {
        exchange.sendResponseHeaders(status, announced);
        OutputStream out = exchange.getResponseBody();
        out.write(body);
        out.flush();
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
