package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CancellationTest {

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void closingInterruptsTheFunctionsThatRun(Setting setting) {
        Gate gate = new Gate();
        Run<Long> run = Pipeline.from(Sources.range(100))
                .pipe("hold", gate::pass, setting.options())
                .start(Setting.roomy());
        gate.awaitArrivals(setting.concurrency());

        run.close();

        gate.awaitInterrupts(setting.concurrency());
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void closingWhileTheSinkIsFullReleasesEveryItem(Setting setting) {
        Tracker tracker = new Tracker();
        Gate gate = new Gate();
        gate.open();
        Run<Tracker.Item> run = Pipeline.from(Sources.range(100))
                .map(tracker::item)
                .pipe("copy", gate::pass, setting.options())
                .prefetch(1)
                .start();
        gate.awaitArrivals(1);

        run.close();

        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void closingWhileStagesWaitForInputEnds(Setting setting) {
        Gate source = new Gate();
        Run<Long> run = Pipeline.from(Sources.indexed(10, index -> passQuietly(source, index)))
                .pipe("one", item -> item, setting.options())
                .batch(3, Remainder.KEEP)
                .unbatch(batch -> batch)
                .pipe("two", item -> item, setting.options())
                .start();
        source.awaitArrivals(1);

        run.close();

        source.awaitEmpty();
    }

    private static long passQuietly(Gate gate, long index) {
        try {
            return gate.pass(index);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    @Test
    void closingARunThatNobodyReadIsHarmless() {
        Pipeline.from(Sources.range(1_000_000))
                .pipe(item -> item, cpu(2))
                .start()
                .close();
    }

    @Test
    void closingTwiceIsHarmless() {
        Run<Long> run =
                Pipeline.from(Sources.range(10)).pipe(item -> item, cpu(2)).start();
        run.close();
        run.close();
        assertThatThrownBy(() -> run.iterator().hasNext()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingAfterTheEndIsHarmless() {
        Run<Long> run =
                Pipeline.from(Sources.range(10)).pipe(item -> item, cpu(2)).start();
        assertThat(Runs.take(run, 100)).hasSize(10);
        run.close();
        run.close();
    }

    @Test
    void aFailureThatTheConsumerHasSeenIsNotThrownAgainByClose() {
        Run<Long> run = Pipeline.from(Sources.range(1))
                .pipe("fail", CancellationTest::fail, io(1))
                .start();
        assertThatThrownBy(() -> run.iterator().hasNext()).isInstanceOf(PipelineException.class);

        run.close();
    }

    @Test
    void aRunThatIsClosedByAnotherThreadReleasesItsConsumer() throws InterruptedException {
        Gate gate = new Gate();
        Run<Long> run =
                Pipeline.from(Sources.range(1)).pipe("hold", gate::pass, io(1)).start();
        AtomicReference<Object> seen = new AtomicReference<>();
        Thread consumer = Thread.ofPlatform().start(() -> {
            try {
                seen.set(run.iterator().hasNext());
            } catch (RuntimeException closed) {
                seen.set(closed);
            }
        });
        gate.awaitArrivals(1);

        run.close();

        assertThat(consumer.join(Duration.ofMinutes(1))).isTrue();
        assertThat(seen.get())
                .as("a closed run must not look like one that has ended")
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingOneRunDoesNotInterruptAnotherOnTheSameThreads() {
        Gate mine = new Gate();
        Gate others = new Gate();
        Run<Long> first =
                Pipeline.from(Sources.range(1)).pipe("hold", mine::pass, cpu(1)).start();
        try (Run<Long> second = Pipeline.from(Sources.range(1))
                .pipe("hold", others::pass, cpu(1))
                .start()) {
            mine.awaitArrivals(1);
            others.awaitArrivals(1);

            first.close();
            mine.awaitInterrupts(1);
            others.open();

            assertThat(Runs.take(second, 2)).containsExactly(0L);
        }
    }

    @Test
    void aRunWhoseWorkWaitsBehindAnotherRunClosesWithoutWaitingForIt() {
        Gate others = new Gate();
        int processors = Runtime.getRuntime().availableProcessors();
        CountDownLatch read = new CountDownLatch(1);
        try (Run<Long> busy = Pipeline.from(Sources.range(100))
                .pipe("hold", others::pass, cpu(processors))
                .start()) {
            others.awaitArrivals(processors);
            Run<Long> queued = Pipeline.from(Sources.indexed(10, index -> {
                        if (index == 5) {
                            read.countDown();
                        }
                        return index;
                    }))
                    .pipe("work", item -> item, cpu(1))
                    .start(RunOptions.defaults().grace(Duration.ofSeconds(30)));
            awaitUninterruptibly(read);

            queued.close();

            others.open();
            assertThat(Runs.take(busy, 100)).hasSize(100);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            throw new AssertionError(stop);
        }
    }

    @Test
    void anInterruptOfTheClosingThreadIsKeptAndDoesNotCutTheCloseShort() {
        Tracker tracker = new Tracker();
        Run<Tracker.Item> run = Pipeline.from(Sources.range(100))
                .map(tracker::item)
                .pipe("copy", item -> item, cpu(2))
                .start();
        Thread.currentThread().interrupt();

        run.close();

        assertThat(Thread.interrupted()).isTrue();
        tracker.assertEachClosedOnce();
    }

    @Test
    @Timeout(120)
    void closingDoesNotWaitForTheNextAttemptOfAnAsynchronousCall() throws InterruptedException {
        Tracker tracker = new Tracker();
        CountDownLatch failed = new CountDownLatch(2);
        Run<Tracker.Item> run = Pipeline.from(Sources.range(2))
                .map(tracker::item)
                .pipeAsync(
                        "fetch",
                        item -> {
                            failed.countDown();
                            return CompletableFuture.<Tracker.Item>failedFuture(new IOException("busy"));
                        },
                        StageOptions.async(2).failures(FailurePolicy.failFast().retry(5, Duration.ofHours(1))))
                .start();
        failed.await();

        run.close();

        tracker.assertEachClosedOnce();
    }

    private static long fail(long item) {
        throw new IllegalStateException("item " + item);
    }
}
