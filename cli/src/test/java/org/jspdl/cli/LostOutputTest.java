package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspdl.cli.run.OutputFile;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.data.storage.FailureReasons;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Results that can't be written are a failure, which names the place; nothing half written is left.
class LostOutputTest extends CommandTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aStandardOutputThatTakesNoMoreIsAFailure(int bytes) {
        jspdlOntoAFullDisk(bytes, "run", "--help");

        assertThat(code).isEqualTo(Main.FAILED);
        assertThat(err).contains("jspdl: standard output was closed or its disk is full");
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedAndWhatWasThereStays() throws IOException {
        Path file = Files.writeString(folder.resolve("report.html"), "the report before");

        assertThatThrownBy(() -> OutputFile.write(file, target -> {
                    Files.writeString(target, "half of");
                    throw new IOException("No space left on device");
                }))
                .hasMessage("cannot write " + file + ": No space left on device");

        assertThat(file).content().isEqualTo("the report before");
        assertThat(folder.toFile().list()).containsExactly("report.html");
    }

    @Test
    void aDeviceThatTakesNoMoreIsNamed() {
        assertThatThrownBy(() -> OutputFile.write(Path.of("/dev/full"), "a report"))
                .hasMessage("cannot write /dev/full: No space left on device");
    }

    @Test
    void aProfileThatCannotBeWrittenIsAFailureThatNamesTheFile() throws Exception {
        new SampleSet(8, 1).write(Files.createDirectory(folder.resolve("photos")), 1, written -> {});

        jspdl("profile", folder.resolve("photos").toString(), "--items", "50", "--levels", "1", "--json", "/dev/full");

        assertThat(code).isEqualTo(Main.FAILED);
        assertThat(err).contains("cannot write /dev/full: No space left on device");
    }

    @Test
    void aRecordThatCannotBeWrittenIsAFailureThatNamesTheFile() throws Exception {
        new SampleSet(8, 1).write(Files.createDirectory(folder.resolve("photos")), 1, written -> {});
        Path record = Files.createDirectory(folder.resolve("record"));
        Files.createSymbolicLink(record.resolve("rank-0.jsonl"), Path.of("/dev/full"));

        jspdl("run", folder.resolve("photos").toString(), "--record", record.toString(), "--no-progress");

        assertThat(code).isEqualTo(Main.FAILED);
        assertThat(err).contains(record.resolve("rank-0.jsonl") + ": No space left on device");
    }

    /// A limit on the size of files stands for a disk that is full: the system says as little of what it could not
    /// write.
    @ParameterizedTest
    @CsvSource({
        "pack photos --to shards --no-progress, shards/shards-000000.tar",
        "pack photos --to shards --format parquet --no-progress, shards/shards-000000.parquet",
        "sample more --images 20 --no-progress, more",
        "run photos --json report.json --no-progress, report.json",
        "run photos --trace trace.json --no-progress, trace.json",
        "run photos --report report.html --no-progress, report.html",
        "run photos --preview first.png --no-progress, first.png"
    })
    void whatDoesNotFitOnTheDiskIsNamed(String words, String file) throws Exception {
        new SampleSet(20, 1).write(Files.createDirectory(folder.resolve("photos")), 1, written -> {});
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = List.of(
                "sh",
                "-c",
                "ulimit -f 4; exec \"$0\" -XX:-UsePerfData -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp \"$1\""
                        + " org.jspdl.cli.Main " + words,
                java,
                System.getProperty("java.class.path"));

        try (Launched program = Launched.start(command, folder, Map.of("JAVA_TOOL_OPTIONS", ""))) {
            Launched.Ended ended = program.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(1);
            assertThat(ended.err()).contains(file).contains("File too large").doesNotContain("Exception");
        }
        assertThat(folder.resolve(file)).doesNotExist();
    }

    @Test
    void aPipeIsNoRecordAndNotWaitedFor() throws Exception {
        new SampleSet(8, 1).write(Files.createDirectory(folder.resolve("photos")), 1, written -> {});
        Path record = Files.createDirectory(folder.resolve("record"));
        Path pipe = record.resolve("rank-0.jsonl");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();

        jspdl("run", folder.resolve("photos").toString(), "--record", record.toString(), "--no-progress");

        assertThat(code).isEqualTo(Main.FAILED);
        assertThat(err).contains(pipe + ": it is no file but a pipe or a socket");
    }

    @Test
    void aRecordOfAnotherRunAndAFileOfOthersAreRefusedAndLeftAlone() throws Exception {
        Path photos = Files.createDirectory(folder.resolve("photos"));
        new SampleSet(8, 1).write(photos, 1, written -> {});
        Path record = folder.resolve("record");
        jspdl("run", photos.toString(), "--record", record.toString(), "--no-progress");
        assertThat(code).as(err).isZero();

        jspdl("run", photos.toString(), "--record", record.toString(), "--no-progress", "--shuffle");
        assertThat(code).isEqualTo(Main.UNUSABLE);
        assertThat(err)
                .startsWith("jspdl: --record: the run can't be recorded in " + record + ": there is the record of")
                .contains("name another folder")
                .doesNotContain("internal error");

        Path others = Files.writeString(
                Files.createDirectory(folder.resolve("others")).resolve("rank-0.jsonl"), "mine\n");
        jspdl("run", photos.toString(), "--record", others.getParent() + "", "--no-progress");
        assertThat(code).isEqualTo(Main.UNUSABLE);
        assertThat(err).contains(others + " is no record of a run").doesNotContain("internal error");
        assertThat(others).hasContent("mine\n");
    }

    @Test
    void whatAFailureSaysOfItselfIsKeptBesideItsReason() {
        IOException full = new IOException("No space left on device");

        assertThat(FailureReasons.withFile(new UncheckedIOException("cannot record a skipped item in bad.jsonl", full)))
                .isEqualTo("cannot record a skipped item in bad.jsonl: No space left on device");
        assertThat(FailureReasons.withFile(new UncheckedIOException(full))).isEqualTo("No space left on device");
        assertThat(FailureReasons.withFile(new UncheckedIOException("cannot read a: No space left on device", full)))
                .isEqualTo("cannot read a: No space left on device");
    }

    @Test
    void aLinkIsWrittenThrough() throws IOException {
        Path file = Files.writeString(folder.resolve("there"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);

        OutputFile.write(link, "new");

        assertThat(link).isSymbolicLink();
        assertThat(file).content().isEqualTo("new");
    }
}
