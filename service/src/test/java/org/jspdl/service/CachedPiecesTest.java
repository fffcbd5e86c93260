package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An HTTP cache between workers and trainers, which knows nothing of either and goes by their headers.
class CachedPiecesTest {
    @TempDir
    static Path folder;

    private static Photos photos;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, HttpResponse<byte[]>> kept = new ConcurrentHashMap<>();
    private HttpServer cache;
    private volatile int worker;

    @BeforeAll
    static void makePhotos() throws Exception {
        photos = Photos.in(folder);
    }

    @BeforeEach
    void start() throws IOException {
        cache = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        cache.setExecutor(threads);
        cache.createContext("/", this::answer);
        cache.start();
    }

    @AfterEach
    void end() {
        cache.stop(0);
        threads.shutdownNow();
        threads.close();
        client.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getRawPath();
            HttpResponse<byte[]> answer = kept.get(path);
            if (answer == null) {
                answer = client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + worker + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
                String control = answer.headers().firstValue("Cache-Control").orElse("");
                // As careless as a cache may be: whatever does not forbid it is kept, errors too.
                if (!control.contains("no-store")) {
                    kept.put(path, answer);
                }
            }
            answer.headers().map().forEach((name, values) -> {
                if (!List.of(":status", "content-length", "date", "connection").contains(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    private static PieceServer serve(String plan) throws IOException {
        return PieceServer.start(
                Plan.of("plan.yaml", plan), Operations.installed(), PlanContext.in(Path.of("")), ServerOptions.at(0));
    }

    private List<String> workers() {
        return List.of("http://127.0.0.1:" + cache.getAddress().getPort());
    }

    @Test
    void jobsShareTheirPiecesThroughACacheAndNothingElse() throws Exception {
        List<String> local = Photos.load(photos.plan(List.of(), 48, "uint8"));
        int made;
        try (PieceServer first = serve(photos.plan(List.of(), 48, "uint8"))) {
            worker = first.port();
            assertThat(Photos.load(photos.plan(workers(), 48, "uint8"))).isEqualTo(local);
            made = kept.size();
            assertThat(Photos.load(photos.plan(workers(), 48, "uint8"))).isEqualTo(local);
            assertThat(kept)
                    .hasSize(made)
                    .isNotEmpty()
                    .allSatisfy((path, _) -> assertThat(path).startsWith("/v1/pieces/" + first.fingerprint()));
        }
        try (PieceServer another = serve(photos.plan(List.of(), 32, "uint8"))) {
            worker = another.port();
            assertThat(Photos.load(photos.plan(workers(), 32, "uint8")))
                    .isEqualTo(Photos.load(photos.plan(List.of(), 32, "uint8")));
            assertThat(kept.size()).isGreaterThan(made);
        }
    }
}
