package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Runs.deliveries;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OrderTest {

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void everyItemIsDeliveredOnce(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(300)).pipe("work", item -> item * 3, setting.options());

        List<Long> delivered = deliveries(pipeline);

        assertThat(delivered).hasSize(300).doesNotHaveDuplicates().allMatch(item -> item % 3 == 0 && item < 900);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#ordered")
    void inputOrderIsTheOrderOfTheInput(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(300)).pipe("work", OrderTest::uneven, setting.options());

        assertThat(deliveries(pipeline)).isEqualTo(numbers(0, 300));
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#ordered")
    void inputOrderHoldsThroughChainsFiltersAndSkippedItems(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(300))
                .pipe("first", OrderTest::uneven, setting.options())
                .filter(item -> item % 5 != 0)
                .pipe("second", OrderTest::failingOnSevens, setting.options().failures(FailurePolicy.skip(1_000)));

        assertThat(deliveries(pipeline))
                .isEqualTo(numbers(0, 300).stream()
                        .filter(i -> i % 5 != 0 && i % 7 != 0)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#ordered")
    void nothingBehindAFailedItemIsDeliveredInInputOrder(Setting setting) {
        for (int round = 0; round < 20; round++) {
            CountDownLatch overtaken = new CountDownLatch(setting.concurrency() == 1 ? 0 : 1);
            Pipeline<Long> pipeline = Pipeline.from(Sources.range(50))
                    .pipe("work", item -> failingWhenOvertaken(item, overtaken), setting.options())
                    .pipe("after", OrderTest::uneven, setting.options());

            assertThat(deliveredUntilTheFailure(pipeline)).isEqualTo(numbers(0, 5));
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#ordered")
    void nothingBehindAFailedDivisionIsDeliveredInInputOrder(Setting setting) {
        CountDownLatch overtaken = new CountDownLatch(setting.concurrency() == 1 ? 0 : 1);
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(50))
                .flatMap(
                        "divide",
                        item -> {
                            if (item == 6) {
                                overtaken.countDown();
                            }
                            return () -> Stream.of(item, -item)
                                    .map(part -> part == -5 ? failingWhenOvertaken(5L, overtaken) : part)
                                    .iterator();
                        },
                        setting.options());

        assertThat(deliveredUntilTheFailure(pipeline)).containsExactly(0L, 0L, 1L, -1L, 2L, -2L, 3L, -3L, 4L, -4L, 5L);
    }

    @Test
    void nothingBehindAFailedPromiseIsDeliveredInInputOrder() {
        CompletableFuture<Long> failing = new CompletableFuture<>();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(50))
                .pipeAsync(
                        "fetch",
                        item -> {
                            if (item == 8) {
                                failing.completeExceptionally(new IllegalStateException("five"));
                            }
                            return item == 5 ? failing : CompletableFuture.completedFuture(item);
                        },
                        StageOptions.async(8).inputOrder());

        assertThat(deliveredUntilTheFailure(pipeline)).isEqualTo(numbers(0, 5));
    }

    private static <T> List<T> deliveredUntilTheFailure(Pipeline<T> pipeline) {
        List<T> delivered = new ArrayList<>();
        try (Run<T> run = pipeline.start(Setting.roomy())) {
            assertThatThrownBy(() -> run.forEach(delivered::add))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("five");
        }
        return delivered;
    }

    /// Fails for item 5 when a later one is done.
    private static long failingWhenOvertaken(long item, CountDownLatch overtaken) {
        if (item == 5) {
            try {
                overtaken.await();
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
            throw new IllegalStateException("five");
        }
        if (item == 6) {
            overtaken.countDown();
        }
        return item;
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aFilterMayDropEverything(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(100))
                .pipe("work", item -> item, setting.options())
                .filter(item -> false);

        assertThat(deliveries(pipeline)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#unordered")
    void concurrencyOneKeepsTheOrderWithoutBeingAsked(Setting setting) {
        if (setting.concurrency() > 1) {
            return;
        }
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(100)).pipe("work", OrderTest::uneven, setting.options());

        assertThat(deliveries(pipeline)).isEqualTo(numbers(0, 100));
    }

    @Test
    void completionOrderLetsAQuickItemOvertakeASlowOne() {
        Gate slow = new Gate();
        Pipeline<Long> pipeline =
                Pipeline.from(Sources.range(2)).pipe("work", item -> item == 0 ? slow.pass(item) : item, io(2));

        try (Run<Long> run = pipeline.start()) {
            var items = run.iterator();
            assertThat(items.next()).isEqualTo(1);
            slow.open();
            assertThat(items.next()).isEqualTo(0);
        }
    }

    @Test
    void inputOrderHoldsAQuickItemBackUntilTheSlowOneBeforeItIsDone() throws InterruptedException {
        Gate slow = new Gate();
        Gate done = new Gate();
        done.open();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(4))
                .pipe(
                        "work",
                        item -> item == 0 ? slow.pass(item) : done.pass(item),
                        io(2).inputOrder().buffer(4));

        try (Run<Long> run = pipeline.start()) {
            done.awaitArrivals(3);
            done.awaitEmpty();
            assertThat(run.poll(java.time.Duration.ofMillis(5))).isEmpty();
            slow.open();
            assertThat(Runs.take(run, 4)).isEqualTo(numbers(0, 4));
        }
    }

    @Test
    void theOtherFunctionsRunAheadOfAStragglerUpToTheWindow() {
        Gate straggler = new Gate();
        Gate others = new Gate();
        others.open();
        int buffer = 3;
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(100))
                .pipe(
                        "work",
                        item -> item == 0 ? straggler.pass(item) : others.pass(item),
                        cpu(2).inputOrder().buffer(buffer))
                .prefetch(buffer);

        try (Run<Long> run = pipeline.start(Setting.roomy())) {
            straggler.awaitArrivals(1);
            others.awaitArrivals(buffer);
            straggler.open();
            assertThat(Runs.take(run, 100)).isEqualTo(numbers(0, 100));
        }
    }

    /// Takes longer for every third item, without a clock.
    private static long uneven(long item) {
        if (item % 3 == 0) {
            Runs.dawdle(20);
        }
        return item;
    }

    private static long failingOnSevens(long item) {
        if (item % 7 == 0) {
            throw new IllegalArgumentException("a seven");
        }
        return uneven(item);
    }
}
