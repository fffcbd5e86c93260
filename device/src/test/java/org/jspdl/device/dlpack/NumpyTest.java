package org.jspdl.device.dlpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.Test;

/// Exchanges tensors with NumPy in one process: a JVM of its own, into which Python is loaded.
class NumpyTest {
    private static final String WHERE = """
            import numpy, os, sys, sysconfig
            print(os.path.join(sysconfig.get_config_var('LIBDIR'), sysconfig.get_config_var('INSTSONAME')))
            print(sys.base_prefix)
            print(os.path.dirname(os.path.dirname(numpy.__file__)))
            """;

    @Test
    void numpyReadsOurTensorsAndWeReadItsArrays() throws Exception {
        List<String> python = output(List.of(Requires.python("numpy"), "-c", WHERE), Map.of());
        if (!Files.isRegularFile(Path.of(python.getFirst()))) {
            throw Requires.missing("libpython");
        }

        List<String> said = output(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NumpyExchange.class.getName(),
                        python.getFirst()),
                Map.of("PYTHONHOME", python.get(1), "PYTHONPATH", python.get(2)));

        assertThat(said)
                .containsExactly(
                        "numpy sees (2, 3) float32 [[0.0, 0.5, 1.0], [1.5, 2.0, 2.5]]",
                        "after a write from Java: 99.0",
                        "deleted by numpy: 0 exported, 0 leased",
                        "java sees INT16 [2, 2] 1 2 3 4",
                        "after a write from Java: [[1, 2], [3, -7]]",
                        "released: True");
    }

    private static List<String> output(List<String> command, Map<String, String> environment)
            throws InterruptedException {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return out.lines().toList();
        } catch (IOException absent) {
            return List.of();
        }
    }
}
