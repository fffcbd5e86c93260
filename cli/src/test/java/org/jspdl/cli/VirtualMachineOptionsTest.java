package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `release/options`, with which the launchers start the virtual machine, and what Python's package has of it.
class VirtualMachineOptionsTest {
    private static final Pattern OUT_OF_LINE = Pattern.compile("(?m)^-XX:CompileCommand=dontinline,(\\S+)$");
    private static final Pattern IN_PYTHON = Pattern.compile("\\(\"(org\\.jspdl\\.\\S+)\", \"([\\w ]+)\"\\),");

    @Test
    void theHeapFollowsTheMachineAndNativeCallsAreAllowed() throws Exception {
        assertThat(options().lines()).contains("-XX:MaxRAMPercentage=6.25", "--enable-native-access=ALL-UNNAMED");
    }

    /// The virtual machine says nothing of a method that is not there, so a renaming would silently cost the start.
    @Test
    void everyLoopThatIsKeptOutOfLineIsThere() throws Exception {
        List<String> loops = outOfLine();

        assertThat(loops).hasSizeGreaterThan(20);
        for (String loop : loops) {
            String[] parts = loop.split("::");
            Class<?> owner = Class.forName(parts[0], false, getClass().getClassLoader());
            assertThat(owner.getDeclaredMethods())
                    .as(loop)
                    .anySatisfy(method -> assertThat(method.getName()).isEqualTo(parts[1]));
        }
    }

    /// The virtual machine prints each command on the standard output that comes before it.
    @Test
    void nothingIsPrintedOfTheCommandsToTheCompiler() throws Exception {
        List<String> commands = options()
                .lines()
                .filter(line -> line.startsWith("-XX:CompileCommand"))
                .toList();

        assertThat(commands).startsWith("-XX:CompileCommand=quiet");
    }

    @Test
    void pythonKeepsTheSameLoopsOutOfLine() throws Exception {
        String process = Files.readString(Repository.root().resolve("python/src/main/python/jspdl/_process.py"));

        assertThat(IN_PYTHON.matcher(process).results().flatMap(VirtualMachineOptionsTest::methods))
                .containsExactlyElementsOf(outOfLine());
    }

    /// Compiled while it runs and again for the next call, a loop costs the first epoch twice.
    @Test
    void aRunningLoopIsCompiledOnlyWhereItRunsForLongInPythonToo() throws Exception {
        List<String> loops = options()
                .lines()
                .filter(line -> line.contains("BackedgeNotifyFreqLog"))
                .toList();
        String process = Files.readString(Repository.root().resolve("python/src/main/python/jspdl/_process.py"));

        assertThat(loops).hasSize(3).allMatch(option -> process.contains('"' + option + '"'));
    }

    private static Stream<String> methods(MatchResult entry) {
        return Arrays.stream(entry.group(2).split(" ")).map(name -> entry.group(1) + "::" + name);
    }

    private static List<String> outOfLine() throws IOException {
        return OUT_OF_LINE
                .matcher(options())
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String options() throws IOException {
        return Files.readString(Repository.root().resolve("release/options"));
    }
}
