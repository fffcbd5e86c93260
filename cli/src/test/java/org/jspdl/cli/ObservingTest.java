package org.jspdl.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.json.Json;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `jspdl run` writes of what it saw, and `jspdl profile`, over 60 images.
class ObservingTest extends CommandTest {
    private static final int IMAGES = 60;

    @TempDir
    static Path dataset;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeTheSampleSet() throws Exception {
        new SampleSet(IMAGES, 1).write(dataset, 2, written -> {});
    }

    @Test
    void aRunWritesAPageAndATrace() throws Exception {
        Path page = folder.resolve("report.html");
        Path trace = folder.resolve("trace.json");

        jspdl(
                "run",
                dataset.toString(),
                "--size",
                "32",
                "--no-progress",
                "--report",
                page.toString(),
                "--trace",
                trace.toString());

        assertThat(err).isEmpty();
        assertThat(code).isZero();
        assertThat(Files.readString(page)).contains("<svg", "decode", "The pipeline", "Over time");
        // What was loaded, how, where, and by which version.
        assertThat(Files.readString(page))
                .contains(dataset.getFileName().toString(), "Dataset and settings", "Environment")
                .contains(Runtime.version().toString())
                .contains(">jspdl<", ">host<", ">batch size<");
        assertThat(Files.readString(trace)).contains("\"traceEvents\"", "\"decode\"", "queue behind read");
    }

    @Test
    void whatEachStageReadsAddsUpToWhatStorageRead() throws Exception {
        Path json = folder.resolve("run.json");
        Path plan = Files.writeString(
                folder.resolve("plan.yaml"),
                "source: {images: {path: '" + dataset + "'}}\n"
                        + "steps: [{allocate-batch: {batch-size: 8}}, {read-image: null, io: 3}, "
                        + "{decode-image: null, cpu: 2}, {batch: 8}, stack-images]\n");
        for (List<String> what : List.of(List.of(dataset.toString(), "--size", "32"), List.of(plan.toString()))) {
            List<String> words = new ArrayList<>(List.of("run", "--no-progress", "--json", json.toString()));
            words.addAll(what);
            jspdl(words);

            assertThat(code).as(err).isZero();
            assertThat(out).contains("Cost of 1,000 items").containsPattern("read(-image)? .* MiB");
            Map<?, ?> report = (Map<?, ?>) requireNonNull(Json.parse(Files.readString(json)));
            long sizes = 0;
            try (Stream<Path> files = Files.walk(dataset)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".jpg")).toList()) {
                    sizes += Files.size(file);
                }
            }
            for (Object each : (List<?>) requireNonNull(report.get("stages"))) {
                Map<?, ?> stage = (Map<?, ?>) each;
                boolean reads = String.valueOf(stage.get("name")).startsWith("read");
                assertThat(stage.get("read_bytes")).as(stage.toString()).isEqualTo(reads ? sizes : 0L);
            }
        }
    }

    @Test
    void thePageNamesTheRequestsThatStallsWaitedFor() throws Exception {
        Path page = folder.resolve("report.html");
        Path json = folder.resolve("run.json");
        try (ObjectServer server = ObjectServer.start(Faults.latency(Duration.ofMillis(20)));
                Stream<Path> files = Files.walk(dataset)) {
            StringBuilder manifest = new StringBuilder("file,label\n");
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".jpg")).toList()) {
                server.put("/d/" + file.getFileName(), ObjectContent.of(Files.readAllBytes(file)));
                manifest.append(file.getFileName()).append(",1\n");
            }
            server.put("/d/train.csv", ObjectContent.of(manifest.toString().getBytes(StandardCharsets.UTF_8)));
            Path plan = Files.writeString(
                    folder.resolve("plan.yaml"),
                    "source: {images: {path: '" + server.url("/d/train.csv") + "'}}\n"
                            + "steps: [{allocate-batch: {batch-size: 8}}, {read-image: null, io: 1}, "
                            + "{decode-image: null, cpu: 2}, {batch: 8}, stack-images]\n");
            List<String> images =
                    List.of(server.url("/d/train.csv"), "--size", "32", "--batch-size", "4", "--workers", "1");
            for (List<String> what : List.of(images, List.of(plan.toString()))) {
                List<String> words = new ArrayList<>(List.of("run", "--no-progress"));
                words.addAll(List.of("--report", page.toString(), "--json", json.toString()));
                words.addAll(what);
                jspdl(words);

                assertThat(code).as(err).isZero();
                assertThat(Files.readString(page)).contains("(GET took ").contains(server.url("/d/"));
                assertThat(Files.readString(json)).contains("\"request\": \"GET of " + server.url("/d/"));
            }
        }
    }

    @Test
    void aRunWithoutACacheSaysWhatEachPlaceWouldGain() throws Exception {
        Path json = folder.resolve("run.json");

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--json", json.toString());
        assertThat(Files.readString(json))
                .contains("\"cache_advice\"", "\"encoded_in_memory\"", "\"encoded_on_disk\"")
                .contains("\"decoded_in_memory\"", "\"decoded_on_disk\"", "\"none\"");

        jspdl(
                "run",
                dataset.toString(),
                "--size",
                "32",
                "--crop",
                "random",
                "--no-progress",
                "--json",
                json.toString());
        assertThat(Files.readString(json)).contains("\"encoded_in_memory\"").doesNotContain("\"decoded_in_memory\"");

        jspdl(
                "run",
                dataset.toString(),
                "--size",
                "32",
                "--cache",
                "memory",
                "--no-progress",
                "--json",
                json.toString());
        assertThat(Files.readString(json)).doesNotContain("\"encoded_in_memory\"");
    }

    @Test
    void aFlightRecorderSeesReadsDecodingAndTheGrowthOfPools() throws Exception {
        Path file = folder.resolve("run.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jspdl.ImageDecode").with("throttle", "off");
            recording.enable("jspdl.StorageRead").with("throttle", "off");
            recording.enable("jspdl.PoolGrowth");
            recording.start();
            jspdl("run", dataset.toString(), "--size", "32", "--dtype", "uint8", "--no-progress");
            recording.stop();
            recording.dump(file);
        }

        Map<String, List<RecordedEvent>> events = RecordingFile.readAllEvents(file).stream()
                .collect(Collectors.groupingBy(event -> event.getEventType().getName()));
        assertThat(events.get("jspdl.ImageDecode")).hasSize(IMAGES).allSatisfy(decoded -> {
            assertThat(decoded.getInt("width")).isPositive();
            assertThat(decoded.getLong("decodedSize")).isEqualTo(32 * 32 * 3);
        });
        assertThat(events.get("jspdl.StorageRead"))
                .hasSizeGreaterThanOrEqualTo(IMAGES)
                .allSatisfy(read -> assertThat(read.getBoolean("failed")).isFalse());
        assertThat(events.get("jspdl.PoolGrowth"))
                .isNotEmpty()
                .allSatisfy(grown -> assertThat(grown.getLong("held")).isPositive());
    }

    @Test
    void aPageThatCanNotBeWrittenIsRefusedBeforeTheWork() {
        jspdl(
                "run",
                dataset.toString(),
                "--report",
                folder.resolve("none/report.html").toString());

        assertThat(code).isEqualTo(Main.UNUSABLE);
        assertThat(err).contains("--report cannot be written", "there is no such folder");
    }

    @Test
    void aProfileMeasuresEachStageAndRecommends() {
        jspdl("profile", dataset.toString(), "--size", "32", "--batch-size", "8", "--items", "50", "--levels", "1,2");

        assertThat(err).isEmpty();
        assertThat(code).isZero();
        assertThat(out).contains("Each stage of 'images' alone", "read", "decode", "Predicted throughput: ");
    }

    @Test
    void levelsThatAreNoNumbersAreRefused() {
        jspdl("profile", dataset.toString(), "--levels", "1,many");

        assertThat(code).isEqualTo(Main.UNUSABLE);
        assertThat(err).contains("--levels must be numbers from 1 to 1024", "'1,many'", "see jspdl profile --help");
    }
}
