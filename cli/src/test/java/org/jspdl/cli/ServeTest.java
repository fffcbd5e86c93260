package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspdl.data.sample.SampleSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Workers, and runs that ask them, as processes of the program.
@Tag("slow")
class ServeTest extends CommandTest {
    private static final Pattern PORT = Pattern.compile("at port (\\d+)");

    @TempDir
    static Path folder;

    @BeforeAll
    static void makeTheSampleSet() throws Exception {
        new SampleSet(60, 1).write(Files.createDirectory(folder.resolve("photos")), 2, written -> {});
    }

    private static Path plan(String name, String service) throws Exception {
        return Files.writeString(folder.resolve(name), """
                source:
                  images: {path: photos, shuffle: true, seed: 7%s}
                steps:
                  - allocate-batch: {batch-size: 8, size: 192, crop: random-resized-crop, flip: 0.5, dtype: uint8}
                  - read-image: {}
                  - {decode-image: {}, cpu: 2, order: input}
                  - batch: 8
                  - stack-images: {}
                seed: 7
                epochs: 2
                """.formatted(service));
    }

    private static Launched program(String... words) throws Exception {
        return program(Map.of(), words);
    }

    private static Launched program(Map<String, String> more, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "env", // a test in the background of a shell ignores interrupts, and so would its children
                "--default-signal=TERM",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "org.jspdl.cli.Main"));
        command.addAll(List.of(words));
        Map<String, String> environment = new HashMap<>(Map.of("JAVA_TOOL_OPTIONS", ""));
        for (String name : List.of("TOKEN", "CA", "CERTIFICATE", "KEY")) {
            environment.put("JSPDL_SERVICE_" + name, "");
        }
        environment.putAll(more);
        return Launched.start(command, folder, environment);
    }

    /// Waits until a worker serves; its port.
    private static int port(Launched worker) throws Exception {
        Matcher told = PORT.matcher(worker.awaitErrorLine("fingerprint"));
        assertThat(told.find()).isTrue();
        return Integer.parseInt(told.group(1));
    }

    private static HttpResponse<String> get(HttpClient client, int port, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    /// A request whose head is not complete is under way: the worker waits for the rest, and answers it.
    @Test
    void aWorkerThatIsToEndFinishesRequestsUnderWayRefusesNewPiecesAndEndsWithZero() throws Exception {
        try (Launched worker = program("serve", plan("drained.yaml", "").toString(), "--port", "0");
                HttpClient client = HttpClient.newHttpClient()) {
            int port = port(worker);
            Matcher fingerprint = Pattern.compile("\"fingerprint\": ?\"([^\"]+)\"")
                    .matcher(get(client, port, "/v1/dataset").body());
            assertThat(fingerprint.find()).isTrue();
            String piece = "/v1/pieces/" + fingerprint.group(1) + "/0/0/1/60";
            assertThat(get(client, port, "/health").statusCode()).isEqualTo(200);

            List<HttpResponse<String>> answers = new ArrayList<>();
            try (Socket slow = new Socket()) {
                slow.setReceiveBufferSize(4096); // so that the answer is on its way until it is read
                slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                OutputStream out = slow.getOutputStream();
                out.write(
                        ("GET " + piece + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                byte[] head = slow.getInputStream().readNBytes(12);
                assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
                worker.terminate();
                worker.awaitError("takes no more requests");

                answers.add(get(client, port, "/health"));
                answers.add(get(client, port, piece));
                byte[] rest = slow.getInputStream().readNBytes(60 * 192 * 192 * 3);
                assertThat(rest).hasSize(60 * 192 * 192 * 3);
                slow.shutdownOutput();
            }

            assertThat(answers).extracting(HttpResponse::statusCode).containsExactly(503, 503);
            Launched.Ended ended = worker.await();
            assertThat(ended.code()).as(ended.err()).isZero();
            assertThat(ended.err()).doesNotContain("Exception", "not answered in time");
        }
    }

    @Test
    void aPlaceWhereNothingCanListenIsNamed() throws Exception {
        String plan = plan("taken.yaml", "").toString();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            jspdl("serve", plan, "--port", Integer.toString(taken.getLocalPort()));

            assertThat(code).isEqualTo(1);
            assertThat(err).contains("cannot listen at 127.0.0.1, port " + taken.getLocalPort() + ": ");
        }

        jspdl("serve", plan, "--host", "nowhere.invalid");
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--host must be an address of this machine, but 'nowhere.invalid' is not known");
    }

    @Test
    void requestsForMoreThanAWorkerGivesAreRefused() throws Exception {
        Path plan = plan("limits.yaml", "");
        try (Launched worker = program("serve", plan.toString(), "--port", "0", "--most-places", "4");
                HttpClient client = HttpClient.newHttpClient()) {
            int port = port(worker);

            Stream<String> paths = Stream.of(
                    "/v1/pieces/00/0/0/1/4",
                    "/v1/pieces/x/99999999999999999999/0/1/4",
                    "/v1/pieces/x/0/0/0/4",
                    "/v1/pieces/x/0/0/1/1000000000",
                    "/v1/pieces/" + "a".repeat(6_000),
                    "/v2");
            for (String path : paths.toList()) {
                assertThat(get(client, port, path).statusCode()).as(path).isIn(400, 404, 409, 414);
            }
            assertThat(get(client, port, "/metrics").body()).contains("jspdl_serve_refused_total");
            assertThat(get(client, port, "/health").statusCode()).isEqualTo(200);
        }
    }

    private static Launched.Ended run(Path plan, Map<String, String> environment) throws Exception {
        try (Launched run = program(environment, "run", plan.toString(), "--json", "-", "--no-progress")) {
            return run.await();
        }
    }

    private static String checksum(Launched.Ended ended) {
        assertThat(ended.code()).as(ended.err()).isZero();
        Matcher sum = Pattern.compile("\"checksum\": ([^,\\n]+)").matcher(ended.out());
        assertThat(sum.find()).as(ended.out()).isTrue();
        return sum.group(1);
    }

    @Test
    void aRunGetsItsBatchesWithTlsFromAWorkerWhoseAuthorityItTrustsAndFromNoOther() throws Exception {
        TestCertificates made = new TestCertificates(folder);
        made.authority("authority");
        made.authority("stranger");
        made.worker("worker", "authority");
        Path local = plan("local.yaml", "");
        try (Launched worker = program(
                "serve",
                local.toString(),
                "--port",
                "0",
                "--tls-certificate",
                "worker.pem",
                "--tls-key",
                "worker.key")) {
            String address = "https://127.0.0.1:" + port(worker);
            Path remote = plan("remote.yaml", ", service: ['" + address + "']");

            assertThat(checksum(run(remote, Map.of("JSPDL_SERVICE_CA", "authority.pem"))))
                    .isEqualTo(checksum(run(local, Map.of())));

            Launched.Ended wrong = run(remote, Map.of("JSPDL_SERVICE_CA", "stranger.pem"));
            // 2, as for every dataset that can't be opened: the run has not begun
            assertThat(wrong.code()).as(wrong.err()).isEqualTo(2);
            assertThat(wrong.err())
                    .contains(address, "its certificate is of no authority in stranger.pem")
                    .doesNotContain("Exception", "\tat ");
        }
    }
}
