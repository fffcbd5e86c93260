package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

class IterationTest {
    private final Pipeline<Long> pipeline = Pipeline.from(Sources.range(10)).pipe("copy", item -> item, cpu(1));

    @Test
    void aSecondIteratorGoesOnWhereTheFirstStopped() {
        try (Run<Long> run = pipeline.start()) {
            Iterator<Long> first = run.iterator();
            assertThat(first.next()).isEqualTo(0);
            assertThat(first.next()).isEqualTo(1);

            Iterator<Long> second = run.iterator();

            assertThat(second.next()).isEqualTo(2);
            assertThat(Runs.take(run, 100)).isEqualTo(numbers(3, 10));
        }
    }

    @Test
    void breakingOffAForLoopLosesNothing() {
        try (Run<Long> run = pipeline.start()) {
            for (Long item : run) {
                if (item == 4) {
                    break;
                }
            }
            assertThat(run.iterator().next()).isEqualTo(5);
        }
    }

    @Test
    void askingHasNextManyTimesTakesOneItem() {
        try (Run<Long> run = pipeline.start()) {
            Iterator<Long> items = run.iterator();
            for (int i = 0; i < 5; i++) {
                assertThat(items.hasNext()).isTrue();
            }
            assertThat(run.iterator().hasNext()).isTrue();
            assertThat(items.next()).isEqualTo(0);
            assertThat(run.iterator().next()).isEqualTo(1);
        }
    }

    @Test
    void anIteratorThatIsThrownAwayHasNoEffect() {
        try (Run<Long> run = pipeline.start()) {
            for (int i = 0; i < 5; i++) {
                assertThat(run.iterator()).isNotNull();
            }
            assertThat(Runs.take(run, 100)).isEqualTo(numbers(0, 10));
        }
    }

    @Test
    void atTheEndTheIteratorStaysAtTheEnd() {
        try (Run<Long> run = pipeline.start()) {
            Runs.take(run, 100);
            Iterator<Long> items = run.iterator();
            assertThat(items.hasNext()).isFalse();
            assertThat(items.hasNext()).isFalse();
            assertThatThrownBy(items::next).isInstanceOf(NoSuchElementException.class);
            assertThat(run.epochEnded()).isTrue();
        }
    }

    @Test
    void aStreamYieldsWhatIsLeft() {
        try (Run<Long> run = pipeline.start()) {
            run.iterator().next();
            assertThat(run.stream().map(item -> item * 2))
                    .containsExactlyElementsOf(
                            numbers(1, 10).stream().map(item -> item * 2).toList());
        }
    }

    @Test
    void pollReturnsAnItemThatIsThere() throws InterruptedException {
        try (Run<Long> run = pipeline.start()) {
            assertThat(run.poll(Duration.ofMinutes(1))).contains(0L);
            assertThat(run.poll(Duration.ofMinutes(1))).contains(1L);
        }
    }

    @Test
    void pollReturnsEmptyWhenNothingComesInTime() throws InterruptedException {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        try (Run<Integer> run = Pipeline.from(Sources.queue(queue)).start()) {
            assertThat(run.poll(Duration.ofMillis(1))).isEmpty();
            assertThat(run.poll(Duration.ZERO)).isEmpty();
            assertThat(run.epochEnded()).isFalse();
            queue.add(7);
            assertThat(run.poll(Duration.ofMinutes(1))).contains(7);
        }
    }

    @Test
    void pollReturnsEmptyAtTheEndOfTheEpochWithoutWaiting() throws InterruptedException {
        try (Run<Long> run = pipeline.start()) {
            Runs.take(run, 100);
            assertThat(run.poll(Duration.ofHours(1))).isEmpty();
            assertThat(run.epochEnded()).isTrue();
        }
    }

    @Test
    void pollTakesAnyTimeout() throws InterruptedException {
        try (Run<Long> run = pipeline.start()) {
            assertThat(run.poll(Duration.ofSeconds(Long.MAX_VALUE))).contains(0L);
            assertThat(run.poll(Duration.ofNanos(Long.MAX_VALUE))).contains(1L);
            assertThat(run.poll(Duration.ofDays(-1)).orElse(2L)).isEqualTo(2L);
        }
    }

    @Test
    void pollThrowsTheFailureOfTheRun() {
        Pipeline<Long> failing = Pipeline.from(Sources.range(1))
                .pipe(
                        "fail",
                        item -> {
                            throw new IllegalStateException("broken");
                        },
                        io(1));
        try (Run<Long> run = failing.start()) {
            assertThatThrownBy(() -> run.poll(Duration.ofMinutes(1)))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("broken");
        }
    }

    @Test
    void theIteratorWaitsForASlowStage() {
        Gate gate = new Gate();
        try (Run<Long> run =
                Pipeline.from(Sources.range(1)).pipe("slow", gate::pass, io(1)).start()) {
            gate.awaitArrivals(1);
            Thread opener = Thread.ofVirtual().start(gate::open);
            assertThat(run.iterator().next()).isEqualTo(0);
            assertThat(opener).isNotNull();
        }
    }

    @Test
    void aConsumerThatIsInterruptedWhileItWaitsIsToldAndMayGoOn() throws InterruptedException {
        Gate gate = new Gate();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (Run<Long> run =
                Pipeline.from(Sources.range(1)).pipe("slow", gate::pass, io(1)).start()) {
            Thread consumer = Thread.ofPlatform().start(() -> {
                try {
                    run.iterator().next();
                } catch (PipelineException expected) {
                    thrown.set(expected);
                }
            });
            gate.awaitArrivals(1);
            consumer.interrupt();
            consumer.join();

            assertThat(thrown.get()).hasMessageContaining("interrupted").hasCauseInstanceOf(InterruptedException.class);
            gate.open();
            assertThat(run.iterator().next()).isEqualTo(0);
        }
    }

    @Test
    void aClosedRunYieldsNothingAndSaysSo() {
        Run<Long> run = pipeline.start();
        run.close();

        assertThatThrownBy(() -> run.iterator().hasNext())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aRecipeMayBeStartedManyTimesAlsoAtOnce() {
        try (Run<Long> first = pipeline.start();
                Run<Long> second = pipeline.start()) {
            assertThat(first.iterator().next()).isEqualTo(0);
            assertThat(second.iterator().next()).isEqualTo(0);
            assertThat(Runs.take(first, 100)).isEqualTo(numbers(1, 10));
            assertThat(Runs.take(second, 100)).isEqualTo(numbers(1, 10));
        }
        assertThat(Runs.deliveries(pipeline)).isEqualTo(numbers(0, 10));
    }

    @Test
    void derivingARecipeLeavesTheOriginalAsItIs() {
        Pipeline<List<Long>> batched = pipeline.map(item -> item + 1).batch(5, Remainder.KEEP);

        assertThat(Runs.deliveries(batched)).containsExactly(numbers(1, 6), numbers(6, 11));
        assertThat(Runs.deliveries(pipeline)).isEqualTo(numbers(0, 10));
    }
}
