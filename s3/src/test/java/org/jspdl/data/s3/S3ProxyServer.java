package org.jspdl.data.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.http.ObjectUpdate;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageOptions;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/// S3Proxy, a server that others wrote, in a process of its own; it checks every signature.
record S3ProxyServer(Process process, int port) {
    static final String ID = "some-identity";
    static final String SECRET = "some/secret+credential";

    static S3ProxyServer start(Path folder) throws Exception {
        int port = freePort();
        Path properties = Files.writeString(folder.resolve("s3proxy.properties"), """
                s3proxy.endpoint=http://127.0.0.1:%s
                s3proxy.authorization=aws-v4
                s3proxy.identity=%s
                s3proxy.credential=%s
                jclouds.provider=transient-nio2
                jclouds.identity=unused
                jclouds.credential=unused
                """.formatted(port, ID, SECRET));
        Path log = folder.resolve("s3proxy.log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.gaul.s3proxy.Main",
                        "--properties",
                        properties.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        S3ProxyServer server = new S3ProxyServer(process, port);
        server.awaitStart(log);
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

    private void awaitStart(Path log) throws Exception {
        while (true) {
            try (HttpClient client = HttpClient.newHttpClient()) {
                client.send(
                        HttpRequest.newBuilder(URI.create(endpoint())).build(), HttpResponse.BodyHandlers.discarding());
                return;
            } catch (IOException notYet) {
                assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
                assertThat(process.waitFor(Duration.ofMillis(50))).isFalse();
            }
        }
    }

    String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    S3Settings settings() {
        return settings(ID, SECRET);
    }

    S3Settings settings(String id, String secret) {
        return new S3Settings(
                Optional.of(endpoint()),
                "us-east-1",
                Optional.of(StaticCredentialsProvider.create(AwsBasicCredentials.create(id, secret))));
    }

    S3Signer signer() {
        return new S3Signer(settings().credentials().orElseThrow(), "us-east-1");
    }

    /// Makes the bucket `bucket`.
    void makeBucket() throws IOException {
        try (RangeClient client = new RangeClient(StorageOptions.defaults(), signer())) {
            Location bucket = Location.of(endpoint() + "/bucket");
            client.update(bucket, HttpAddress.parse(bucket), ObjectUpdate.of("PUT"), Duration.ofSeconds(10));
        }
    }

    /// What it knows of uploads to `bucket` that have not ended.
    String uploads() throws IOException {
        try (RangeClient client = new RangeClient(StorageOptions.defaults(), signer())) {
            Location bucket = Location.of(endpoint() + "/bucket?uploads=");
            return new String(client.text(bucket, HttpAddress.parse(bucket)), StandardCharsets.UTF_8);
        }
    }

    void stop() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }
}
