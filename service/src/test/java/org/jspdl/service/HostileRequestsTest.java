package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspdl.data.image.ImageServiceProvider.Wanted;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that nobody means well with, and workers that end or change while a loader reads from them.
class HostileRequestsTest {
    private static final int REQUESTS = Integer.getInteger("requests", 40);
    private static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "7",
            "59",
            "60",
            "61",
            "-1",
            "+1",
            "007",
            "1e3",
            "0x10",
            "",
            " ",
            "%31",
            "4503599627370496",
            "4503599627370497",
            "2147483647",
            "2147483648",
            "9223372036854775807",
            "-9223372036854775808",
            "99999999999999999999",
            "\u0661");
    private static final List<String> METHODS =
            List.of("GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "get", "");
    private static final List<String> PATHS = List.of(
            "*",
            "foo:bar",
            "http://other/v1/dataset",
            "//v1/dataset",
            "/v1/pieces/",
            "/v1/../v1/dataset",
            "/v1/dataset?x=1",
            "/v1/dataset/",
            "/\u0000",
            "/%",
            "/%zz",
            "/health ",
            "?",
            "");

    @TempDir
    static Path folder;

    private static Photos photos;
    private static PieceServer server;
    private static byte[] good;

    @BeforeAll
    static void serve() throws Exception {
        photos = Photos.in(folder);
        server = serve(0, photos.plan(List.of()));
        good = answer(piece("0", "3", "2", "8"));
        assertThat(status(good)).isEqualTo(200);
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static PieceServer serve(int port, String plan) throws IOException {
        return PieceServer.start(
                Plan.of("plan.yaml", plan),
                Operations.installed(),
                PlanContext.in(Path.of("")),
                ServerOptions.at(port).limits(2, 64, Duration.ofSeconds(5)));
    }

    static LongStream seeds() {
        return LongStream.range(0, 5);
    }

    private static String piece(String epoch, String from, String stride, String count) {
        return "GET /v1/pieces/" + server.fingerprint() + "/" + epoch + "/" + from + "/" + stride + "/" + count
                + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    }

    /// All that comes back; nothing if the connection is closed without a word.
    private static byte[] answer(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            socket.getInputStream().transferTo(all);
            return all.toByteArray();
        } catch (java.net.SocketException closed) {
            return new byte[0];
        }
    }

    private static int status(byte[] answer) {
        String head = new String(answer, 0, Math.min(answer.length, 12), StandardCharsets.US_ASCII);
        return head.startsWith("HTTP/1.1 ") ? Integer.parseInt(head.substring(9, 12)) : 0;
    }

    private static String body(byte[] answer) {
        String text = new String(answer, StandardCharsets.ISO_8859_1);
        return text.substring(text.indexOf("\r\n\r\n") + 4);
    }

    /// A request of which some part is not as it should be.
    private static String request(Random random) {
        String whole = switch (random.nextInt(4)) {
            case 0 -> piece(any(NUMBERS, random), any(NUMBERS, random), any(NUMBERS, random), any(NUMBERS, random));
            case 1 ->
                any(METHODS, random) + " " + any(PATHS, random) + " HTTP/1." + random.nextInt(3)
                        + "\r\nHost: a\r\nConnection: close\r\n\r\n";
            case 2 -> piece("0", "3", "2", "8").replace("Host: a\r\n", hostileHeader(random));
            default -> changed(piece("0", "3", "2", "8"), random);
        };
        return random.nextInt(8) == 0 ? whole.substring(0, random.nextInt(whole.length() + 1)) : whole;
    }

    private static String hostileHeader(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> "Content-Length: 9223372036854775807\r\n";
            case 1 -> "Content-Length: -5\r\n";
            case 2 -> "Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\n";
            case 3 -> "X: " + "y".repeat(1 << 19) + "\r\n";
            case 4 -> "Y: z\r\n".repeat(5_000);
            default -> "Expect: 100-continue\r\nRange: bytes=0-1\r\nAuthorization: Bearer x\r\n";
        };
    }

    private static String changed(String text, Random random) {
        StringBuilder other = new StringBuilder(text);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(other.length());
            switch (random.nextInt(3)) {
                case 0 -> other.setCharAt(at, (char) random.nextInt(256));
                case 1 -> other.deleteCharAt(at);
                default -> other.insert(at, (char) (32 + random.nextInt(95)));
            }
        }
        return other.toString();
    }

    private static String any(List<String> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsMalformedGetsNoPieceOrTheOneThatItNames(long seed) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < REQUESTS; i++) {
            String request = request(random);
            byte[] answer = answer(request);
            int status = status(answer);
            assertThat(status)
                    .as(
                            "seed %d, request %d: %s",
                            seed, i, request.lines().findFirst().orElse(""))
                    .isIn(0, 100, 200, 400, 401, 404, 405, 409, 413, 414, 431, 500, 501, 503, 505);
            assertThat(status).as("seed %d: %s", seed, request).isNotEqualTo(500);
            String path = request.split(" ", 3).length > 1 ? request.split(" ", 3)[1] : "";
            if (status == 200 && path.startsWith("/v1/pieces/") && request.startsWith("GET ")) {
                String canonical = PieceAddress.parse(path).path();
                assertThat(body(answer)).as(request).contains("\"address\":\"" + canonical + "\"");
            }
        }

        assertThat(body(answer(piece("0", "3", "2", "8")))).isEqualTo(body(good));
        String metrics = body(answer("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        assertThat(metrics).contains("jspdl_serve_waiting 0\n");
    }

    /// While a loader reads slowly, the worker is told to end: the piece under way is sent whole.
    @Test
    void aPieceThatIsBeingSentWhileTheWorkerDrainsArrivesWhole() throws Exception {
        try (PieceServer one = serve(0, photos.plan(List.of(), 512, "uint8"));
                Socket socket = new Socket();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            socket.setReceiveBufferSize(4 << 10);
            socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), one.port()));
            socket.getOutputStream()
                    .write(("GET /v1/pieces/" + one.fingerprint()
                                    + "/0/0/1/40 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            byte[] first = in.readNBytes(1_000); // the piece is made, and more than buffers hold of it is left
            Future<Boolean> drained = threads.submit(() -> one.drain(Duration.ofSeconds(60)));
            String refused;
            do { // until it drains
                refused = health(one);
            } while (!refused.startsWith("HTTP/1.1 503"));
            byte[] rest = in.readAllBytes();

            assertThat(drained.get()).isTrue();
            String head = new String(first, StandardCharsets.ISO_8859_1);
            int bodyAt = head.indexOf("\r\n\r\n") + 4;
            long length = Arrays.stream(head.substring(0, bodyAt).split("\r\n"))
                    .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:"))
                    .mapToLong(line -> Long.parseLong(line.substring(15).strip()))
                    .sum();
            assertThat((long) first.length - bodyAt + rest.length).isEqualTo(length);
        }
    }

    private static String health(PieceServer of) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), of.port())) {
            socket.getOutputStream()
                    .write("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /// At some batch of a run a worker drains and ends, and one with another dataset or plan takes its port: a
    /// rolling update that went wrong.
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 9})
    void aWorkerThatIsReplacedByADifferentOneInMidRunChangesNoBatch(int at, @TempDir Path other) throws Exception {
        Photos changed = Photos.in(other);
        changed.add("one-more.jpg"); // the snapshots differ in one file
        List<String> local = Photos.load(photos.plan(List.of()));
        List<PieceServer> servers = new ArrayList<>();
        try {
            servers.add(serve(0, photos.plan(List.of())));
            servers.add(serve(0, photos.plan(List.of())));
            List<String> addresses = servers.stream()
                    .map(each -> "http://127.0.0.1:" + each.port())
                    .toList();
            AtomicInteger batches = new AtomicInteger();
            List<String> served = Photos.load(photos.plan(addresses), PlanContext.in(Path.of("")), () -> {
                if (batches.incrementAndGet() == at) {
                    servers.set(0, replaced(servers.getFirst(), changed.plan(List.of())));
                }
            });

            assertThat(served).isEqualTo(local);
        } finally {
            servers.forEach(PieceServer::close);
        }
    }

    /// In the middle of a rolling update each rank could settle on another half of the workers.
    @Test
    void severalRanksDoNotBeginWhileWorkersServeDifferentDatasets(@TempDir Path other) throws Exception {
        Photos changed = Photos.in(other);
        changed.add("one-more.jpg");
        ClientOptions impatient = ClientOptions.defaults()
                .times(Duration.ofMillis(300), Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ofMillis(50));
        Wanted alone = new Wanted(true, 5, 9);
        Wanted ofTwo = new Wanted(true, 5, 9, List.of(), Optional.empty(), 2);
        try (PieceServer one = serve(0, photos.plan(List.of()));
                PieceServer two = serve(0, changed.plan(List.of()))) {
            List<String> addresses = List.of("http://127.0.0.1:" + one.port(), "http://127.0.0.1:" + two.port());

            RemotePieces.open(addresses, alone, impatient).close();
            RemotePieces.open(addresses.subList(0, 1), ofTwo, impatient).close();
            assertThatThrownBy(() -> RemotePieces.open(addresses, ofTwo, impatient))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(one.fingerprint())
                    .hasMessageContaining(two.fingerprint())
                    .hasMessageContaining("each of 2 ranks could settle on another");
        }
    }

    private static PieceServer replaced(PieceServer one, String plan) {
        int port = one.port();
        try {
            assertThat(one.drain(Duration.ofSeconds(30))).isTrue();
            one.close();
            return serve(port, plan);
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }
}
