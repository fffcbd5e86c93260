package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspdl.data.image.ImagePiece;
import org.jspdl.data.image.ImageService;
import org.jspdl.data.image.ImageServiceProvider;
import org.jspdl.memory.Closeables;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Loaders that ask and do not take, and workers that come back as something else.
class SlowLoadersTest {
    private static final ImageServiceProvider.Wanted WANTED = new ImageServiceProvider.Wanted(true, 5, 9);
    private static final int TURNS = 2;
    /// Pieces of 60 images of this size are larger than what the system buffers of a connection.
    private static final int SIZE = 512;

    private static final ClientOptions PATIENT = ClientOptions.defaults()
            .times(Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofMinutes(1), Duration.ofMillis(100));

    @TempDir
    static Path folder;

    private static Photos photos;

    @BeforeAll
    static void makePhotos() throws Exception {
        photos = Photos.in(folder);
    }

    private static PieceServer serve(int port, String plan, LongUnaryOperator mostNanos) throws IOException {
        return serve(port, TURNS, plan, mostNanos);
    }

    private static PieceServer serve(int port, int turns, String plan, LongUnaryOperator mostNanos) throws IOException {
        return PieceServer.start(
                Plan.of("plan.yaml", plan),
                Operations.installed(),
                PlanContext.in(Path.of("")),
                ServerOptions.at(port).limits(turns, 64, Duration.ofSeconds(1)),
                mostNanos);
    }

    /// Asks for a large piece, and reads nothing of it.
    private static Socket still(PieceServer server) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 << 10);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        socket.getOutputStream()
                .write(("GET /v1/pieces/" + server.fingerprint() + "/0/0/1/60 HTTP/1.1\r\nHost: a\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String metrics(PieceServer server) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void loadersThatStandStillLoseTheirTurnsToOthers() throws Exception {
        List<Socket> still = new ArrayList<>();
        LongUnaryOperator hasty = bytes -> bytes > 20 << 20 ? 300_000_000L : 3_600_000_000_000L;
        try (PieceServer server = serve(0, photos.plan(List.of(), SIZE, "uint8"), hasty)) {
            for (int i = 0; i < TURNS; i++) {
                still.add(still(server));
            }
            String metrics;
            do {
                metrics = metrics(server);
            } while (!metrics.contains("jspdl_serve_unsent_total " + TURNS + "\n"));
            assertThat(metrics).contains("jspdl_serve_slow_total " + TURNS + "\n");
            try (RemotePieces pieces =
                            RemotePieces.open(List.of("http://127.0.0.1:" + server.port()), WANTED, PATIENT);
                    ImagePiece piece = pieces.read(new ImageService.Places(0, 0, 1, 1))) {
                assertThat(piece.size()).isEqualTo(1);
            }
        } finally {
            Closeables.closeAll(still);
        }
    }

    @Test
    void aLoaderThatStandsStillLeavesTurnsToOthers() throws Exception {
        List<Socket> still = new ArrayList<>();
        int turns = 4;
        try (PieceServer server = serve(0, turns, photos.plan(List.of(), SIZE, "uint8"), _ -> Long.MAX_VALUE)) {
            for (int i = 0; i < turns; i++) {
                still.add(still(server));
            }
            String metrics;
            do {
                metrics = metrics(server);
            } while (!metrics.contains("jspdl_serve_working 3\n") || !metrics.contains("jspdl_serve_busy_total 1\n"));
            try (RemotePieces pieces =
                            RemotePieces.open(List.of("http://127.0.0.1:" + server.port()), WANTED, PATIENT);
                    ImagePiece piece = pieces.read(new ImageService.Places(0, 0, 1, 1))) {
                assertThat(piece.size()).isEqualTo(1);
            }
        } finally {
            Closeables.closeAll(still);
        }
    }

    @Test
    void aWorkerThatComesBackAtThePortWithAnotherPlanIsAskedInVainAndOneWithTheSameIsAskedAgain() throws Exception {
        ClientOptions options = ClientOptions.defaults()
                .times(Duration.ofSeconds(2), Duration.ofMinutes(1), Duration.ofSeconds(1), Duration.ofMillis(50));
        ImageService.Places places = new ImageService.Places(0, 3, 1, 8);
        String plan = photos.plan(List.of());
        int port;
        byte[] before;
        RemotePieces opened;
        try (PieceServer first = serve(0, plan, _ -> Long.MAX_VALUE)) {
            port = first.port();
            opened = RemotePieces.open(List.of("http://127.0.0.1:" + port), WANTED, options);
            before = pixels(opened, places);
        }
        try (RemotePieces pieces = opened) {
            try (PieceServer other = serve(port, photos.plan(List.of(), 32, "uint8"), _ -> Long.MAX_VALUE)) {
                assertThat(other.port()).isEqualTo(port);
                // On a busy machine the time may be over when just the connection to the first is known
                // to be gone.
                Throwable failure;
                do {
                    failure = catchThrowable(() -> pieces.read(places).close());
                    assertThat(failure).isInstanceOf(IOException.class);
                } while (!String.valueOf(failure.getMessage()).contains("serves something else: its image is"));
                assertThat(failure)
                        .hasMessageContaining("it serves " + other.fingerprint() + ", and this loader reads "
                                + pieces.served().fingerprint());
            }
            try (PieceServer again = serve(port, plan, _ -> Long.MAX_VALUE)) {
                assertThat(again.port()).isEqualTo(port);
                assertThat(pixels(pieces, places)).isEqualTo(before);
            }
        }
    }

    private static byte[] pixels(RemotePieces pieces, ImageService.Places places) throws Exception {
        try (ImagePiece piece = pieces.read(places)) {
            return piece.pixels(0).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        }
    }
}
