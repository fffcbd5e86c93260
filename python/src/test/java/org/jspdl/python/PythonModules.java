package org.jspdl.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.testing.Requires;

/// The tests of the Python package, each module in a process of its own.
final class PythonModules {
    static final Path TESTS = Path.of("src/test/python").toAbsolutePath();
    private static final Path PACKAGE = Path.of("src/main/python").toAbsolutePath();

    /// What a test of Python says that needs something which the machine doesn't have.
    private static final Pattern SKIPPED = Pattern.compile("skipped '?needs (\\w+)");

    /// Loaders that run for a second are not worth compiling well.
    private static final String COMPILER = "-XX:TieredStopAtLevel=1";

    private PythonModules() {}

    /// Runs the tests of one module, over the classes of this build.
    static void pass(String module) throws IOException, InterruptedException {
        String program = Requires.pythonWithMostOf("numpy", "torch");
        Map<String, String> variables = Map.of(
                "PYTHONPATH",
                PACKAGE.toString(),
                "JSPDL_JAVA_HOME",
                System.getProperty("java.home"),
                "JSPDL_OPTS",
                COMPILER);
        StartupCache start = StartupCache.of(program, new TreeMap<>(variables));
        ProcessBuilder python = new ProcessBuilder(program, "-B", "-m", "unittest", "-v", module)
                .directory(TESTS.toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = python.environment();
        environment.putAll(variables);
        environment.put("JSPDL_CLASSPATH", start.classPath());
        environment.put("JSPDL_OPTS", COMPILER + " " + start.options());
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
