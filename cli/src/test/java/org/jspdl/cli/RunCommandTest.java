package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspdl.cli.sample.SampleSet;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.archive.TarWriter;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Images;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The command as its user meets it, within this process, over 30 images.
class RunCommandTest {
    private static final int IMAGES = 30;

    @TempDir
    static Path pristine;

    @TempDir
    Path folder;

    private Path dataset;
    private int code;
    private String out = "";
    private String err = "";

    @BeforeAll
    static void makeTheSampleSet() throws Exception {
        new SampleSet(IMAGES, 1).write(pristine, 2, written -> {});
    }

    /// Hard links, which [#put] replaces by files of their own.
    @BeforeEach
    void linkTheSampleSet() throws Exception {
        dataset = folder.resolve("set");
        for (String name : SampleSet.CLASSES) {
            Path target = Files.createDirectories(dataset.resolve(name));
            try (Stream<Path> files = Files.list(pristine.resolve(name))) {
                for (Path file : files.toList()) {
                    Files.createLink(target.resolve(file.getFileName()), file);
                }
            }
        }
    }

    private void put(Path file, byte[] content) throws Exception {
        Files.delete(file);
        Files.write(file, content);
    }

    @Test
    void theReportSaysHowFastItWasAndWhatHeldItBack() {
        jspdl("run", dataset.toString(), "--size", "32", "--batch", "8", "--no-progress");

        assertThat(err).isEmpty();
        assertThat(code).isZero();
        assertThat(out)
                .contains(
                        "30 images of " + dataset,
                        "4 batches of 8, 32 x 32 uint8 nhwc",
                        "images per second",
                        "CPU per 1,000 images",
                        "first batch after",
                        "stage",
                        "read",
                        "decode",
                        "batch(8)",
                        "Limited by",
                        "What would help:");
        assertThat(out.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(400));
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
                tar.add(i + ".jpg", MemorySegment.ofArray(Files.readAllBytes(Path.of(files.location(i)))));
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
        assertThat(out).contains("images per second");
        assertThat(report)
                .contains("\"items\": 30,", "\"total_items\": 60,", "\"failures\": 0,", "\"interrupted\": false,");
        for (String key : documentedKeys()) {
            assertThat(report).contains("\"" + key + "\": ");
        }
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
        assertThat(out).contains("found in the cache", "50.0 % of 60 reads");
        jspdl(run);

        assertThat(out).contains(inMemory ? "50.0 % of 60 reads" : "100.0 % of 60 reads");
    }

    @ParameterizedTest
    @CsvSource({"--cache-size 5G, needs --cache", "--cache memory --cache-size 5X, must be a number of bytes"})
    void aCacheThatCannotBeIsRefused(String options, String reason) {
        List<String> line = new ArrayList<>(List.of("run", dataset.toString()));
        line.addAll(List.of(options.split(" ")));
        jspdl(line.toArray(String[]::new));

        assertThat(code).isEqualTo(2);
        assertThat(err).contains(reason);
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

        assertThat(out).startsWith("{").endsWith("}\n").doesNotContain("Limited by the processors\n");
    }

    @Test
    void theChecksumIsTheSameInAnyOrderAndWithAnyConcurrency() {
        List<String> checksums = new ArrayList<>();
        for (String options : List.of(
                "--concurrency 1", "--concurrency 8 --shuffle", "--order completion --concurrency 4 --batch 7")) {
            List<String> words =
                    new ArrayList<>(List.of("run", dataset.toString(), "--size", "32", "--json", "-", "--no-progress"));
            words.addAll(List.of(options.split(" ", -1)));
            jspdl(words.toArray(String[]::new));
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
        for (String options : List.of("--seed 1 --concurrency 1", "--seed 1 --concurrency 8", "--seed 2")) {
            List<String> words = new ArrayList<>(List.of("run", dataset.toString(), "--size", "32", "--json", "-"));
            words.addAll(List.of("--crop", "resized", "--mirror", "0.5", "--jitter", "0.4,0.4,0.4,0.1"));
            words.addAll(List.of(options.split(" ", -1)));
            jspdl(words.toArray(String[]::new));
            assertThat(out).contains("\"crop\": \"resized\"", "\"mirror\": 0.5");
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
        List<String> words = new ArrayList<>(List.of("run", dataset.toString(), "--size", "32", "--batch", "12"));
        words.addAll(List.of("--no-progress", "--preview", sheet.toString(), "--dtype"));
        words.addAll(List.of(type.split(" ", -1)));
        jspdl(words.toArray(String[]::new));

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

    enum Damage {
        EMPTY("the object is empty"),
        NOT_AN_IMAGE("format"),
        TRUNCATED(""),
        CORRUPT("");

        private final String reason;

        Damage(String reason) {
            this.reason = reason;
        }

        byte[] applyTo(byte[] file) {
            return switch (this) {
                case EMPTY -> new byte[0];
                case NOT_AN_IMAGE -> "just some text, and no picture at all".getBytes(StandardCharsets.UTF_8);
                case TRUNCATED -> Arrays.copyOf(file, file.length / 2);
                case CORRUPT -> corrupted(file);
            };
        }

        /// Nonsense in place of the tables behind the start of the file.
        private static byte[] corrupted(byte[] file) {
            byte[] damaged = file.clone();
            Arrays.fill(damaged, 20, 400, (byte) 0x5A);
            return damaged;
        }
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void aBadFileEndsTheRunWithItsPathAndTheReason(Damage damage) throws Exception {
        Path bad = damage(damage);

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress");

        assertThat(code).isEqualTo(1);
        assertThat(err.strip().lines()).hasSize(1);
        assertThat(err)
                .startsWith("jspdl: " + bad + ": ")
                .contains(damage.reason)
                .contains("--max-failures");
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void aBadFileIsSkippedAndListedWhenThatIsAllowed(Damage damage) throws Exception {
        Path bad = damage(damage);

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--max-failures", "1");

        assertThat(code).isZero();
        assertThat(out).contains("29 images of", "skipped files          1", "Skipped 1 file:", bad + ": ");

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--max-failures", "10%", "--json", "-");

        assertThat(out).contains("\"failures\": 1,", "\"path\": \"" + bad + "\"");
    }

    @Test
    void moreBadFilesThanAllowedEndTheRun() throws Exception {
        for (String name : List.of("bark/bark-0000.jpg", "coral/coral-0001.jpg", "reef/reef-0002.jpg")) {
            put(dataset.resolve(name), new byte[0]);
        }

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--max-failures", "2");

        assertThat(code).isEqualTo(1);
        assertThat(err).contains("3 items failed, more than the 2 allowed", "-000", ".jpg: the object is empty");
    }

    /// 3 of 30 files are 10 %; the decoder's calls and the reader's are not counted twice.
    @Test
    void aPercentageIsOfFilesAndHoldsForASmallDatasetToo() throws Exception {
        for (String name : List.of("bark/bark-0000.jpg", "coral/coral-0001.jpg", "reef/reef-0002.jpg")) {
            put(dataset.resolve(name), new byte[0]);
        }

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--max-failures", "10%");
        assertThat(code).isZero();
        assertThat(out).contains("Skipped 3 files:");

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--max-failures", "9%");
        assertThat(code).isEqualTo(1);
        assertThat(err).contains("3 of 30 items failed (10.0 %)");
    }

    private Path damage(Damage damage) throws Exception {
        Path bad = dataset.resolve("meadow/meadow-0001.jpg");
        put(bad, damage.applyTo(Files.readAllBytes(bad)));
        return bad;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--size 0~                   --size must be a whole number from 1 to 16,384 but was '0'",
                "--batch x~                  --batch must be a whole number",
                "--epochs 0~                 --epochs must be a whole number of at least 1 but was '0'",
                "--rank 2 --world-size 2~    --rank must be below --world-size (2) but was 2",
                "--layout hwc~               --layout must be nhwc or nchw but was 'hwc'",
                "--dtype int8~               --dtype must be uint8 or float32 or float16 or bfloat16 but was 'int8'",
                "--crop middle~              --crop must be center or random or resized but was 'middle'",
                "--crop resized --resize 40~ --resize cannot be given with --crop resized",
                "--normalize~                --normalize needs a floating-point --dtype",
                "--mirror 2~                 --mirror must be a probability from 0 to 1 but was '2'",
                "--jitter 0.4,0.4~           --jitter must be four numbers",
                "--preview /no/such/folder/x~ there is no such folder",
                "--order random~             --order must be completion or input",
                "--max-failures -1~          --max-failures must be",
                "--max-failures 0%~          --max-failures must be",
                "--max-failures 101%~        --max-failures must be",
                "--max-failures some~        --max-failures must be",
                "--concurrency 0~            --concurrency must be a whole number from 1",
                "--bacth 8~                  unknown option '--bacth'; did you mean --batch?",
                "--json /no/such/folder/x~   there is no such folder",
                "--world-size 31~            has 30 images, too few for a world size of 31"
            })
    void aWrongOptionIsExplainedInOneLine(String options, String message) {
        List<String> words = new ArrayList<>(List.of("run", dataset.toString()));
        words.addAll(List.of(options.split(" ", -1)));

        jspdl(words.toArray(String[]::new));

        assertThat(code).isEqualTo(2);
        assertThat(out).isEmpty();
        assertThat(err.strip().lines()).hasSize(1);
        assertThat(err).startsWith("jspdl: ").contains(message);
    }

    @Test
    void aMissingOrEmptyFolderIsNamed() throws Exception {
        jspdl("run", folder.resolve("absent").toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).isEqualTo("jspdl: there is no folder or file list at " + folder.resolve("absent") + "\n");

        jspdl("run", Files.createDirectory(folder.resolve("empty")).toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).contains(folder.resolve("empty") + " has no sub-folders");
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
                        "--mirror",
                        "--jitter",
                        "--normalize",
                        "--preview",
                        "--batch",
                        "--epochs",
                        "--shuffle",
                        "--seed",
                        "--rank",
                        "--world-size",
                        "--concurrency",
                        "--order",
                        "--max-failures",
                        "--json",
                        "--no-progress",
                        "Examples");
        assertThat(out.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void anUnknownCommandIsNamed() {
        jspdl("rnu");

        assertThat(code).isEqualTo(2);
        assertThat(err).contains("there is no command 'rnu'");
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

    private void jspdl(String... words) {
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new PrintStream(outBytes, true, StandardCharsets.UTF_8),
                new PrintStream(errBytes, true, StandardCharsets.UTF_8),
                false);
        code = Main.execute(List.of(words), terminal, Map.of());
        out = outBytes.toString(StandardCharsets.UTF_8);
        err = errBytes.toString(StandardCharsets.UTF_8);
    }
}
