package org.jspdl.data.azure;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Stands before Azurite, and does what a store in trouble does. Signatures of Azure do not contain the host.
final class FrontServer implements AutoCloseable {
    /// What is done with a request.
    enum Deed {
        PASS,
        /// Told to come back in a second.
        BUSY,
        /// Done, but the answer is lost.
        LOSE
    }

    /// Decides by method, target and how many requests came before.
    @FunctionalInterface
    interface Mood {
        Deed decide(String method, String target, int before);
    }

    /// A request that came.
    record Asked(String method, String target, long atNanos) {}

    private static final Set<String> OF_THE_CONNECTION =
            Set.of("host", "content-length", "connection", "transfer-encoding", "upgrade", "expect");

    private final HttpServer server;
    private final URI behind;
    private final Mood mood;
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    FrontServer(String behind, Mood mood) throws IOException {
        this.behind = URI.create(behind);
        this.mood = mood;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + behind.getPath();
    }

    List<Asked> asked() {
        return asked;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String target = exchange.getRequestURI().getRawPath()
                    + (exchange.getRequestURI().getRawQuery() == null
                            ? ""
                            : "?" + exchange.getRequestURI().getRawQuery());
            Deed deed;
            synchronized (asked) {
                deed = mood.decide(exchange.getRequestMethod(), target, asked.size());
                asked.add(new Asked(exchange.getRequestMethod(), target, System.nanoTime()));
            }
            if (deed == Deed.BUSY) {
                exchange.getResponseHeaders().set("Retry-After", "1");
                exchange.getResponseHeaders().set("x-ms-error-code", "ServerBusy");
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            HttpResponse<byte[]> answer = passed(exchange, target, body);
            if (deed == Deed.LOSE) {
                throw new IOException("lost");
            }
            answer.headers().map().forEach((name, values) -> {
                if (!OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            boolean head = exchange.getRequestMethod().equals("HEAD");
            if (head) {
                answer.headers()
                        .firstValue("content-length")
                        .ifPresent(length -> exchange.getResponseHeaders().set("Content-Length", length));
            }
            exchange.sendResponseHeaders(
                    answer.statusCode(), head || answer.body().length == 0 ? -1 : answer.body().length);
            if (!head && answer.body().length > 0) {
                exchange.getResponseBody().write(answer.body());
            }
        }
    }

    private HttpResponse<byte[]> passed(HttpExchange exchange, String target, byte[] body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(behind.getScheme() + "://" + behind.getAuthority() + target))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
        client.close();
    }
}
