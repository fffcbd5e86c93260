package org.jspdl.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs the tests of the Python package with the machine's `python3`, over the classes of this build.
class PythonTest {
    private static final Path TESTS = Path.of("src/test/python").toAbsolutePath();
    private static final Path PACKAGE = Path.of("src/main/python").toAbsolutePath();

    @ParameterizedTest
    @ValueSource(strings = {"test_batches", "test_helpers", "test_state", "test_errors", "test_ends", "test_torch"})
    @Timeout(1800) // the campaign kills 200 times
    void thePackagePasses(String module) throws IOException, InterruptedException {
        ProcessBuilder python = new ProcessBuilder("python3", "-B", "-m", "unittest", module)
                .directory(TESTS.toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = python.environment();
        environment.put("PYTHONPATH", PACKAGE.toString());
        environment.put("JSPDL_CLASSPATH", System.getProperty("java.class.path"));
        environment.put("JSPDL_JAVA_HOME", System.getProperty("java.home"));
        environment.put("JSPDL_OPTS", "-XX:TieredStopAtLevel=1");
        environment.put("JSPDL_CAMPAIGN", System.getProperty("campaign", "false"));
        Process process = python.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("OK").doesNotContain("Ran 0 tests");
        System.out.println(
                module + ": " + said.substring(said.lastIndexOf("Ran ")).strip());
    }
}
