package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a program with the platform's loggers as they are prints on its error stream.
class LoggingTest {
    @TempDir
    Path folder;

    /// A program whose items fail in two ways, and that forgets to close a run.
    static final class Program {
        public static void main(String[] arguments) throws InterruptedException {
            switch (arguments[0]) {
                case "fail" -> fail();
                case "forget" -> forget();
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }

        private static void fail() {
            Pipeline<Long> pipeline = Pipeline.from(Sources.range(100))
                    .named("failing")
                    .pipe("decode", Program::failInTwoWays, io(2).failures(FailurePolicy.skip(100)));
            try (Run<Long> run = pipeline.start()) {
                run.forEach(item -> {});
            }
        }

        private static long failInTwoWays(long item) {
            if (item % 2 == 0) {
                throw new IllegalStateException("even " + item);
            }
            throw new IllegalArgumentException("odd " + item);
        }

        private static void forget() throws InterruptedException {
            CountDownLatch closed = new CountDownLatch(1);
            startAndForget(closed::countDown);
            do {
                System.gc();
            } while (!closed.await(10, TimeUnit.MILLISECONDS));
        }

        private static void startAndForget(AutoCloseable resource) {
            Run<AutoCloseable> run = Pipeline.from(List.of(1, 2, 3))
                    .map(item -> resource)
                    .named("forgotten")
                    .start();
            run.iterator().next();
        }
    }

    private List<String> errorsOf(String argument) throws IOException, InterruptedException {
        Path errors = folder.resolve(argument);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        argument)
                .redirectError(errors.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).as("%s", errors).isZero();
        return Files.readAllLines(errors);
    }

    @Test
    void aRepeatedFailureIsLoggedOnceForEachDistinctCause() throws Exception {
        List<String> lines = errorsOf("fail").stream()
                .filter(line -> line.contains("pipeline 'failing'"))
                .toList();

        assertThat(lines)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .contains("stage 'decode' skipped the item at epoch 0")
                        .contains("further failures of this kind are only counted"))
                .anySatisfy(line -> assertThat(line).contains("even "))
                .anySatisfy(line -> assertThat(line).contains("odd "));
    }

    @Test
    void aRunThatWasForgottenIsWarnedAboutByName() throws Exception {
        List<String> lines = errorsOf("forget");

        assertThat(lines)
                .filteredOn(line -> line.contains("'forgotten' was abandoned"))
                .singleElement()
                .asString()
                .startsWith("WARNING");
    }
}
