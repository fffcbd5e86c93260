package org.jspdl.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.data.storage.Storage;
import org.jspdl.json.Json;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Images;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The command as its user meets it, within this process, over 30 images.
class RunCommandTest extends CommandTest {
    private static final int IMAGES = 30;

    @TempDir
    static Path dataset;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeTheSampleSet() throws Exception {
        new SampleSet(IMAGES, 1).write(dataset, 2, written -> {});
    }

    @Test
    void aRunThatReadsMoreThanItsBaselineFails() throws Exception {
        Path old = folder.resolve("old.json");
        jspdl(List.of("run", dataset, "--size", "32", "--batch-size", "8", "--no-progress", "--json", old));
        assertThat(code).isZero();

        jspdl(List.of("run", dataset, "--size", "32", "--batch-size", "8", "--no-progress", "--baseline", old));
        assertThat(err).doesNotContain("bytes read").contains("nothing that was compared is worse than in " + old);
        assertThat(code).isZero();

        // The baseline had fewer digits to read.
        String read = Files.readString(old).replaceFirst("(\"damaged\": 0,\\s+\"bytes\": \\d+)\\d", "$1");
        Files.writeString(old, read);
        jspdl(List.of("run", dataset, "--size", "32", "--batch-size", "8", "--no-progress", "--baseline", old));
        assertThat(code).isEqualTo(3);
        assertThat(err).contains("jspdl: worse than the baseline: bytes read: ");

        jspdl(List.of("run", dataset, "--size", "32", "--batch-size", "4", "--no-progress", "--baseline", old));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("the runs can't be compared");
    }

    @Test
    void aBaselineThatIsNoReportIsToldBeforeTheRun() throws Exception {
        Path binary = Files.write(folder.resolve("picture.jpg"), new byte[] {(byte) 0xff, (byte) 0xd8});
        Map<Path, String> wrong = Map.of(
                dataset,
                "is no report of 'jspdl run --json': it is a folder",
                binary,
                "is no report of 'jspdl run --json': it is not text in UTF-8",
                folder.resolve("none.json"),
                "none.json: the file does not exist");
        wrong.forEach((file, message) -> {
            jspdl(List.of("run", dataset, "--baseline", file));
            assertThat(code).isEqualTo(2);
            assertThat(out).isEmpty();
            assertThat(err).startsWith("jspdl: --baseline").contains(file.toString(), message);
        });
    }

    @Test
    void aPipeWithoutAWriterIsNoInput() throws Exception {
        Path pipe = folder.resolve("pipe");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();

        for (String option : List.of("--baseline", "--skip-list")) {
            jspdl("run", dataset.toString(), option, pipe.toString());
            assertThat(code).isEqualTo(2);
            assertThat(err).contains(pipe.toString(), "it is no file but a pipe, a socket or a device");
        }
    }

    @Test
    void theReportHasTheThroughputAndTheBottleneck() {
        jspdl("run", dataset.toString(), "--size", "32", "--batch-size", "8", "--no-progress");

        assertThat(err).isEmpty();
        assertThat(code).isZero();
        assertThat(out)
                .contains(
                        "30 images of " + dataset,
                        "4 batches of 8, 32 x 32 float32 nchw",
                        "images/s",
                        "CPU per 1,000 images",
                        "time to first batch",
                        "stage",
                        "read",
                        "decode",
                        "batch(8)",
                        "Bottleneck: ",
                        "what would help");
        assertThat(out.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(400));
    }

    @Test
    void theNameOfTheDecoderInTheReportIsTakenAsAnOption() {
        for (String jpeg : List.of("java", "best")) {
            jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--jpeg", jpeg);

            assertThat(code).isZero();
            assertThat(out).contains("decoded by java");
        }
    }

    @Test
    void theFirstOfSeveralEpochsIsToldApartAsTheWarmUp() {
        List<String> run = List.of("run", dataset.toString(), "--size", "32", "--no-progress");
        jspdl(run);
        assertThat(out).doesNotContain("warm-up");

        jspdl(Stream.concat(run.stream(), Stream.of("--epochs", "2")).toList());

        assertThat(out)
                .contains("(epoch 2 of 2)")
                .containsPattern("warm-up +[0-9,.]+ images/s, [0-9.]+ s of CPU per 1,000   \\(epoch 1, ");
    }

    @Test
    void whatToExpectIsSaidBeforeTheStartAndComparedAfterwards() throws Exception {
        Path json = folder.resolve("run.json");
        jspdl(List.of(
                "run",
                dataset,
                "--size",
                "32",
                "--batch-size",
                "8",
                "--cache",
                "memory",
                "--explain",
                "--no-progress",
                "--json",
                json));

        assertThat(code).isZero();
        assertThat(out.indexOf("What will run")).isZero();
        assertThat(out)
                .contains("queue behind it", "  decode           cpu", "in input order", "to the consumer")
                .containsPattern("cache +1,024\\.0 MiB")
                .contains("Where the data comes from")
                .containsPattern("kept in +memory outside the heap, for this run alone: at most 1,024\\.0 MiB")
                .containsPattern("batches +\\S+ MiB +\\d+ of 0\\.1 MiB if all queues are full")
                .containsPattern("Throughput: \\S+ \\+- \\S+ images/s, from \\S+ images of yours in ")
                .containsPattern("memory +\\S+ MiB +\\(at most \\S+ MiB, in fact ");
        assertThat(out.indexOf("Throughput: ")).isLessThan(out.indexOf("30 images of "));
        Map<?, ?> report = (Map<?, ?>) requireNonNull(Json.parse(Files.readString(json)));
        Map<?, ?> predicted = (Map<?, ?>) requireNonNull(report.get("prediction"));
        assertThat(((Number) requireNonNull(predicted.get("probe_items"))).longValue())
                .isGreaterThan(IMAGES);
        assertThat(((Number) requireNonNull(predicted.get("memory_bytes"))).longValue())
                .isGreaterThan(((Number) requireNonNull(report.get("peak_rss_bytes"))).longValue());
        // What was read for the prediction is not of the run.
        assertThat(((Number) requireNonNull(((Map<?, ?>) requireNonNull(report.get("cache"))).get("misses")))
                        .longValue())
                .isEqualTo(IMAGES);
    }

    @Test
    void aRunThatTunesItselfDeliversTheSame() {
        String[] run = {
            "run",
            dataset.toString(),
            "--size",
            "32",
            "--epochs",
            "3",
            "--shuffle",
            "--flip",
            "0.5",
            "--json",
            "-",
            "--no-progress",
            "--workers",
            "auto"
        };
        jspdl(run);
        assertThat(code).as(err).isZero();
        assertThat(out).contains("\"workers\": \"auto\"").contains("\"tuning\"");
        String tuned = checksum(out);
        run[run.length - 1] = "2";
        jspdl(run);
        assertThat(checksum(out)).isEqualTo(tuned);

        run[run.length - 1] = "some";
        jspdl(run);
        assertThat(err).contains("--workers must be a whole number from 1 to 1,024");
    }

    @Test
    void imagesInShardsAreLoadedAsThoseInFiles() throws Exception {
        jspdl("run", dataset.toString(), "--size", "32", "--order", "input", "--json", "-", "--no-progress");
        String fromFiles = checksum(out);
        Path shard = folder.resolve("train-000.tar");
        try (Storage storage = Storage.open();
                TarWriter tar = TarWriter.create(shard)) {
            LabeledFiles files = LabeledFiles.open(storage, dataset.toString());
            for (int i = 0; i < files.size(); i++) {
                byte[] label = String.valueOf(files.label(i)).getBytes(StandardCharsets.UTF_8);
                tar.add(
                        i + ".jpg",
                        MemorySegment.ofArray(
                                Files.readAllBytes(files.location(i).path())));
                tar.add(i + ".cls", MemorySegment.ofArray(label));
            }
        }

        jspdl("run", shard.toString(), "--size", "32", "--epochs", "2", "--json", "-", "--no-progress");

        assertThat(err).isEmpty();
        assertThat(out).contains("\"total_items\": 60,");
        jspdl("run", shard.toString(), "--size", "32", "--json", "-", "--no-progress");
        assertThat(checksum(out)).isEqualTo(fromFiles);
        jspdl("run", shard.toString(), "--size", "32", "--shuffle", "--json", "-", "--no-progress");
        assertThat(out).contains("\"total_items\": 30,");
    }

    private static String checksum(String report) {
        return report.lines()
                .filter(line -> line.contains("checksum"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theJsonHasTheDocumentedKeys() throws Exception {
        Path json = folder.resolve("report.json");
        jspdl("run", dataset.toString(), "--size", "32", "--epochs", "2", "--json", json.toString(), "--no-progress");

        String report = Files.readString(json);
        assertThat(code).isZero();
        assertThat(out).contains("images/s");
        assertThat(report)
                .contains("\"items\": 30,", "\"total_items\": 60,", "\"failures\": 0,", "\"interrupted\": false,");
        for (String key : documentedKeys()) {
            assertThat(report).contains("\"" + key + "\": ");
        }
        Map<?, ?> keys = (Map<?, ?>) requireNonNull(Json.parse(report)); // which refuses a key that is there twice
        String documents = Files.readString(Repository.root().resolve("docs/reference/run.md"))
                + Files.readString(Repository.root().resolve("docs/reference/report.md"));
        assertThat(keys.keySet()).allSatisfy(key -> assertThat(documents).contains("`" + key + "`"));
        for (String part : List.of("process", "series")) {
            assertThat(((Map<?, ?>) requireNonNull(keys.get(part))).keySet())
                    .allSatisfy(key -> assertThat(documents).contains("`" + key + "`"));
        }
        for (String part : List.of("diagnosis", "stages", "queues")) {
            assertThat(((Map<?, ?>) ((List<?>) requireNonNull(keys.get(part))).getFirst()).keySet())
                    .allSatisfy(key -> assertThat(documents).contains("`" + key + "`"));
        }
    }

    @Test
    void theJsonSaysWhenTheFirstHundredImagesWereThere() {
        jspdl("run", dataset.toString(), "--size", "32", "--epochs", "4", "--json", "-", "--no-progress");

        assertThat(code).isZero();
        Map<?, ?> report = (Map<?, ?>) requireNonNull(Json.parse(out));
        List<?> times = (List<?>) requireNonNull(report.get("time_to_items"));
        assertThat(times).hasSize(1).first().satisfies(time -> {
            Map<?, ?> first = (Map<?, ?>) time;
            assertThat(((Number) requireNonNull(first.get("items"))).longValue())
                    .isEqualTo(100);
            assertThat(((Number) requireNonNull(first.get("seconds"))).doubleValue())
                    .isPositive();
            assertThat(((Number) requireNonNull(first.get("cpu_seconds"))).doubleValue())
                    .isPositive();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCacheIsFilledByOneEpochAndFoundByTheNext(boolean inMemory) throws Exception {
        String cache = inMemory ? "memory" : folder.resolve("cache").toString();
        String[] run = {
            "run", dataset.toString(), "--size", "32", "--epochs", "2", "--shuffle", "--no-progress", "--cache", cache
        };
        jspdl(run);

        assertThat(err).isEmpty();
        assertThat(out).contains("cache hits", "50.0 % of 60 reads");
        jspdl(run);

        assertThat(out).contains(inMemory ? "50.0 % of 60 reads" : "100.0 % of 60 reads");
    }

    @ParameterizedTest
    @CsvSource({"--cache-size 5G, needs --cache", "--cache memory --cache-size 5X, must be a number of bytes"})
    void aCacheThatCannotBeIsRefused(String options, String reason) {
        List<String> line = new ArrayList<>(List.of("run", dataset.toString()));
        line.addAll(List.of(options.split(" ")));
        jspdl(line);

        assertThat(code).isEqualTo(2);
        assertThat(err).contains(reason);
    }

    @Test
    void aCacheInTheDatasetIsRefusedBeforeItIsMade() {
        jspdl(List.of("run", dataset, "--cache", dataset.resolve("kept")));

        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--cache must be outside of the dataset, or what is written would be read as part");
        assertThat(dataset.resolve("kept")).doesNotExist();
    }

    /// The keys in the tables of the reference: the first word of each row, in backticks.
    private static List<String> documentedKeys() throws Exception {
        Path reference = Repository.root().resolve("docs/reference/run.md");
        List<String> keys = Files.readAllLines(reference).stream()
                .filter(line -> line.startsWith("| `") && line.contains("JSON") == false)
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .filter(key -> key.matches("[a-z0-9_]+"))
                .toList();
        assertThat(keys)
                .contains(
                        "items",
                        "items_per_second",
                        "cpu_seconds_per_1000_items",
                        "first_batch_seconds",
                        "peak_rss_bytes",
                        "failures");
        return keys;
    }

    @Test
    void aDashWritesTheJsonInsteadOfTheReport() {
        jspdl("run", dataset.toString(), "--size", "32", "--json", "-", "--no-progress");

        assertThat(out).startsWith("{").endsWith("}\n").doesNotContain("Bottleneck: ");
    }

    @Test
    void theChecksumIsTheSameInAnyOrderAndWithAnyConcurrency() {
        List<String> checksums = new ArrayList<>();
        for (String options :
                List.of("--workers 1", "--workers 8 --shuffle", "--order completion --workers 4 --batch-size 7")) {
            List<String> words =
                    new ArrayList<>(List.of("run", dataset.toString(), "--size", "32", "--json", "-", "--no-progress"));
            words.addAll(List.of(options.split(" ", -1)));
            jspdl(words);
            checksums.add(out.lines()
                    .filter(line -> line.contains("checksum"))
                    .findFirst()
                    .orElseThrow());
        }

        assertThat(checksums.stream().distinct()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"nhwc, uint8", "nchw, uint8", "nhwc, float32", "nchw, float32"})
    void layoutsAndElementTypesAreAccepted(String layout, String dtype) {
        jspdl("run", dataset.toString(), "--size", "24", "--layout", layout, "--dtype", dtype, "--no-progress");

        assertThat(err).isEmpty();
        assertThat(out).contains("24 x 24 " + dtype + " " + layout);
    }

    @Test
    void randomImagesAreTheSameForTheSameSeedAndNoOther() {
        List<String> checksums = new ArrayList<>();
        for (String options : List.of("--seed 1 --workers 1", "--seed 1 --workers 8", "--seed 2")) {
            List<String> words = new ArrayList<>(List.of("run", dataset.toString(), "--size", "32", "--json", "-"));
            words.addAll(
                    List.of("--crop", "random-resized-crop", "--flip", "0.5", "--color-jitter", "0.4,0.4,0.4,0.1"));
            words.addAll(List.of(options.split(" ", -1)));
            jspdl(words);
            assertThat(out).contains("\"crop\": \"random-resized-crop\"", "\"flip\": 0.5");
            checksums.add(out.lines()
                    .filter(line -> line.contains("checksum"))
                    .findFirst()
                    .orElseThrow());
        }

        assertThat(checksums.get(1)).isEqualTo(checksums.get(0));
        assertThat(checksums.get(2)).isNotEqualTo(checksums.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"uint8", "float16 --normalize"})
    void thePreviewShowsTheFirstBatch(String type) throws Exception {
        Path sheet = folder.resolve("sheet.png");
        List<String> words = new ArrayList<>(List.of("run", dataset.toString(), "--size", "32", "--batch-size", "12"));
        words.addAll(List.of("--no-progress", "--preview", sheet.toString(), "--dtype"));
        words.addAll(List.of(type.split(" ", -1)));
        jspdl(words);

        assertThat(err).isEmpty();
        try (Tensor picture = Images.load(sheet, ImageSpec.original());
                Tensor first = Images.load(
                        dataset.resolve("bark/bark-0000.jpg"),
                        ImageSpec.shorterSide(37).centerCrop(32, 32))) {
            assertThat(picture.shape()).isEqualTo(Shape.of(2 + 2 * 34, 2 + 8 * 34, 3));
            for (int y = 0; y < 32; y++) {
                MemorySegment drawn = picture.segment().asSlice(((2L + y) * 274 + 2) * 3, 96);
                assertThat(drawn.mismatch(first.segment().asSlice(y * 96L, 96)))
                        .as("row %s", y)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void theHelpNamesEveryOption() {
        jspdl("run", "--help");

        assertThat(code).isZero();
        assertThat(out)
                .contains(
                        "--size",
                        "--resize",
                        "--layout",
                        "--dtype",
                        "--crop",
                        "--flip",
                        "--color-jitter",
                        "--normalize",
                        "--preview",
                        "--batch-size",
                        "--epochs",
                        "--shuffle",
                        "--seed",
                        "--rank",
                        "--world-size",
                        "--workers",
                        "--order",
                        "--max-failures",
                        "--json",
                        "--no-progress",
                        "Examples");
        assertThat(out.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void theSampleSetIsMadeWhereItIsAskedForAndOnlyOnce() {
        Path target = folder.resolve("my samples");

        jspdl("sample", target.toString(), "--images", "10");
        assertThat(code).isZero();
        assertThat(out).isEqualTo(target + "\n");
        assertThat(err).contains("10 images");

        jspdl("sample", target.toString(), "--images", "10");
        assertThat(err).isEmpty();

        jspdl("sample", target.toString(), "--images", "11");
        assertThat(code).isEqualTo(1);
        assertThat(err).contains("holds other files");
    }
}
