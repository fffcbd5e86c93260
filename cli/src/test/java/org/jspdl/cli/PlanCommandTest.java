package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `jspdl run` with a plan, within this process, over 70 images: one full batch of 64 and a rest.
class PlanCommandTest extends CommandTest {
    private static final int IMAGES = 70;

    @TempDir
    static Path dataset;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeTheSampleSet() throws Exception {
        new SampleSet(IMAGES, 1).write(dataset, 2, written -> {});
    }

    private static String example() throws Exception {
        String text = Files.readString(Repository.root().resolve("examples/plans/images.yaml"));
        return text.replaceFirst(
                "source: sample-images.*",
                Matcher.quoteReplacement("source: {images: {path: '" + dataset + "', shuffle: true, seed: 7}}"));
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    private static String value(String json, String key) {
        Matcher matcher = Pattern.compile("\"" + key + "\": (\"?[^,\"]*)").matcher(json);
        assertThat(matcher.find()).as(key).isTrue();
        return matcher.group(1);
    }

    @Test
    void theExampleGivesTheSameBatchesAsTheMainJobAndTheSameReport() throws Exception {
        Path plan = write("plan.yaml", example() + "epochs: 2\n");

        jspdl("run", dataset.toString(), "--shuffle", "--seed", "7", "--epochs", "2", "--json", "-", "--no-progress");
        String mainJob = out;
        jspdl("run", plan.toString(), "--json", "-", "--no-progress");
        String planned = out;

        assertThat(err).isEmpty();
        assertThat(code).isZero();
        for (String key : List.of("checksum", "items", "total_items", "failures", "batches", "interrupted")) {
            assertThat(value(planned, key)).as(key).isEqualTo(value(mainJob, key));
        }
        assertThat(value(planned, "total_items")).isEqualTo("140");
        assertThat(planned).contains("\"name\": \"read\"", "\"name\": \"decode\"");
    }

    @Test
    void theExampleIsAPlanAsItStandsAndInJsonToo() throws Exception {
        Path example = Repository.root().resolve("examples/plans/images.yaml");
        Operations installed = Operations.installed();

        Plan.read(example).check(installed);
        Path json = write("plan.json", """
                {"source": {"images": {"path": "%s", "shuffle": true, "seed": 7}},
                \t"steps": [{"allocate-batch": {"batch-size": 64}}, "read-image", {"decode-image": null, "cpu": 2, "order": "input"},
                \t\t{"batch": 64}, "stack-images"]}
                """.formatted(dataset));
        jspdl("run", json.toString(), "--no-progress");

        assertThat(err).isEmpty();
        assertThat(out).contains("70 items in 2 batches, plan " + json, "items/s", "decode", "Bottleneck: ");
    }

    @Test
    void anyItemsAreCountedAndPathsBeginAtThePlansFolder() throws Exception {
        write("words.txt", "one\ntwo\nthree\n");
        Path plan = write("plan.yml", "source: {lines: {path: words.txt}}\nsteps: [{batch: 2}]\nepochs: 3\n");

        jspdl("run", plan.toString(), "--no-progress");

        assertThat(err).isEmpty();
        assertThat(code).isZero();
        assertThat(out).contains("9 items in 6 batches", "epoch 3 of 3");
    }

    @Test
    void collatedSamplesAreCountedEach() throws Exception {
        Path plan = write(
                "plan.yml",
                "source: {files: {path: '" + dataset + "', glob: '**/*.jpg'}}\nsteps:\n"
                        + "  - {load-image: {size: 16, resize: 18}, cpu: 2}\n  - batch: 32\n  - collate: {}\n");

        jspdl("run", plan.toString(), "--no-progress");

        assertThat(err).isEmpty();
        assertThat(out).contains("70 items in 3 batches");
    }

    @Test
    @Tag("slow")
    void whatAPlanSkipsWhileItIsPredictedIsRecordedNowhere() throws Exception {
        Files.writeString(folder.resolve("broken.jpg"), "no image");
        write("list.txt", "broken.jpg\t0\n" + firstImages(5));
        Path plan = write(
                "plan.yaml",
                example().replaceFirst("path: '[^']*'", "path: list.txt")
                        + "failure: {max-failure-rate: 0.5}\nquarantine: skipped.jsonl\n");

        jspdl("run", plan.toString(), "--explain", "--no-progress", "--json", "-");

        assertThat(code).as(err).isZero();
        assertThat(err).startsWith("What will run").contains("Throughput: ", "items of yours in");
        assertThat(out).startsWith("{").contains("\"prediction\"");
        assertThat(Files.readAllLines(folder.resolve("skipped.jsonl"))).hasSize(1);
    }

    @Test
    void mistakesAreShownWithTheirLinesAndNothingIsRun() throws Exception {
        Path plan = write("plan.yaml", example().replace("decode-image", "decod-image"));

        jspdl("run", plan.toString(), "--no-progress");

        assertThat(code).isEqualTo(Main.UNUSABLE);
        assertThat(out).isEmpty();
        assertThat(err)
                .startsWith(
                        "jspdl: " + plan + ":10:5: there is no operation 'decod-image'; did you mean 'decode-image'?")
                .contains("   10 |   - decod-image:", "      |     ^");
    }

    @Test
    void aDatasetThatIsNotThereIsShownAtItsPlace() throws Exception {
        Path plan = write("plan.yaml", "source:\n  images: {path: nowhere}\n");

        jspdl("run", plan.toString());

        assertThat(code).isEqualTo(Main.UNUSABLE);
        assertThat(err)
                .startsWith("jspdl: " + plan + ":2:3: there is no folder or file list at " + folder.resolve("nowhere"));
    }

    @Test
    void aBrokenFileStopsThePlanOrIsSkippedAsItSays() throws Exception {
        Path broken = Files.writeString(folder.resolve("broken.jpg"), "no image");
        write("list.txt", "broken.jpg\t0\n" + firstImages(5));
        String plan = example().replaceFirst("path: '[^']*'", "path: list.txt");

        jspdl("run", write("strict.yaml", plan).toString(), "--no-progress");
        assertThat(code).isEqualTo(Main.FAILED);
        assertThat(err).contains(broken.toString());

        jspdl(
                "run",
                write("lenient.yaml", plan + "failure: {max-failures: 1}\n").toString(),
                "--no-progress");
        assertThat(code).isZero();
        assertThat(out).contains("5 items in 1 batch", "Skipped files", broken.toString());
    }

    private static String firstImages(int count) throws Exception {
        try (var files = Files.walk(dataset)) {
            List<String> lines = files.filter(file -> file.toString().endsWith(".jpg"))
                    .limit(count)
                    .map(file -> file + "\t0\n")
                    .toList();
            return String.join("", lines);
        }
    }

    @Test
    void batchesLargerThanTheirRowsAreRefusedAndSmallerOnesAreComplete() throws Exception {
        jspdl(
                "run",
                write(
                                "large.yaml",
                                example().replace("allocate-batch: {batch-size: 64", "allocate-batch: {batch-size: 8"))
                        .toString());
        assertThat(code).isEqualTo(Main.FAILED);
        assertThat(err).contains("64 samples were stacked, but rows were allocated for batches of 8");

        jspdl(
                "run",
                write("small.yaml", example().replace("- batch: 64", "- batch: 8"))
                        .toString(),
                "--no-progress");
        assertThat(code).isZero();
        assertThat(out).contains("70 items in 9 batches");
    }

    @ParameterizedTest
    @CsvSource({
        "allocate-batch, has no row of a batch: a step allocate-batch comes before",
        "read-image, has not been read: a step read-image comes before decode-image",
    })
    void aStepThatLacksTheOneBeforeItNamesIt(String missing, String message) throws Exception {
        String without = example().replaceFirst("(?m)^  - " + missing + ".*\n(    .*\n)*", "");

        jspdl("run", write("plan.yaml", without).toString(), "--no-progress");

        assertThat(code).isEqualTo(Main.FAILED);
        assertThat(err).contains(message);
    }

    @Test
    void optionsThatThePlanSaysItselfAreRefused() throws Exception {
        Path plan = write("plan.yaml", example());

        jspdl("run", plan.toString(), "--epochs", "2");

        assertThat(code).isEqualTo(Main.UNUSABLE);
        assertThat(err).startsWith("jspdl: --epochs cannot be given with a plan, which says such things itself");
    }

    @Test
    void aPlanThatIsNotThereIsOneClearLine() {
        Path missing = folder.resolve("none.yaml");

        jspdl("run", missing.toString());

        assertThat(code).isEqualTo(Main.UNUSABLE);
        assertThat(err.lines()).containsExactly("jspdl: there is no plan at " + missing);
    }

    @Test
    void aPipeInPlaceOfAPlanIsRefusedAsWhatItIs() throws Exception {
        Path pipe = folder.resolve("plan.yaml");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();

        for (String command : List.of("run", "serve", "pack")) {
            jspdl(command, pipe.toString());

            assertThat(code).isEqualTo(Main.UNUSABLE);
            assertThat(err).startsWith("jspdl: the plan " + pipe + " is no file but a folder, a pipe");
        }
    }
}
