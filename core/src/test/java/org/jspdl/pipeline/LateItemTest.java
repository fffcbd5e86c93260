package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspdl.source.Permutation;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// In input order a late item holds up its own call, and no other.
class LateItemTest {
    private static final int PATIENCE_SECONDS = 100;
    private static final int BEHIND = 500;

    /// Item 0 is late: it waits until this number of others was worked on.
    private static final class Late {
        private final CountDownLatch others;

        Late(int others) {
            this.others = new CountDownLatch(others);
        }

        long pass(long item) throws InterruptedException {
            if (item > 0) {
                others.countDown();
            } else if (!others.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(others.getCount() + " items wait for the late one");
            }
            return item;
        }
    }

    private static StageOptions workers(String placement) {
        return (placement.equals("io") ? StageOptions.io(2) : StageOptions.cpu(2)).inputOrder();
    }

    private static RunOptions options() {
        return RunOptions.defaults().computeThreads(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io", "cpu"})
    void hundredsOfSmallItemsAreWorkedOnBehindALateOne(String placement) {
        Late late = new Late(BEHIND);
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(2 * BEHIND)).pipe("work", late::pass, workers(placement));

        assertThat(Runs.deliveries(pipeline, options())).isEqualTo(Runs.numbers(0, 2 * BEHIND));
    }

    @ParameterizedTest
    @ValueSource(strings = {"io", "cpu"})
    void stagesBehindTheLateOneAndBatchesDoNotMatter(String placement) {
        Late late = new Late(BEHIND);
        var pipeline = Pipeline.from(Sources.range(2 * BEHIND))
                .pipe("before", item -> item, workers(placement))
                .pipe("work", late::pass, workers(placement))
                .pipe("after", item -> item, workers(placement))
                .batch(64, Remainder.KEEP);

        assertThat(Runs.deliveries(pipeline, options()).stream().flatMap(List::stream))
                .containsExactlyElementsOf(Runs.numbers(0, 2 * BEHIND));
    }

    @ParameterizedTest
    @ValueSource(strings = {"io", "cpu"})
    void underAByteBudgetItemsOfAnySizeWaitAsFarAsItGoes(String placement) {
        int fit = 100;
        Late late = new Late(fit - 10);
        AtomicInteger open = new AtomicInteger();
        AtomicInteger mostOpen = new AtomicInteger();
        Pipeline<AutoCloseable> pipeline = Pipeline.from(Sources.range(2 * BEHIND))
                .pipe(
                        "work",
                        item -> {
                            mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
                            late.pass(item);
                            AutoCloseable closing = open::decrementAndGet;
                            return closing;
                        },
                        workers(placement));

        try (Run<AutoCloseable> run = pipeline.start(options().byteBudget(new ByteBudget(fit, 1)))) {
            for (AutoCloseable item : run) {
                item.close();
            }
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
        // The one that the consumer holds is not in flight any more.
        assertThat(mostOpen.get()).isBetween(fit - 10, fit + 1);
        assertThat(open).hasValue(0);
    }

    /// 1 % of the items take 100 times as long as the others.
    @Tag("campaign")
    @Test
    void rareSlowItemsCostInputOrderHardlyAnySpeed() {
        double input = 0;
        double completion = 0;
        for (int round = 0; round < 5; round++) {
            completion = Math.max(completion, itemsPerSecond(StageOptions.io(16)));
            input = Math.max(input, itemsPerSecond(StageOptions.io(16).inputOrder()));
        }

        assertThat(input / completion).isGreaterThan(0.95);
    }

    private static double itemsPerSecond(StageOptions options) {
        int items = 20_000;
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(items))
                .pipe(
                        "work",
                        item -> {
                            long slowness = Permutation.of(items, 7, 0).apply(item) % 100 == 0 ? 100 : 1;
                            LockSupport.parkNanos(slowness * 500_000);
                            return item;
                        },
                        options);
        long began = System.nanoTime();
        List<Long> delivered = Runs.deliveries(pipeline, options());
        double seconds = (System.nanoTime() - began) / 1e9;
        assertThat(delivered).hasSize(items);
        if (options.order() == Order.INPUT) {
            assertThat(delivered).isEqualTo(Runs.numbers(0, items));
        }
        System.out.printf("%s: %.0f items/s%n", options.order(), items / seconds);
        return items / seconds;
    }
}
