package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspdl.data.sample.SampleSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ctrl-C, sent to the program as a process.
class InterruptionTest {
    @TempDir
    Path folder;

    @Test
    void interruptingARunEndsItAtOnceWithTheReportSoFar() throws Exception {
        Path dataset = Files.createDirectory(folder.resolve("set"));
        new SampleSet(20, 1).write(dataset, 2, written -> {});
        Path json = folder.resolve("report.json");

        try (Launched run = program(
                "run", dataset.toString(), "--size", "32", "--epochs", "100000000", "--json", json.toString())) {
            run.awaitError("images/s");
            run.interrupt();
            Launched.Ended ended = run.await();

            assertThat(ended.code()).isEqualTo(130);
            assertThat(ended.out())
                    .contains("Interrupted; so far:", "images/s", "Bottleneck: ")
                    .doesNotContainPattern("[1-9][0-9,]* images of .* in 0 batches");
            assertThat(ended.err()).doesNotContain("Exception");
            assertThat(json)
                    .content()
                    .contains("\"interrupted\": true")
                    .doesNotContainPattern("},\\s*\\{\\s*\"items\": 0,"); // a later epoch that had not begun
        }
    }

    @Test
    void interruptingThePaintingLeavesNoHalfOfASet() throws Exception {
        Path target = folder.resolve("set");

        try (Launched sample = program("sample", target.toString(), "--images", "1000000")) {
            sample.awaitError("images/s");
            sample.interrupt();
            Launched.Ended ended = sample.await();

            assertThat(ended.code()).isEqualTo(130);
            assertThat(ended.err()).doesNotContain("Exception");
            assertThat(target).doesNotExist();
            assertThat(folder.resolve(".set.partial")).doesNotExist();
        }
    }

    @Test
    void twoProcessesThatWantTheSameSetMakeItOnce() throws Exception {
        Path target = folder.resolve("set");

        try (Launched first = program("sample", target.toString(), "--images", "60");
                Launched second = program("sample", target.toString(), "--images", "60")) {
            assertThat(first.await().code()).isZero();
            assertThat(second.await().code()).isZero();
        }

        try (var files = Files.walk(target)) {
            assertThat(files.filter(file -> file.toString().endsWith(".jpg"))).hasSize(60);
        }
        assertThat(folder.toFile().list()).containsExactly("set");
    }

    /// The program as if its errors went to a terminal, so that progress is frequent.
    private Launched program(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "env", // a test in the background of a shell ignores interrupts, and so would its children
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Djspdl.terminal=true",
                "-cp",
                System.getProperty("java.class.path"),
                "org.jspdl.cli.Main"));
        command.addAll(List.of(words));
        return Launched.start(command, folder, Map.of("JAVA_TOOL_OPTIONS", ""));
    }
}
