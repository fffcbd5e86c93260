package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.async;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Runs beside functions that keep the threads they share for themselves.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BusyCarriersTest {
    private static final int CARRIERS = Runtime.getRuntime().availableProcessors();

    private static Long spinUntilInterrupted(Long item) throws InterruptedException {
        while (!Thread.interrupted()) {
            Thread.onSpinWait();
        }
        throw new InterruptedException("stopped");
    }

    /// A run whose functions compute on every carrier of virtual threads until it is closed.
    private static Run<Long> onEveryCarrier() throws InterruptedException {
        CountDownLatch computing = new CountDownLatch(CARRIERS);
        Run<Long> run = Pipeline.from(Sources.range(100))
                .pipe(
                        "compute",
                        item -> {
                            computing.countDown();
                            return spinUntilInterrupted(item);
                        },
                        io(CARRIERS))
                .start();
        computing.await();
        return run;
    }

    @Test
    void sourcesBatchesRoutesMergesAndGatherersGoOn() throws InterruptedException {
        Pipeline<Long> evens = Pipeline.from(Sources.range(50))
                .batch(4, Remainder.KEEP)
                .unbatch(batch -> batch)
                .route("kind", item -> item % 2 == 0)
                .<Long>when(true, way -> way.pipe("even", item -> item, cpu(1)))
                .otherwise(way -> way.map(item -> item))
                .merge();
        Pipeline<Long> more =
                Pipeline.from(Sources.range(50)).pipeAsync("ask", CompletableFuture::completedFuture, async(2));
        Pipeline<Long> pipeline =
                Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, evens, more, Pipeline.merge(more, evens));

        try (Run<Long> _ = onEveryCarrier()) {
            assertThat(Runs.deliveries(pipeline)).hasSize(200);
        }
    }

    @Test
    void aCursorThatComputesHoldsUpNoOtherRun() throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(2 * CARRIERS);
        Pipeline<Long> slow = Pipeline.from(Sources.indexed(10, index -> {
            reading.countDown();
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
            return index;
        }));
        @SuppressWarnings({"unchecked", "rawtypes"})
        Pipeline<Long>[] several = new Pipeline[2 * CARRIERS];
        java.util.Arrays.fill(several, slow);

        try (Run<Long> _ = Pipeline.merge(several).start()) {
            reading.await();
            assertThat(Runs.deliveries(Pipeline.from(Sources.range(100)).pipe("io", item -> item, io(2))))
                    .hasSize(100);
        }
    }

    @Test
    void callsThatComputeOnEveryCarrierEndAtTheirDeadline() {
        ConcurrentLinkedQueue<FailedItem> late = new ConcurrentLinkedQueue<>();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3L * CARRIERS))
                .pipe(
                        "compute",
                        BusyCarriersTest::spinUntilInterrupted,
                        io(CARRIERS)
                                .deadline(Duration.ofMillis(20))
                                .failures(FailurePolicy.skip(3L * CARRIERS).quarantine(late::add)));

        assertThat(Runs.deliveries(pipeline)).isEmpty();
        assertThat(late)
                .hasSize(3 * CARRIERS)
                .allSatisfy(item -> assertThat(item.cause()).isInstanceOf(TimeoutException.class));
    }

    /// Longer and longer deadlines, of which the first that is long enough for the quick calls counts.
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void promisesThatAreLateOrBrokenAreGivenUpOrAskedForAgain() throws InterruptedException {
        try (Run<Long> _ = onEveryCarrier()) {
            assertThat(Stream.iterate(20, millis -> millis < 10_000, millis -> 2 * millis))
                    .anyMatch(millis -> allButTheLateAreDelivered(Duration.ofMillis(millis)));
        }
    }

    private static boolean allButTheLateAreDelivered(Duration deadline) {
        ConcurrentLinkedQueue<Long> broken = new ConcurrentLinkedQueue<>();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(9))
                .pipeAsync(
                        "ask",
                        item -> {
                            if (item % 3 == 0) {
                                return new CompletableFuture<>();
                            }
                            if (item % 3 == 1 && !broken.contains(item)) {
                                broken.add(item);
                                return CompletableFuture.failedFuture(new IllegalStateException("not at once"));
                            }
                            return CompletableFuture.completedFuture(item);
                        },
                        async(3).deadline(deadline)
                                .failures(FailurePolicy.skip(100).retry(2, Duration.ofMillis(1))));

        List<Long> delivered = Runs.deliveries(pipeline);
        assertThat(delivered).doesNotHaveDuplicates().doesNotContain(0L, 3L, 6L);
        return delivered.size() == 6;
    }

    @Test
    void aQueueBetweenTwoRunsDoesNotTakeEveryComputeThread() throws Exception {
        int items = 50;
        BlockingQueue<Long> queue = new ArrayBlockingQueue<>(1);
        Pipeline<Long> filling = Pipeline.from(Sources.range(items))
                .pipe(
                        "fill",
                        item -> {
                            queue.put(item);
                            return item;
                        },
                        cpu(4 * CARRIERS))
                .prefetch(items);
        Pipeline<Long> draining = Pipeline.from(Sources.queue(queue)).pipe("drain", item -> item, cpu(2));

        try (Run<Long> first = filling.start();
                Run<Long> second = draining.start()) {
            List<Long> drained = Runs.take(second, items);

            assertThat(drained).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, items));
            assertThat(Runs.take(first, items)).hasSize(items);
        }
    }
}
