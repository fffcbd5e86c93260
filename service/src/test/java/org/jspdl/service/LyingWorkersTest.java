package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.imageio.ImageIO;
import org.jspdl.data.image.ImageService;
import org.jspdl.data.image.ImageServiceProvider;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Workers that send what was not asked for, that serve something else, and that refuse.
class LyingWorkersTest {
    private static final ImageServiceProvider.Wanted WANTED = new ImageServiceProvider.Wanted(true, 5, 9);

    @TempDir
    static Path folder;

    private static Photos photos;

    @BeforeAll
    static void makePhotos() throws Exception {
        photos = Photos.in(folder);
    }

    private static PieceServer serve(String plan, ServerOptions options) throws IOException {
        return PieceServer.start(
                Plan.of("plan.yaml", plan), Operations.installed(), PlanContext.in(Path.of("")), options);
    }

    private static PieceServer serve() throws IOException {
        return serve(photos.plan(List.of()), ServerOptions.at(0).host("127.0.0.1"));
    }

    private static String url(PieceServer server) {
        return "http://127.0.0.1:" + server.port();
    }

    /// Gives up after two seconds, but lets each attempt take the time that a busy machine needs.
    private static ClientOptions hasty() {
        return hasty(Duration.ofMinutes(2));
    }

    private static ClientOptions hasty(Duration attempt) {
        return ClientOptions.defaults()
                .times(Duration.ofSeconds(2), attempt, Duration.ofMillis(100), Duration.ofSeconds(60));
    }

    @ParameterizedTest
    @EnumSource(LyingWorker.Lie.class)
    void aLieIsNoticedAndAnotherWorkerAsked(LyingWorker.Lie lie) throws Exception {
        List<String> local = Photos.load(photos.plan(List.of()));
        try (PieceServer honest = serve();
                LyingWorker liar = new LyingWorker(url(honest), lie)) {
            assertThat(Photos.load(photos.plan(List.of(liar.url(), url(honest)))))
                    .isEqualTo(local);
            assertThat(liar.told).hasPositiveValue();
        }
    }

    @ParameterizedTest
    @EnumSource(LyingWorker.Lie.class)
    void whereAllWorkersLieTheRunEndsWithTheReason(LyingWorker.Lie lie) throws Exception {
        try (PieceServer honest = serve();
                LyingWorker liar = new LyingWorker(url(honest), lie);
                RemotePieces pieces =
                        lie == LyingWorker.Lie.SILENT ? openedInHaste(liar.url()) : opened(liar.url(), hasty())) {
            assertThatThrownBy(() -> pieces.read(new ImageService.Places(0, 0, 1, 4)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no worker gave the images of epoch 0 from place 0 on within 2000 ms")
                    .hasMessageContaining(
                            switch (lie) {
                                case CHANGED_PIXEL, WRONG_CHECKSUM, NO_CHECKSUM -> "its checksum is";
                                case TRUNCATED -> ""; // as the connection tells it
                                case CUT_SHORT_WITH_ITS_CHECKSUM, NOT_SAFETENSORS -> "safetensors";
                                case ANNOUNCED_AS_HUGE -> "it announces 1099511627776 bytes";
                                case ANOTHER_PIECE -> "asked for was";
                                case SERVER_ERROR -> "answered 500";
                                case SILENT -> "took longer than 500 ms";
                            });
        }
    }

    private static RemotePieces opened(String address, ClientOptions options) throws IOException {
        return RemotePieces.open(List.of(address), WANTED, options);
    }

    /// With attempts of half a second, in which a busy machine may not say what it serves at first.
    private static RemotePieces openedInHaste(String address) {
        while (true) {
            try {
                return opened(address, hasty(Duration.ofMillis(500)));
            } catch (IOException late) {
                // Once more, until the test itself takes too long.
            }
        }
    }

    /// Attempts may take longer than a test may: whoever waits for a silent worker to end fails.
    @ParameterizedTest
    @EnumSource(names = {"SILENT", "SERVER_ERROR", "TRUNCATED"})
    void aPieceIsAskedForUntilSomebodyGivesItWhateverTheSecondWorkerDoes(LyingWorker.Lie second) throws Exception {
        ClientOptions options = ClientOptions.defaults()
                .times(Duration.ofMinutes(20), Duration.ofMinutes(20), Duration.ofMillis(100), Duration.ofSeconds(10));
        try (PieceServer honest = serve();
                LyingWorker first = new LyingWorker(url(honest), LyingWorker.Lie.SILENT);
                LyingWorker other = new LyingWorker(url(honest), second);
                RemotePieces pieces =
                        RemotePieces.open(List.of(url(honest), first.url(), other.url()), WANTED, options)) {
            for (int from = 0; from < 40; from += 4) {
                pieces.read(new ImageService.Places(0, from, 1, 4)).close();
            }
            assertThat(first.told).hasPositiveValue();
            assertThat(other.told).hasPositiveValue();
            assertThat(pieces.hedged()).isPositive();
        }
    }

    @Test
    void aWorkerWithAnotherDatasetIsAvoided(@TempDir Path copied) throws Exception {
        List<String> local = Photos.load(photos.plan(List.of()));
        Photos other = Photos.in(copied);
        other.add("another.jpg");
        try (PieceServer first = serve();
                PieceServer second = serve();
                PieceServer differs =
                        serve(other.plan(List.of()), ServerOptions.at(0).host("127.0.0.1"))) {
            assertThat(differs.fingerprint()).isNotEqualTo(first.fingerprint());
            assertThat(second.fingerprint()).isEqualTo(first.fingerprint());
            assertThat(Photos.load(photos.plan(List.of(url(differs), url(first), url(second)))))
                    .isEqualTo(local);
            assertThat(get(differs, "/metrics", "").body()).doesNotContain("jspdl_serve_differed_total 0\n");
        }
    }

    @Test
    void whatOtherMachinesCanReachAsksForAToken() throws Exception {
        String plan = photos.plan(List.of());
        ServerOptions everywhere = ServerOptions.at(0).host("0.0.0.0");
        assertThatThrownBy(() -> serve(plan, everywhere))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0.0.0.0")
                .hasMessageContaining("JSPDL_SERVICE_TOKEN");
        serve(plan, everywhere.token("secret")).close();
        serve(plan, everywhere.forAnybody()).close();
    }

    @Test
    void requestsBeyondALimitAreRefusedAndThoseWithoutTheTokenToo() throws Exception {
        ServerOptions options = ServerOptions.at(0)
                .host("127.0.0.1")
                .limits(2, 16, Duration.ofSeconds(1))
                .token("secret");
        try (PieceServer server = serve(photos.plan(List.of()), options)) {
            String piece = "/v1/pieces/" + server.fingerprint();
            assertThat(get(server, "/health", "").statusCode()).isEqualTo(200);
            assertThat(get(server, "/v1/dataset", "").statusCode()).isEqualTo(401);
            assertThat(get(server, "/v1/dataset", "other").statusCode()).isEqualTo(401);
            assertThat(get(server, "/v1/dataset", "secret").statusCode()).isEqualTo(200);
            assertThat(get(server, piece + "/0/0/1/16", "secret").statusCode()).isEqualTo(200);
            assertThat(get(server, piece + "/0/59/1/1", "secret").statusCode()).isEqualTo(200);
            for (String bad : List.of(
                    "/0/0/1/17",
                    "/0/59/1/2",
                    "/0/50/9/3",
                    "/0/0/0/1",
                    "/0/0/1/0",
                    "/-1/0/1/1",
                    "/0/-1/1/1",
                    "/0/0/1/99999999999",
                    "/9223372036854775807/0/1/1",
                    "/0/0/1",
                    "/0/0/1/1/1",
                    "/0/0/1/" + "1".repeat(300))) {
                assertThat(get(server, piece + bad, "secret").statusCode())
                        .as(bad)
                        .isEqualTo(400);
            }
            assertThat(get(server, "/v1/pieces/" + "0".repeat(64) + "/0/0/1/1", "secret")
                            .statusCode())
                    .isEqualTo(409);
            assertThat(get(server, "/other", "secret").statusCode()).isEqualTo(404);
            assertThatThrownBy(() -> RemotePieces.open(List.of(url(server)), WANTED, hasty().token("other")))
                    .hasMessageContaining("answered 401");
            RemotePieces.open(List.of(url(server)), WANTED, hasty().token("secret"))
                    .close();
        }
    }

    private static HttpResponse<String> get(PieceServer server, String path, String token) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url(server) + path));
            if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void aWorkerThatDrainsSendsLoadersElsewhere() throws Exception {
        try (PieceServer server = serve()) {
            assertThat(server.drain(Duration.ofSeconds(10))).isTrue();
            assertThat(get(server, "/health", "").statusCode()).isEqualTo(503);
            HttpResponse<String> refused = get(server, "/v1/pieces/" + server.fingerprint() + "/0/0/1/1", "");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        }
    }

    @Test
    void aFileOfMoreBitsThanAreSentEndsTheRun(@TempDir Path deep) throws Exception {
        Path folder = Files.createDirectory(deep.resolve("class"));
        BufferedImage image = new BufferedImage(90, 80, BufferedImage.TYPE_USHORT_GRAY);
        ImageIO.write(image, "png", folder.resolve("deep.png").toFile());
        Photos photos = new Photos(deep);
        try (PieceServer server =
                serve(photos.plan(List.of()), ServerOptions.at(0).host("127.0.0.1"))) {
            assertThatThrownBy(() -> Photos.load(photos.plan(List.of(url(server)))))
                    .isInstanceOf(PipelineException.class)
                    .hasStackTraceContaining("has 16 bits for a channel");
        }
        String bytes = photos.plan(List.of(), 64, "uint8");
        try (PieceServer server = serve(bytes, ServerOptions.at(0).host("127.0.0.1"))) {
            assertThat(Photos.load(photos.plan(List.of(url(server)), 64, "uint8")))
                    .isEqualTo(Photos.load(bytes));
        }
    }
}
