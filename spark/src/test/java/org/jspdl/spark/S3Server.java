package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/// S3Proxy, a server that others wrote, in a process of its own with the class path of the tests of `s3/`: beside Spark
/// its libraries would be of other versions. It checks no signatures, as the tests there have it do.
record S3Server(Process process, int port) implements AutoCloseable {
    private static final Path CLASS_PATH = Path.of("../s3/target/test.classpath");

    static S3Server start(Path folder) throws Exception {
        assertThat(CLASS_PATH).as("made by building s3/ with -Pslow").exists();
        int port = freePort();
        Path properties = Files.writeString(folder.resolve("s3proxy.properties"), """
                s3proxy.endpoint=http://127.0.0.1:%s
                s3proxy.authorization=none
                jclouds.provider=transient-nio2
                jclouds.identity=unused
                jclouds.credential=unused
                """.formatted(port));
        Path log = folder.resolve("s3proxy.log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        Files.readString(CLASS_PATH).strip(),
                        "org.gaul.s3proxy.Main",
                        "--properties",
                        properties.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        S3Server server = new S3Server(process, port);
        server.makeBucket(log);
        return server;
    }

    /// A port that nobody else gets meanwhile, since the system gives out others to those who ask for any.
    private static int freePort() throws IOException {
        for (int attempt = 0; ; attempt++) {
            try (ServerSocket free =
                    new ServerSocket(ThreadLocalRandom.current().nextInt(15_000, 32_000))) {
                return free.getLocalPort();
            } catch (BindException taken) {
                if (attempt == 1_000) {
                    throw taken;
                }
            }
        }
    }

    private void makeBucket(Path log) throws Exception {
        HttpRequest bucket = HttpRequest.newBuilder(URI.create(endpoint() + "/bucket"))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        while (true) {
            try (HttpClient client = HttpClient.newHttpClient()) {
                assertThat(client.send(bucket, HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(200);
                return;
            } catch (IOException notYet) {
                assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
                assertThat(process.waitFor(Duration.ofMillis(50))).isFalse();
            }
        }
    }

    private String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    /// What `s3://` is then, in any process.
    Map<String, String> properties() {
        return Map.of("aws.endpointUrlS3", endpoint(), "aws.skipSignature", "true", "aws.region", "us-east-1");
    }

    /// The same as options of Java.
    List<String> options() {
        return properties().entrySet().stream()
                .map(each -> "-D" + each.getKey() + "=" + each.getValue())
                .toList();
    }

    /// Has this process use it until it is closed.
    void use() {
        properties().forEach(System::setProperty);
    }

    @Override
    public void close() {
        properties().keySet().forEach(System::clearProperty);
        process.destroy();
        process.onExit().join();
    }
}
