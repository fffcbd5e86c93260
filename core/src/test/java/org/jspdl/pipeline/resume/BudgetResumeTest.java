package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Samplers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Of 300 items the 30 that end in 7 fail.
class BudgetResumeTest {
    private static final List<Long> GOOD =
            LongStream.range(0, 300).filter(item -> item % 10 != 7).boxed().toList();

    static LongStream seeds() {
        return LongStream.range(0, Campaign.scale(20, 500));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aBudgetThatIsJustEnoughIsEnoughHoweverOftenTheRunIsInterrupted(long seed) {
        Interrupted<Long> broken = Interrupted.atRandom(
                tuning -> failing(tuning, seed, FailurePolicy.skip(30)), RunOptions.defaults(), new Random(seed), 40);

        assertThat(broken.all()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(GOOD);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aBudgetIsNotRenewedByResuming(long seed) {
        assertThatThrownBy(() -> Interrupted.atRandom(
                        tuning -> failing(tuning, seed, FailurePolicy.skip(29)),
                        RunOptions.defaults(),
                        new Random(seed),
                        40))
                .as("seed %d", seed)
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("30 items failed, more than the 29 allowed");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void elementsOfBatchesThatComeAgainAreCountedOnce(long seed) {
        Interrupted<Long> broken = Interrupted.atRandom(
                tuning -> Pipeline.<Long, Long>routeElements(
                                Pipeline.from(Samplers.shuffled(300, seed)).batch(8, Remainder.KEEP),
                                "parity",
                                item -> item % 2)
                        .when(
                                1L,
                                way -> way.pipe(
                                        "work",
                                        Tuning.uneven(BudgetResumeTest::work),
                                        tuning.options(Order.COMPLETION).failures(FailurePolicy.skip(30))))
                        .otherwise(way -> way)
                        .merge()
                        .unbatch(Tuning.elements()),
                RunOptions.defaults(),
                new Random(seed),
                40);

        assertThat(broken.all()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(GOOD);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theRunsOwnBudgetContinuesToo(long seed) {
        Interrupted<Long> broken = Interrupted.atRandom(
                tuning -> Pipeline.from(Samplers.shuffled(300, seed))
                        .pipe("work", Tuning.uneven(BudgetResumeTest::work), tuning.options(Order.COMPLETION)),
                RunOptions.defaults().failures(FailurePolicy.skip(30)),
                new Random(seed),
                40);

        assertThat(broken.all()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(GOOD);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anItemThatFailsAfterItsFirstPartsCountsOnce(long seed) {
        Interrupted<Long> broken = Interrupted.atRandom(
                tuning -> Pipeline.from(Samplers.shuffled(100, seed))
                        .<Long>flatMap(
                                "parts",
                                item -> () -> LongStream.range(0, 4)
                                        .map(part -> part == 3 && item % 10 == 7 ? fail() : item * 10 + part)
                                        .iterator(),
                                tuning.options(Order.COMPLETION).failures(FailurePolicy.skip(10)))
                        .prefetch(tuning.sink()),
                RunOptions.defaults(),
                new Random(seed),
                40);

        assertThat(broken.all()).as("seed %d", seed).hasSize(100 * 4 - 10).doesNotHaveDuplicates();
    }

    private static Pipeline<Long> failing(Tuning tuning, long seed, FailurePolicy policy) {
        return Pipeline.from(Samplers.shuffled(300, seed))
                .pipe(
                        "work",
                        Tuning.uneven(BudgetResumeTest::work),
                        tuning.options(seed % 2 == 0 ? Order.INPUT : Order.COMPLETION)
                                .failures(policy))
                .prefetch(tuning.sink());
    }

    private static Long work(Long item) {
        return item % 10 == 7 ? fail() : item;
    }

    private static long fail() {
        throw new IllegalStateException("bad item");
    }
}
