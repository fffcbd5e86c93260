package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(err).contains("there is no command 'rnu'");

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
