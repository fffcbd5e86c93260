package org.jspdl.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// ONNX Runtime in a process of its own: with a long command line, and what it leaves behind.
class OnnxProcessTest {
    /// Asks for the environment.
    static final class Program {
        private Program() {}

        static void main() throws Exception {
            IO.println(OnnxEnvironment.get().getVersion());
        }
    }

    @TempDir
    Path folder;

    @Test
    @Timeout(60)
    @EnabledOnOs(OS.LINUX)
    void aProcessLeavesNothingBehind() throws Exception {
        assertThat(started(0)).startsWith("1.");

        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    /// Linux takes 128 KiB in one argument.
    @ParameterizedTest
    @ValueSource(ints = {0, 10_000, 100_000})
    @Timeout(60)
    void theEnvironmentIsMadeHoweverLongTheClassPathIs(int more) throws Exception {
        assertThat(started(more)).startsWith("1.");
    }

    /// What the program says.
    private String started(int more) throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:-UsePerfData",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path") + ":no.jar".repeat(more / 7),
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(program.waitFor()).as(said).isZero();
        return said;
    }
}
