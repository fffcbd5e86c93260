package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What no waiting can mend ends a run at its start, though the deadline is five minutes; what may be mended is
/// waited for as long as the user says.
class UnreachableDataTest extends CommandTest {
    private static final Duration AT_ONCE = Duration.ofMinutes(4);
    private static final List<String> DATASETS =
            List.of("train.csv", "train-{000..003}.tar", "train-000.parquet", "train.shards.json", "photos");

    @TempDir
    Path folder;

    private final Map<String, String> before = new ConcurrentHashMap<>();
    private ObjectServer server;

    @BeforeEach
    void start() throws IOException {
        server = ObjectServer.start(Faults.none());
        server.put("/bucket/photos/a/1.jpg", ObjectContent.seeded(1, 1_000));
        set("aws.endpointUrlS3", "http://localhost:" + server.port());
        set("aws.accessKeyId", "somebody");
        set("aws.secretAccessKey", "secret");
        set("aws.region", "us-east-1");
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        before.forEach((name, value) -> {
            if (value.isEmpty()) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }

    private void set(String name, String value) {
        String old = System.setProperty(name, value);
        before.putIfAbsent(name, old == null ? "" : old);
    }

    private void assertFailsAtOnce(String dataset, String message) throws IOException {
        Path plan = Files.writeString(
                folder.resolve("plan.yaml"),
                "source: {images: {path: '" + dataset + "'}}\nsteps: [{allocate-batch: {batch-size: 2}}]\n");
        long begun = System.nanoTime();
        for (List<String> words :
                List.of(List.of("run", dataset), List.of("inspect", dataset), List.of("run", plan.toString()))) {
            jspdl(words);

            assertThat(code).as("%s", words).isNotZero();
            assertThat(err).as("%s", words).contains(message);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).as(dataset).isLessThan(AT_ONCE);
    }

    @Test
    void anUnknownHostEndsARunAtItsStart() throws IOException {
        for (String dataset : DATASETS.subList(0, 4)) {
            assertFailsAtOnce(
                    "https://nowhere.invalid/d/" + dataset, "unknown host nowhere.invalid; check the spelling");
        }
        set("aws.endpointUrlS3", "http://nowhere.invalid");
        for (String dataset : DATASETS) {
            assertFailsAtOnce("s3://bucket/" + dataset, "unknown host nowhere.invalid; check the spelling");
        }
    }

    @Test
    void wrongCredentialsEndARunAtItsStart() throws IOException {
        server.requireCredentials("somebody-else", "");
        for (String dataset : DATASETS) {
            assertFailsAtOnce("s3://bucket/" + dataset, "no permission, or wrong credentials");
        }
    }

    @Test
    void aBucketThatIsNotThereEndsARunAtItsStart() throws IOException {
        for (String dataset : DATASETS) {
            assertFailsAtOnce("s3://no-such-bucket/" + dataset, "check the spelling");
        }
    }

    @Test
    void aStoreInTroubleIsGivenUpWhenTheUserSays() {
        // It asks for a pause that is longer than the user waits, and shorter than the deadline is otherwise.
        server.faults(Faults.none().unavailable(1, Duration.ofSeconds(200)));

        jspdl("run", "s3://bucket/train.csv", "--storage", "read-deadline=100s,retry-pauses=1ms..20ms");

        assertThat(code).isNotZero();
        assertThat(err).contains("gave up after 1 attempt within 100000 ms: the server said 503");
    }
}
