package org.jspdl.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// ONNX Runtime starts in a process with a long command line.
class LongCommandLineTest {
    /// Asks for the environment.
    static final class Program {
        private Program() {}

        static void main() throws Exception {
            IO.println(OnnxEnvironment.get().getVersion());
        }
    }

    /// Linux takes 128 KiB in one argument.
    @ParameterizedTest
    @ValueSource(ints = {0, 10_000, 100_000})
    @Timeout(60)
    void theEnvironmentIsMadeHoweverLongTheClassPathIs(int more) throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path") + ":no.jar".repeat(more / 7),
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(program.waitFor()).as(said).isZero();
        assertThat(said).startsWith("1.");
    }
}
