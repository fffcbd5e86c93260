package org.jspdl.python.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspdl.json.Json;
import org.jspdl.plan.function.SampleFunctions;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Helpers whose trainer is gone. They are shells here, which say that they have the function, and take long for their
/// first sample.
class KilledHelpersTest {
    /// Of a frame without a body, and the first byte of the next.
    private static final int UNTIL_CALL = 6;

    @TempDir
    Path folder;

    @Test
    void aFunctionThatNeverReturnsKeepsNobodyWaitingOnceHelpersAreKilled() throws Exception {
        Path called = folder.resolve("called");
        new ProcessBuilder(Requires.program("mkfifo"), called.toString())
                .start()
                .waitFor();
        String script = "printf '\\000\\000\\000\\000\\004'; head -c " + UNTIL_CALL + " >/dev/null; echo > '" + called
                + "'; exec sleep 1000";
        try (PythonFunctions functions = new PythonFunctions()) {
            functions.add(Json.write(List.of(Map.of(
                    "key",
                    "slow",
                    "work",
                    "",
                    "processes",
                    2,
                    "command",
                    List.of("/bin/sh", "-c", script, ""),
                    "unset",
                    List.of()))));
            SampleFunctions.SampleFunction slow = functions.named("slow");
            Callable<SampleFunctions.Made> call =
                    () -> slow.apply("a.jpg", new LinkedHashMap<>(Map.of("index", 7L)), 1);
            FutureTask<SampleFunctions.Made> waiting = new FutureTask<>(call);
            Thread.ofPlatform().start(waiting);
            try (InputStream begun = Files.newInputStream(called)) {
                assertThat(begun.read()).isEqualTo('\n');
            }

            functions.kill();

            assertThatThrownBy(waiting::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(FunctionException.class)
                    .hasMessageStartingWith("map(slow) failed at a.jpg: its helper process ");
            assertThat(ProcessHandle.current().children()).noneMatch(KilledHelpersTest::sleeps);
        }
    }

    private static boolean sleeps(ProcessHandle process) {
        return process.info().command().filter(name -> name.endsWith("/sleep")).isPresent();
    }
}
