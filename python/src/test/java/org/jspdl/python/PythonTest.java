package org.jspdl.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs the tests of the Python package with the machine's `python3`, over the classes of this build.
class PythonTest {
    private static final Path TESTS = Path.of("src/test/python").toAbsolutePath();
    private static final Path PACKAGE = Path.of("src/main/python").toAbsolutePath();

    /// What a test of Python says that needs something which the machine doesn't have.
    private static final Pattern SKIPPED = Pattern.compile("skipped '?needs (\\w+)");

    @ParameterizedTest
    @ValueSource(strings = {"test_errors", "test_private", "test_torch"})
    void thePackagePasses(String module) throws IOException, InterruptedException {
        pass(module);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "test_batches",
                "test_dataset",
                "test_documents",
                "test_expected",
                "test_helpers",
                "test_interrupts",
                "test_map",
                "test_secrets",
                "test_state",
                "test_ends"
            })
    @Tag("slow")
    @Timeout(1800) // the campaign kills 200 times
    void thePackagePassesWithManyProcesses(String module) throws IOException, InterruptedException {
        pass(module);
    }

    private static void pass(String module) throws IOException, InterruptedException {
        ProcessBuilder python = new ProcessBuilder(
                        Requires.pythonWithMostOf("numpy", "torch"), "-B", "-m", "unittest", "-v", module)
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
        Matcher skipped = SKIPPED.matcher(said);
        if (skipped.find()) {
            throw Requires.missing(skipped.group(1));
        }
    }
}
