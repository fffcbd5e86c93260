package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.async;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

/// The watchdog of the random runs finds what hangs, and nothing else.
class WatchdogTest {
    /// Longer than the watchdog needs to be sure.
    private static final long LONG_MILLIS = 4_500;

    @Test
    void aRunOfWhichNothingCanGoOnIsFoundWithItsState() throws InterruptedException {
        // No engine hangs on demand: this consumer waits though nothing more comes of its run.
        try (Watchdog watchdog = new Watchdog();
                Run<Long> run = Pipeline.from(Sources.range(3))
                        .pipe("work", item -> item, cpu(1))
                        .start()) {
            Runs.take(run, 3);
            assertThatThrownBy(() -> watchdog.watch(run, () -> {
                        new CountDownLatch(1).await();
                        return "";
                    }))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("the run hangs")
                    .hasMessageContaining("after 3 deliveries")
                    .hasMessageContaining("StageStats[name=work")
                    .hasMessageContaining("LinkStats[name=source")
                    .hasMessageContaining("BudgetStats[");
        }
    }

    @Test
    void callsTimersAndSourcesThatTakeTimeAreNoHang() throws InterruptedException {
        ArrayBlockingQueue<Long> queue = new ArrayBlockingQueue<>(1);
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1))
                .pipe("computes", WatchdogTest::waits, cpu(1))
                .pipeAsync(
                        "asks",
                        item -> CompletableFuture.supplyAsync(
                                () -> item, CompletableFuture.delayedExecutor(LONG_MILLIS, TimeUnit.MILLISECONDS)),
                        async(1));
        Pipeline<?> waiting =
                Pipeline.from(Sources.queue(queue)).batch(2, Remainder.KEEP, Duration.ofMillis(LONG_MILLIS));
        queue.add(1L);
        try (Watchdog watchdog = new Watchdog();
                Run<Long> run = pipeline.start();
                Run<?> second = waiting.start()) {
            assertThat(watchdog.watch(run, () -> run.stream().toList())).containsExactly(0L);
            assertThat(watchdog.watch(second, () -> second.iterator().next())).hasToString("[1]");
        }
    }

    private static Long waits(Long item) throws InterruptedException {
        new CountDownLatch(1).await(LONG_MILLIS, TimeUnit.MILLISECONDS);
        return item;
    }
}
