package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.json.Json;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `jspdl run --compare`, with stand-ins for the reader's Python and, in the second tier, with PyTorch itself.
class CompareTest extends CommandTest {
    @TempDir
    static Path folder;

    private static Path photos = Path.of("");

    @BeforeAll
    static void paint() throws Exception {
        photos = Files.createDirectory(folder.resolve("photos"));
        new SampleSet(24, 1).write(photos, 2, written -> {});
    }

    @Test
    void bothLoadersStandInTheReportWithTheirVersions() throws Exception {
        Path python = python("""
                case $1 in -c) exit 4 ;; esac
                echo 'a warning of a library' >&2
                echo '{"epochs": [{"images": 24, "seconds": 9.0, "cpu_seconds": null},
                {"images": 24, "seconds": 1000.0, "cpu_seconds": 480.0}],' | tr -d '\\n'
                echo ' "torch": "2.9.1", "decoder": "torchvision 0.24", "python": "3.13", "workers": 2}'
                """);
        Path json = folder.resolve("compared.json");

        jspdl(run("--epochs", "2", "--compare", python, "--json", json));

        assertThat(code).as(err).isZero();
        assertThat(out)
                .contains(
                        "Compared with PyTorch's DataLoader",
                        "DataLoader, 2 workers",
                        "PyTorch 2.9.1, torchvision 0.24, Python 3.13",
                        "times the images a second and 0.",
                        "the last epoch of each.");
        assertThat(Json.parse(Files.readString(json)))
                .isInstanceOfSatisfying(
                        Map.class,
                        report -> assertThat((List<?>) report.get("comparison")).hasSize(2));
    }

    @Test
    void aPythonWithoutPyTorchIsRefusedBeforeTheRun() throws Exception {
        jspdl(run("--compare", python("exit 3")));

        assertThat(code).isEqualTo(2);
        assertThat(out).isEmpty();
        assertThat(err).contains("has no PyTorch: install torch and torchvision there, or name another interpreter");
    }

    @Test
    void whatIsNoPythonIsRefusedBeforeTheRun() throws Exception {
        jspdl(run("--compare", folder.resolve("nothing")));
        assertThat(code).isEqualTo(2);
        assertThat(err)
                .contains("--compare: there is no file '" + folder.resolve("nothing") + "'; name a Python interpreter");

        jspdl(run("--compare", "no-such-python"));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--compare: no program 'no-such-python' is in the folders of PATH");

        jspdl(run("--compare", folder));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--compare: '" + folder + "' is a folder; name");

        Path text = Files.writeString(folder.resolve("notes.txt"), "x");
        jspdl(run("--compare", text));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--compare: '" + text + "' is no program that this user may start");

        jspdl(run("--compare", "false"));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("'false' ended with exit code 1; it must be a Python interpreter");

        jspdl(run("--compare", "true"));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("'true' ended with exit code 0; it must be a Python interpreter");
    }

    @Test
    void aDataLoaderThatFailsLeavesTheReportOfTheRun() throws Exception {
        jspdl(run("--compare", python("case $1 in -c) exit 4 ;; esac\necho 'no shared memory' >&2\nexit 1")));

        assertThat(code).isZero();
        assertThat(out).contains("Bottleneck: ").doesNotContain("Compared with");
        assertThat(err).contains("not compared: PyTorch's DataLoader ended with exit code 1: no shared memory");

        jspdl(run("--compare", python("case $1 in -c) exit 4 ;; esac\necho '{}'")));

        assertThat(code).isZero();
        assertThat(err).contains("not compared: PyTorch's DataLoader was not understood");
    }

    @Test
    void whatTheDataLoaderDoesNotDoIsRefused() throws Exception {
        Path python = python("exit 4");

        jspdl(run("--compare", python, "--flip", "0.5"));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--flip cannot be given with --compare");

        jspdl("run", "s3://bucket/train.csv", "--compare", python.toString());
        assertThat(code).isEqualTo(2);

        Path list = Files.writeString(folder.resolve("train.txt"), "photos/1.jpg 0\n");
        jspdl("run", list.toString(), "--compare", python.toString());
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--compare loads a folder of images");
    }

    @Test
    @Tag("slow")
    void pyTorchLoadsTheSameImages() {
        jspdl(run("--epochs", "2", "--compare", Requires.python("torch", "torchvision")));

        assertThat(code).isZero();
        assertThat(out).contains("PyTorch ", "torchvision ", "times the images a second and ");
    }

    private static List<Object> run(Object... options) {
        List<Object> words =
                new ArrayList<>(List.of("run", photos, "--size", "32", "--batch-size", "8", "--no-progress"));
        words.addAll(List.of(options));
        return words;
    }

    /// A program that stands in for an interpreter.
    private static Path python(String script) throws Exception {
        Path file = Files.createTempFile(folder, "python", "");
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
