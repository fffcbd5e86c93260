package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.data.sample.SampleSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the program says when it is called wrongly: one line, which names what is wrong.
class MistakesTest extends CommandTest {
    private static final int IMAGES = 30;

    @TempDir
    static Path dataset;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeTheSampleSet() throws Exception {
        new SampleSet(IMAGES, 1).write(dataset, 2, written -> {});
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--size 0~                   --size must be a whole number from 1 to 16,384 but was '0'",
                "--batch-size x~             --batch-size must be a whole number",
                "--json r.x --report r.x~    --json cannot be written to r.x: --report names the same file",
                "--epochs 0~                 --epochs must be a whole number of at least 1 but was '0'",
                "--rank 2 --world-size 2~    --rank must be below --world-size (2) but was 2",
                "--threads 3~               unknown option '--threads'; did you mean --workers?",
                "--seed 1.5~                 --seed must be a whole number, of 64 bits at most, but was '1.5'",
                "--layout hwc~               --layout must be nhwc or nchw but was 'hwc'",
                "--dtype int8~               --dtype must be uint8 or float32 or float16 or bfloat16 but was 'int8'",
                "--crop middle~              --crop must be center or random or random-resized-crop but was 'middle'",
                "--crop random-resized-crop --resize 40~ --resize cannot be given with --crop random-resized-crop",
                "--normalize --dtype uint8~  --normalize needs a floating-point --dtype",
                "--flip 2~                   --flip must be a probability from 0 to 1 but was '2'",
                "--color-jitter 0.4,0.4~     --color-jitter must be a number, or four",
                "--preview /no/such/folder/x~ there is no such folder",
                "--preview p.jpg~            --preview draws a PNG file: its name must end with .png but was 'p.jpg'",
                "--resize 10~                --resize must be at least --size, or black would surround the image, but was 10",
                "--cache memory --cache-size 5~ --cache-size must be at least 1M, or hardly a file fits, but was '5'",
                "--cache none~               --cache: 'none' is neither 'memory' nor the path of a folder; for no cache leave",
                "--cache Memory~             --cache: 'Memory' is neither 'memory' nor the path of a folder",
                "--storage read-deadline=20s,read-deadline=5s~ --storage says read-deadline twice",
                "--storage read-deadline=9999999h~ --storage read-deadline: readDeadline must be at most 30 days",
                "--order random~             --order must be completion or input",
                "--max-failures -1~          --max-failures must be",
                "--max-failures 0%~          --max-failures must be",
                "--max-failures 101%~        --max-failures must be",
                "--max-failures some~        --max-failures must be",
                "--workers 0~                --workers must be a whole number from 1",
                "--batch 8~                  unknown option '--batch'; did you mean --batch-size?",
                "--concurrency 2~            unknown option '--concurrency'; did you mean --workers?",
                "--mirror 0.5~               unknown option '--mirror'; did you mean --flip?",
                "--jitter 1,1,1,0~           unknown option '--jitter'; did you mean --color-jitter?",
                "--crop resized~             --crop must be center or random or random-resized-crop but was 'resized'",
                "--bacth 8~                  unknown option '--bacth'; did you mean --batch-size?",
                "--json /no/such/folder/x~   there is no such folder",
                "--storage 5s~               --storage must be names with values, such as read-deadline=20s,hedge-share=0",
                "--storage deadline=5s~      --storage has no setting 'deadline', but read-deadline, retry-pauses,",
                "--storage hedge-share=x~    --storage hedge-share must be a number but was 'x'",
                "--storage netrc=/no/netrc~  --storage: /no/netrc: the file does not exist",
                "--read-deadline 5s~         unknown option '--read-deadline'; did you mean --storage?",
                "--json --shuffle~           --json needs a value, --json FILE, but an option follows; write --json=--shuffle",
                "--json --size=64~           --json needs a value, --json FILE, but an option follows",
                "--SIZE 64~                  unknown option '--SIZE'; did you mean --size?",
                "another~                    unexpected argument 'another': run takes one DATASET, which is '",
                "--trust-cache-folder~       --trust-cache-folder needs --cache, which says where the cache is",
                "--quarantine-dir q~         --quarantine-dir is for plans",
                "--budget 2cores --workers 2~ --budget limits the workers that 'auto' chooses: leave out --workers, or --budget",
                "--jpeg gpu~                 --jpeg must be java (or best) or turbojpeg or ffmpeg but was 'gpu'",
                "--report -~                 --report writes a file, and not to standard output as --json - does",
                "--trace -~                  --trace writes a file",
                "--json both --record both~  --json cannot be written to both: --record names the same file",
                "--budget 4~                 --budget must be cores, memory or both, such as 4cores,2GB, but was '4'",
                "--budget 1cores,9KB~        --budget: the program itself takes more memory than '9KB'",
                "--world-size 31~            has 30 images, too few for a world size of 31"
            })
    void aWrongOptionIsExplainedInOneLine(String options, String message) {
        List<String> words = new ArrayList<>(List.of("run", dataset.toString()));
        words.addAll(List.of(options.split(" ", -1)));

        jspdl(words);

        assertThat(code).isEqualTo(2);
        assertThat(out).isEmpty();
        assertThat(err.strip().lines()).hasSize(1);
        assertThat(err).startsWith("jspdl: ").contains(message);
    }

    @Test
    void aTildeThatTheShellLeftIsExplained() {
        for (List<String> words : List.of(
                List.of("run", "~/photos"),
                List.of("inspect", "~/photos"),
                List.of("index", "~/shards"),
                List.of("run", dataset.toString(), "--report", "~/report.html"),
                List.of("pack", dataset.toString(), "--to", "~/shards"))) {
            jspdl(words);

            assertThat(code).isEqualTo(2);
            assertThat(err).contains(words.getLast() + "' begins with ~, which the shell replaces only");
        }
    }

    @Test
    void whatHoldsNoShardsIsNamedByEachCommand() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        Path text = Files.writeString(other.resolve("notes"), "text");
        for (String place : List.of(folder.resolve("absent").toString(), other.toString(), text.toString())) {
            jspdl("index", place);
            assertThat(code).as(place).isEqualTo(2);
            assertThat(err).startsWith("jspdl: " + place + ": ");
        }
        for (String command : List.of("run", "inspect", "index")) {
            jspdl(command, other + "/*");
            assertThat(code).as(command).isEqualTo(2);
            assertThat(err).startsWith("jspdl: " + other + "/*: no shard matches");
        }
    }

    @Test
    void aLinkThatLeadsNowhereOrInACircleIsTold() throws Exception {
        Path circle = folder.resolve("circle");
        Files.createSymbolicLink(circle, circle);
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("absent"));

        jspdl("run", circle.toString());
        assertThat(err).contains("it is a link to " + circle + ", which does not exist or leads back to it");
        jspdl("inspect", dangling.toString());
        assertThat(err).contains("it is a link to " + folder.resolve("absent") + ", which does not exist");
    }

    @Test
    void aPlanThatIsNoTextIsNamed() throws Exception {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), "source: {}", StandardCharsets.UTF_16);
        for (String command : List.of("run", "tune", "profile", "serve", "pack --to " + folder.resolve("to"))) {
            List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
            words.add(1, plan.toString());

            jspdl(words);

            assertThat(code).as(command).isEqualTo(2);
            assertThat(err).as(command).contains(plan.toString()).containsPattern("not text in UTF-8");
        }
    }

    @Test
    void aPlanIsNoDatasetToInspect() throws Exception {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), "source: {images: {path: photos}}");

        jspdl("inspect", plan.toString());

        assertThat(code).isEqualTo(2);
        assertThat(err).contains(plan + " is a plan; 'jspdl run " + plan + " --explain'");
    }

    @Test
    void whatIsForTheTerminalIsNotForThePage() {
        for (String option : List.of("--once", "--columns 80", "--interval 2s")) {
            List<String> words = new ArrayList<>(List.of("top", "--web"));
            words.addAll(List.of(option.split(" ", -1)));

            jspdl(words);

            assertThat(code).isEqualTo(2);
            assertThat(err).contains("is for the terminal, and cannot be given with --web");
        }
    }

    @Test
    void aPreviewIsNotPutAmongTheImages() {
        jspdl(
                "run",
                dataset.toString(),
                "--preview",
                dataset.resolve("preview.png").toString());

        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--preview must be outside of the dataset");
        assertThat(dataset.resolve("preview.png")).doesNotExist();
    }

    @Test
    void aPipeWithPasswordsIsNotWaitedFor() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        for (String setting : List.of("netrc", "http-headers")) {
            jspdl("run", dataset.toString(), "--storage", setting + "=" + pipe);

            assertThat(code).isEqualTo(2);
            assertThat(err).contains(pipe + ": it is no file but a pipe, a socket or a device");
        }
    }

    @Test
    void aBatchBeyondAllMemoryIsSaidInTheWordsOfTheOptions() {
        jspdl("run", dataset.toString(), "--size", "16384", "--batch-size", "65536", "--no-progress");

        assertThat(code).isEqualTo(1);
        assertThat(err).startsWith("jspdl: no memory for a batch").contains("lower --batch-size or --size");
    }

    @Test
    void aDatasetInThePlaceOfACommandIsUnderstood() {
        jspdl(dataset.toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("to load a dataset, type jspdl run " + dataset);

        jspdl("s3://bucket/train.csv");
        assertThat(err).contains("type jspdl run s3://bucket/train.csv");

        jspdl("batch", "recorded", "--step", "1");
        assertThat(err).contains("unexpected argument 'recorded': batch takes options only");
    }

    @Test
    void aMissingOrEmptyFolderIsNamed() throws Exception {
        jspdl("run", folder.resolve("absent").toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).isEqualTo("jspdl: there is no folder or file list at " + folder.resolve("absent") + "\n");

        jspdl("run", Files.createDirectory(folder.resolve("empty")).toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).contains(folder.resolve("empty") + " holds no files");
    }

    @Test
    void oneImageIsCalledOne() throws Exception {
        Path one = Files.createDirectory(folder.resolve("one"));
        new SampleSet(1, 1).write(one, 1, written -> {});

        jspdl("run", one.toString(), "--world-size", "2");

        assertThat(code).isEqualTo(2);
        assertThat(err).contains("the dataset has 1 image, too few for a world size of 2");

        jspdl("run", one.toString(), "--no-progress");
        assertThat(out).startsWith("1 image of " + one + " in 1 batch of 64");
    }

    @Test
    void aMissingFolderIsToldWithoutThePlanThatNobodyWrote() {
        Path absent = folder.resolve("absent");
        for (List<String> words : List.of(
                List.of("tune", absent.toString()),
                List.of(
                        "run",
                        absent.toString(),
                        "--record",
                        folder.resolve("record").toString()))) {
            jspdl(words);
            assertThat(code).isEqualTo(2);
            assertThat(err).isEqualTo("jspdl: there is no folder or file list at " + absent + "\n");
        }
    }

    @Test
    void aRecordIsNotWrittenIntoTheDataset() {
        jspdl("run", dataset.toString(), "--record", dataset.resolve("record").toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--record must be outside of the dataset");
        assertThat(dataset.resolve("record")).doesNotExist();
    }

    @Test
    void aPipeIsNotWaitedFor() throws Exception {
        Path pipe = folder.resolve("pipe.jpg");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        jspdl("probe", pipe.toString());
        assertThat(code).isEqualTo(1);
        assertThat(err).isEqualTo("jspdl: " + pipe + ": it is no file but a pipe, a socket or a device\n");
    }

    @Test
    void aStoreWithOneSlashIsMeantToHaveTwo() {
        jspdl("run", "s3:/bucket/train");
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("did you mean s3://bucket/train?");
    }

    @Test
    void aFileThatIsReadWhenAnInterruptComesIsNoMistake() {
        Path to = folder.resolve("to");
        jspdl("pack", dataset.toString(), "--to", to.toString(), "--no-progress");
        assertThat(code).as(err).isZero();

        Thread.currentThread().interrupt();
        try {
            jspdl("index", to.resolve("to-000000.tar").toString());
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(code).isEqualTo(Main.INTERRUPTED);
        assertThat(err).isEqualTo("jspdl: interrupted\n");
    }

    @Test
    void aRowThatNamesNoFileIsTold() throws Exception {
        Path manifest = Files.writeString(folder.resolve("train.csv"), "path,label\n,a\n");

        jspdl("run", manifest.toString());

        assertThat(code).isEqualTo(2);
        assertThat(err).contains("the manifest " + manifest + ", row 1: 'path' names no file");
    }

    @Test
    void wherePlansGoIsLookedAtBeforeTheSearch() throws Exception {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), "source: sample-images\nsteps: [batch: 4]\n");
        Files.createDirectory(folder.resolve("plan.tuned.yaml"));

        jspdl("tune", plan.toString());

        assertThat(code).isEqualTo(2);
        assertThat(err)
                .contains("--out cannot be written to " + folder.resolve("plan.tuned.yaml") + ": it is a folder");
    }

    @Test
    void anEmptyWordIsNoFolder() {
        jspdl("run", "");
        assertThat(code).isEqualTo(2);
        assertThat(err).startsWith("jspdl: DATASET is an empty word, where it should name a file or a folder");

        jspdl("run", dataset.toString(), "--report", "");
        assertThat(code).isEqualTo(2);
        assertThat(err).startsWith("jspdl: --report is an empty word");
    }

    @Test
    void aFileOfTheDatasetIsNotReplacedByAReport() throws Exception {
        try (Stream<Path> files = Files.walk(dataset)) {
            Path image = files.filter(Files::isRegularFile).findFirst().orElseThrow();
            byte[] before = Files.readAllBytes(image);

            jspdl("run", dataset.toString(), "--json", image.toString());

            assertThat(code).isEqualTo(2);
            assertThat(err).contains("--json cannot be written to " + image + ": it is a file of the dataset");
            assertThat(image).hasBinaryContent(before);

            Path link = Files.createSymbolicLink(folder.resolve("link"), dataset);
            jspdl("run", link.toString(), "--json", image.toString());
            assertThat(code).isEqualTo(2);
            assertThat(image).hasBinaryContent(before);
        }
    }

    @Test
    void anUnknownCommandIsNamed() {
        jspdl("rnu");

        assertThat(code).isEqualTo(2);
        assertThat(err).contains("there is no command 'rnu'; did you mean run?");

        jspdl("photographs");
        assertThat(err).contains("there is no command 'photographs'; the commands are run, ");

        jspdl("help", "rnu");
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("there is no command 'rnu'");
    }

    @Test
    void helpOfACommandIsItsHelp() {
        jspdl("help", "run");
        String asked = out;
        jspdl("run", "--help");

        assertThat(code).isZero();
        assertThat(asked).isEqualTo(out).startsWith("Usage: jspdl run ");
    }

    @Test
    void aBraceThatIsNotClosedIsShown() {
        for (String command : List.of("run", "inspect", "pack --to " + folder.resolve("to"))) {
            List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
            words.add(1, "train-{000..127.tar");

            jspdl(words);

            assertThat(code).as(command).isEqualTo(2);
            assertThat(err).isEqualTo("jspdl: the brace at character 7 of train-{000..127.tar is not closed\n");
        }
    }

    @Test
    void aFileInPlaceOfAFolderAndAFolderInPlaceOfAFileAreTold() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "text");

        jspdl("run", dataset.toString(), "--cache", file.toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).startsWith("jspdl: --cache must be a folder, or 'memory', but " + file + " is a file");

        jspdl("run", dataset.toString(), "--cache", file.resolve("below").toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).startsWith("jspdl: --cache cannot use " + file.resolve("below") + ": ");

        jspdl("run", dataset.toString(), "--trace", folder.toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--trace cannot be written to " + folder + ": it is a folder");

        jspdl("probe", folder.toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("but " + folder + " is a folder; jspdl inspect looks into those");

        jspdl("probe", file.toString());
        assertThat(code).isEqualTo(1);
        assertThat(err).startsWith("jspdl: " + file + ": ").contains("nor is it a known picture, array or archive");

        jspdl("sample", file.toString());
        assertThat(code).isEqualTo(1);
        assertThat(err.lines()).singleElement().asString().contains(file + ": it is a file");

        jspdl("sample", file.resolve("below").toString());
        assertThat(code).isEqualTo(1);
        assertThat(err).contains("cannot make the sample set at " + file.resolve("below"));
    }
}
