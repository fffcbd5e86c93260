package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import javax.imageio.ImageIO;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.json.Json;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.record.SkipList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `jspdl batch` after `jspdl run --record`, over 20 images in batches of 6.
class BatchCommandTest extends CommandTest {
    @TempDir
    Path folder;

    private Path plan(String decode) throws Exception {
        new SampleSet(20, 1).write(folder.resolve("images"), 2, written -> {});
        return Files.writeString(folder.resolve("plan.yaml"), """
                source: {images: {path: images, shuffle: true, seed: 7}}
                steps:
                  - allocate-batch: {batch-size: 6, size: 32, crop: random-resized-crop}
                  - read-image
                  - {decode-image: {}, %s}
                  - batch: 6
                  - stack-images
                epochs: 2
                """.formatted(decode));
    }

    private static String checksum(ImageBatch batch) {
        CRC32C sum = new CRC32C();
        sum.update(batch.images().segment().asByteBuffer());
        return String.format(Locale.ROOT, "%08x", sum.getValue());
    }

    @Test
    void everyBatchOfARecordedRunIsBuiltAgainToTheBit() throws Exception {
        Path plan = plan("cpu: 2, order: input");
        List<String> checksums = new ArrayList<>();
        try (CompiledPlan compiled = Plan.read(plan).compile(Operations.installed(), PlanContext.in(folder));
                Run<?> run = compiled.start()) {
            do {
                run.forEach(item -> {
                    try (ImageBatch batch = (ImageBatch) item) {
                        checksums.add(checksum(batch));
                    }
                });
            } while (run.nextEpoch());
        }
        String record = folder.resolve("record").toString();
        jspdl("run", plan.toString(), "--record", record, "--no-progress");
        assertThat(err).isEmpty();

        assertThat(checksums).hasSize(8).doesNotHaveDuplicates();
        for (int step = 0; step < checksums.size(); step++) {
            jspdl("batch", "--run", record, "--step", Integer.toString(step), "--json");
            assertThat(err).isEmpty();
            Map<?, ?> batch = (Map<?, ?>) Objects.requireNonNull(Json.parse(out));
            assertThat(batch.get("crc32c")).isEqualTo(Map.of("image", checksums.get(step)));
            assertThat(batch.get("epoch")).isEqualTo(step / 4L);
        }
        jspdl("batch", "--run", record, "--step", "1", "--inspect");
        assertThat(code).isZero();
        assertThat(out)
                .startsWith("step 1 of rank 0, in epoch 0\nbuilt at once\n")
                .contains("the same as in the run")
                .contains("sample 5: label ")
                .containsPattern("/images/.*\\.(jpg|png|webp), index \\d+, bytes [0-9,]+, box \\d+x\\d+\\+");
    }

    @Test
    void inspectingABatchOfATarSaysWhichBytesOfItEachSampleIs() throws Exception {
        String plan = Files.readString(plan("cpu: 2, order: input"));
        Path shards = folder.resolve("shards");
        jspdl("pack", folder.resolve("images").toString(), "--to", shards.toString());
        assertThat(code).as(err).isZero();
        Files.writeString(folder.resolve("tar.yaml"), plan.replace("path: images", "path: shards"));
        String record = folder.resolve("record").toString();
        jspdl("run", folder.resolve("tar.yaml").toString(), "--record", record, "--no-progress");
        jspdl("batch", "--run", record, "--step", "1", "--inspect");
        assertThat(code).as(err).isZero();

        Matcher sample = Pattern.compile("/([^/ ]+\\.tar)/(\\S+?),? .*range (\\d+)-(\\d+)")
                .matcher(out);
        int found = 0;
        for (; sample.find(); found++) {
            byte[] tar = Files.readAllBytes(shards.resolve(sample.group(1)));
            int begin = Integer.parseInt(sample.group(3));
            assertThat(Integer.parseInt(sample.group(4))).isBetween(begin + 1, tar.length);
            assertThat(new String(tar, begin, 100, StandardCharsets.ISO_8859_1)).startsWith(sample.group(2));
        }
        assertThat(found).as(out).isEqualTo(6);
    }

    /// The files of the samples of step `step`, by what `--json` says.
    private List<Path> files(String record, int step) throws Exception {
        jspdl("batch", "--run", record, "--step", Integer.toString(step), "--json");
        assertThat(err).isEmpty();
        Map<?, ?> batch = (Map<?, ?>) Objects.requireNonNull(Json.parse(out));
        assertThat(batch.get("compared")).isEqualTo(true);
        return ((List<?>) Objects.requireNonNull(batch.get("origins")))
                .stream()
                        .map(origin -> Path.of(String.valueOf(((Map<?, ?>) origin).get("file"))))
                        .toList();
    }

    @Test
    void aFileThatWasReplacedSinceIsNamed() throws Exception {
        String record = folder.resolve("record").toString();
        jspdl("run", plan("cpu: 2, order: input").toString(), "--record", record, "--no-progress");
        List<Path> files = files(record, 1);
        Path replaced = files.get(3);
        FileTime before = Files.getLastModifiedTime(replaced);
        byte[] was = Files.readAllBytes(replaced);
        Files.write(replaced, Files.readAllBytes(files.get(0)));

        jspdl("batch", "--run", record, "--step", "1");
        assertThat(code).isEqualTo(1);
        assertThat(err)
                .contains("sample 3 of 6 (" + replaced + ") is another")
                .contains(replaced + " was changed on ")
                .contains("has %,d bytes now".formatted(Files.size(replaced)));

        Files.setLastModifiedTime(replaced, FileTime.fromMillis(before.toMillis() - 1_000_000));
        jspdl("batch", "--run", record, "--step", "1");
        assertThat(code).isEqualTo(1);
        assertThat(err).contains("sample 3 of 6 (" + replaced + ") is another").contains("has an older time");

        Files.write(replaced, was);
        assertThat(files(record, 1)).isEqualTo(files);
        Files.write(files.get(0), Files.readAllBytes(files.get(1)));
        Files.write(files.get(5), Files.readAllBytes(files.get(2)));
        jspdl("batch", "--run", record, "--step", "1");
        assertThat(err)
                .contains("several of its samples are others")
                .contains(files.get(0) + " was changed on ")
                .contains(files.get(5) + " was changed on ");
    }

    @Test
    void aBatchIsDrawnAndItsStepLeftOutOfALaterRun() throws Exception {
        Path plan = plan("cpu: 2, order: input");
        String record = folder.resolve("record").toString();
        String second = folder.resolve("second").toString();
        String list = folder.resolve("bad.txt").toString();
        Path sheet = folder.resolve("sheet.png");
        jspdl("run", plan.toString(), "--record", record, "--no-progress");
        jspdl("batch", "--run", record, "--step", "3", "--json");
        String before = out;

        jspdl("batch", "--run", record, "--step", "2", "--sheet", sheet.toString(), "--skip", list);
        assertThat(err).isEmpty();
        BufferedImage picture = Objects.requireNonNull(ImageIO.read(sheet.toFile()));
        assertThat(List.of(picture.getWidth(), picture.getHeight())).isEqualTo(List.of(206, 36)); // six in a row
        assertThat(Files.readString(Path.of(list))).isEqualTo("2 # rank 0 of record\n");

        jspdl("run", plan.toString(), "--record", second, "--skip-list", list, "--no-progress");
        assertThat(err).isEmpty();
        jspdl("batch", "--run", second, "--step", "3", "--json");
        assertThat(out).isEqualTo(before);
        jspdl("batch", "--run", second, "--step", "2");
        assertThat(out).contains("which left it out");
        jspdl("run", plan.toString(), "--skip-list", plan.toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--skip-list").contains("line 1");
    }

    @Test
    void samplesAreLeftOutOfALaterRunAndAllOthersStayWhereTheyWere() throws Exception {
        Path plan = plan("cpu: 2, order: input");
        String record = folder.resolve("record").toString();
        String second = folder.resolve("second").toString();
        String list = folder.resolve("bad.txt").toString();
        jspdl("run", plan.toString(), "--record", record, "--no-progress");
        jspdl("batch", "--run", record, "--step", "1", "--skip", list, "--samples", "0,5");
        assertThat(code).as(err).isZero();
        List<List<Path>> before = new ArrayList<>();
        for (int step = 0; step < 8; step++) {
            before.add(files(record, step));
        }
        List<Path> bad = List.of(before.get(1).get(0), before.get(1).get(5));
        assertThat(Files.readString(Path.of(list)))
                .isEqualTo(
                        "sample \"%s\" # of step 1 of rank 0 of record\nsample \"%s\" # of step 1 of rank 0 of record\n"
                                .formatted(bad.get(0), bad.get(1)));

        jspdl("run", plan.toString(), "--record", second, "--skip-list", list, "--no-progress");
        assertThat(code).as(err).isZero();
        SkipList.add(Path.of(list), before.get(2).get(2).toString(), "later, which the record does not care about");
        for (int step = 0; step < 8; step++) {
            List<Path> after = files(second, step); // compares it with the record
            assertThat(after).hasSameSizeAs(before.get(step)).doesNotContainAnyElementsOf(bad);
            for (int i = 0; i < after.size(); i++) {
                if (!bad.contains(before.get(step).get(i))) {
                    assertThat(after.get(i)).isEqualTo(before.get(step).get(i));
                }
            }
        }
        String listed = Files.readString(plan).replace("shuffle: true", "skip: bad.txt, shuffle: true");
        Path third = Files.writeString(folder.resolve("third.yaml"), listed);
        String own = folder.resolve("own").toString();
        jspdl("run", third.toString(), "--record", own, "--no-progress");
        assertThat(code).as(err).isZero();
        Files.writeString(Path.of(list), "");
        assertThat(files(own, 2)).doesNotContain(before.get(2).get(2)).doesNotContainAnyElementsOf(bad);
    }

    @Test
    void samplesThatCannotBeLeftOutAreRefusedByName() throws Exception {
        String plan = plan("cpu: 2, order: input").toString();
        String record = folder.resolve("record").toString();
        String list = folder.resolve("bad.txt").toString();
        jspdl("run", plan, "--record", record, "--no-progress");
        jspdl("batch", "--run", record, "--step", "1", "--samples", "0");
        assertThat(code).isEqualTo(2);
        for (String wrong : List.of("6", "-1", "x", "1,", "99999999999")) {
            jspdl("batch", "--run", record, "--step", "1", "--skip", list, "--samples", wrong);
            assertThat(code).as(wrong).isEqualTo(2);
            assertThat(err).as(wrong).contains("which are 0 to 5");
        }
        assertThat(Path.of(list)).doesNotExist();

        SkipList.add(Path.of(list), "elsewhere.jpg", "a guess");
        jspdl("run", plan, "--skip-list", list, "--no-progress");
        assertThat(code).isNotZero();
        assertThat(err).contains("no source has the sample 'elsewhere.jpg'");

        String text = Files.readString(Path.of(plan));
        Path own = folder.resolve("own.yaml");
        Files.writeString(own, text.replace("shuffle: true", "skip: bad.txt, shuffle: true"));
        jspdl("run", own.toString(), "--no-progress");
        assertThat(err).contains("the sample 'elsewhere.jpg' that is to be left out is not there");
        SkipList.add(Path.of(list), 5, "a step");
        jspdl("run", own.toString(), "--no-progress");
        assertThat(err).contains("also lists steps, such as 5");
        Files.delete(Path.of(list));
        SkipList.add(Path.of(list), files(record, 0).getFirst().toString(), "there");
        Files.writeString(own, text.replace("shuffle: true", "skip: bad.txt, even: uneven, shuffle: true"));
        jspdl("run", own.toString(), "--no-progress");
        assertThat(err).contains("each sample comes exactly once");
    }

    /// The names of the samples of all steps from 0 on, by what `--json` says.
    private List<String> names(String record, int steps) throws Exception {
        List<String> names = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            jspdl("batch", "--run", record, "--step", Integer.toString(step), "--json");
            assertThat(err).isEmpty();
            Map<?, ?> batch = (Map<?, ?>) Objects.requireNonNull(Json.parse(out));
            for (Object origin : (List<?>) Objects.requireNonNull(batch.get("origins"))) {
                names.add(String.valueOf(((Map<?, ?>) origin).get("name")));
            }
        }
        return names;
    }

    @Test
    void samplesOfShardsAreLeftOutToo() throws Exception {
        String plan = Files.readString(plan("cpu: 2, order: input"));
        jspdl(
                "pack",
                folder.resolve("images").toString(),
                "--to",
                folder.resolve("shards").toString());
        Path shards = Files.writeString(folder.resolve("shards.yaml"), plan.replace("path: images", "path: shards"));
        String record = folder.resolve("record").toString();
        String second = folder.resolve("second").toString();
        String list = folder.resolve("bad.txt").toString();
        jspdl("run", shards.toString(), "--record", record, "--no-progress");
        jspdl("batch", "--run", record, "--step", "1", "--skip", list, "--samples", "2");
        assertThat(code).as(err).isZero();
        List<String> before = names(record, 4);
        assertThat(before).hasSize(20).doesNotHaveDuplicates();

        jspdl("run", shards.toString(), "--record", second, "--skip-list", list, "--no-progress");
        assertThat(code).as(err).isZero();
        List<String> expected = new ArrayList<>(before);
        expected.remove(6 + 2);
        assertThat(names(second, 4)).containsExactlyInAnyOrderElementsOf(expected);

        String shard = before.getFirst().substring(0, before.getFirst().lastIndexOf(".tar/") + 5);
        SkipList.add(Path.of(list), shard + "no such key", "a guess");
        jspdl("run", shards.toString(), "--skip-list", list, "--no-progress");
        assertThat(code).isNotZero();
        assertThat(err).contains("no such key' that is to be left out is not there");
    }

    @Test
    void aFolderWithOtherFilesIsRefused() throws Exception {
        String record = folder.resolve("record").toString();
        jspdl("run", plan("cpu: 2, order: input").toString(), "--record", record, "--no-progress");
        Path one = files(record, 0).get(2);
        Files.move(one, one.resolveSibling("renamed.jpg"));

        jspdl("batch", "--run", record, "--step", "1");
        assertThat(code).isEqualTo(1);
        assertThat(err).contains("the data is another").contains("20 files with the names");
        Files.delete(one.resolveSibling("renamed.jpg"));
        jspdl("batch", "--run", record, "--step", "1");
        assertThat(code).isEqualTo(1);
        assertThat(err).contains("20 files with the names").contains("19 files with the names");
    }

    @Test
    void aStepThatTheRunNeverHadIsRefused() throws Exception {
        String record = folder.resolve("record").toString();
        jspdl("run", plan("cpu: 2, order: input").toString(), "--record", record, "--no-progress");

        for (String step : List.of("8", "100")) {
            jspdl("batch", "--run", record, "--step", step);
            assertThat(code).as(step).isEqualTo(1);
            assertThat(err).as(step).contains("the run has ended before that step");
        }
    }

    @Test
    void everyBatchThatTimePutTogetherIsBuiltAgainToo() throws Exception {
        Path plan = plan("cpu: 4, order: completion");
        String record = folder.resolve("record").toString();
        jspdl("run", plan.toString(), "--record", record, "--no-progress");
        assertThat(err).isEmpty();

        for (int step = 0; step < 8; step++) {
            jspdl(
                    "batch",
                    "--run",
                    record,
                    "--step",
                    Integer.toString(step),
                    "--inspect"); // compares it with the record
            assertThat(err).as("step %d", step).isEmpty();
            assertThat(code).isZero();
        }
    }

    /// Three pictures were damaged when the run came to them.
    @ParameterizedTest
    @ValueSource(strings = {"input", "completion"})
    void whatTheRunSkippedIsLeftOutWhateverCanBeReadSince(String order) throws Exception {
        new SampleSet(20, 1).write(folder.resolve("images"), 2, written -> {});
        Path plan = Files.writeString(folder.resolve("plan.yaml"), """
                source: {files: {path: images, shuffle: true, seed: 7}}
                steps:
                  - {load-image: {size: 32, crop: random-resized-crop}, cpu: 2, order: %s}
                  - batch: 6
                  - collate
                epochs: 2
                failure: {max-failures: 20}
                """.formatted(order));
        List<Path> all = pictures();
        Map<Path, byte[]> broken = new LinkedHashMap<>();
        for (int at : List.of(2, 9, 17)) {
            broken.put(all.get(at), Files.readAllBytes(all.get(at)));
            Files.writeString(all.get(at), "no picture");
        }
        String record = folder.resolve("record").toString();
        jspdl("run", plan.toString(), "--record", record, "--no-progress");
        assertThat(code).as(err).isZero();

        Map<String, List<Path>> then = batches(record);
        List<Path> had = new ArrayList<>(all);
        had.removeAll(broken.keySet());
        had.addAll(List.copyOf(had)); // in two epochs
        assertThat(then.values().stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(had);
        for (var each : broken.entrySet()) {
            Files.write(each.getKey(), each.getValue());
        }
        assertThat(batches(record)).isEqualTo(then);

        Path other = files(record, 1).get(3);
        Files.writeString(other, "no picture");
        jspdl("batch", "--run", record, "--step", "1");
        assertThat(code).isEqualTo(1);
        assertThat(err).contains(other.getFileName().toString());
    }

    private List<Path> pictures() throws Exception {
        try (Stream<Path> files = Files.walk(folder.resolve("images"))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /// The files of each of the six batches, which are compared with the record, by number and checksum.
    private Map<String, List<Path>> batches(String record) throws Exception {
        Map<String, List<Path>> batches = new LinkedHashMap<>();
        for (int step = 0; step < 6; step++) {
            List<Path> files = files(record, step);
            batches.put(step + " " + ((Map<?, ?>) Objects.requireNonNull(Json.parse(out))).get("crc32c"), files);
        }
        return batches;
    }

    @Test
    void aBatchThatCannotBeTheSameIsRefusedWithTheReason() throws Exception {
        Path plan = plan("cpu: 2, order: completion");
        String record = folder.resolve("record").toString();
        jspdl("run", plan.toString(), "--record", record, "--no-progress");
        jspdl("batch", "--run", record, "--step", "1");

        assertThat(code).isZero(); // its members are in the record
        Files.delete(folder.resolve("record").resolve("rank-0.members"));
        jspdl("batch", "--run", record, "--step", "1");
        assertThat(code).isEqualTo(1);
        assertThat(err).contains("stage 'decode-image' delivers in completion order");
        jspdl("batch", "--run", record);
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--step");
        jspdl("batch", "--run", folder.resolve("nowhere").toString(), "--step", "1");
        assertThat(err).contains("no record of rank 0");
    }

    private Map<?, ?> json() {
        assertThat(err).isEmpty();
        return (Map<?, ?>) Objects.requireNonNull(Json.parse(out));
    }

    @Test
    void aRunOfAFolderIsRecordedForEachRank() throws Exception {
        new SampleSet(23, 1).write(folder.resolve("images"), 2, written -> {});
        String images = folder.resolve("images").toString();
        String record = folder.resolve("record").toString();
        List<Object> indices = new ArrayList<>();
        for (String rank : List.of("0", "1")) {
            List<String> run = new ArrayList<>(List.of("run", images, "--rank", rank, "--world-size", "2"));
            run.addAll(List.of("--size", "32", "--batch-size", "4", "--shuffle", "--seed", "9", "--epochs", "2"));
            run.addAll(List.of("--crop", "random-resized-crop", "--flip", "0.5", "--color-jitter", "0.4,0.4,0.4,0.1"));
            run.addAll(List.of("--normalize", "--dtype", "float16", "--no-progress", "--json", "-"));
            jspdl(run.toArray(String[]::new));
            Object checksum = json().get("checksum");
            run.addAll(List.of("--record", record));
            jspdl(run.toArray(String[]::new));
            assertThat(json().get("checksum")).isNotNull().isEqualTo(checksum);
            for (int step = 0; step < 6; step++) {
                jspdl("batch", "--run", record, "--rank", rank, "--step", Integer.toString(step), "--json");
                assertThat(json().get("compared")).isEqualTo(true);
                Map<?, ?> samples = (Map<?, ?>) Objects.requireNonNull(json().get("samples"));
                if (step < 3) {
                    indices.addAll((List<?>) Objects.requireNonNull(samples.get("index")));
                }
            }
        }
        assertThat(indices).hasSize(22).doesNotHaveDuplicates();
        jspdl("run", images, "--record", record, "--jpeg", "ffmpeg");
        assertThat(err).contains("--jpeg cannot be given with --record");
    }
}
