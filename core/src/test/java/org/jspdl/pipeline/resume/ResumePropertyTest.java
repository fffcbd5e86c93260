package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class ResumePropertyTest {
    private static final RunOptions TWO_EPOCHS = RunOptions.defaults().epochs(2).computeThreads(2);

    static LongStream seeds() {
        return LongStream.range(0, Campaign.scale(80, 3_000));
    }

    static LongStream someSeeds() {
        return LongStream.range(0, Campaign.scale(20, 500));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyEpochHoldsTheSameItemsWhereverItWasInterrupted(long seed) {
        assertSame(Recipes.of(seed, Order.COMPLETION), seed);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void inInputOrderTheSequenceIsTheSameWhereverItWasInterrupted(long seed) {
        assertSame(Recipes.of(seed, Order.INPUT), seed);
    }

    private static void assertSame(Recipes recipe, long seed) {
        List<List<String>> whole = Interrupted.never(recipe.build(new Tuning(seed)), TWO_EPOCHS);

        Interrupted<String> broken = Interrupted.atRandom(recipe::build, TWO_EPOCHS, new Random(seed), 120);

        for (int epoch = 0; epoch < 2; epoch++) {
            String when = "seed " + seed + ", epoch " + epoch + " after " + broken.interruptions() + " interruptions";
            recipe.assertSame(broken.epochs().get(epoch), whole.get(epoch), when);
        }
    }

    @ParameterizedTest
    @MethodSource("someSeeds")
    void withDroppedRemaindersTheCountIsTheSameAndNothingRepeats(long seed) {
        int size = 50 + (int) seed;
        assertCountAndNoRepeats(
                seed,
                size / 7 * 7,
                tuning -> Pipeline.from(Samplers.shuffled(size, seed))
                        .pipe("work", Tuning.uneven(item -> item), tuning.options(Order.COMPLETION))
                        .batch(7, Remainder.DROP)
                        .pipe("stack", Tuning.uneven(batch -> batch), tuning.options(Order.COMPLETION))
                        .unbatch(Tuning.elements())
                        .prefetch(tuning.sink()));
    }

    @ParameterizedTest
    @MethodSource("someSeeds")
    void aRoundRobinUntilTheFirstEndsDeliversTheSameCountAndRepeatsNothing(long seed) {
        assertCountAndNoRepeats(
                seed,
                2 * 40 + 1,
                tuning -> Pipeline.roundRobin(StoppingStrategy.FIRST_EXHAUSTED, long_(tuning), short_(tuning))
                        .prefetch(tuning.sink()));
    }

    @ParameterizedTest
    @MethodSource("someSeeds")
    void aMixUntilTheFirstEndsDeliversTheSameCountAndRepeatsNothing(long seed) {
        List<List<Long>> whole = Interrupted.never(mixed(seed, new Tuning(seed)), TWO_EPOCHS);

        Interrupted<Long> broken =
                Interrupted.atRandom(tuning -> mixed(seed, tuning), TWO_EPOCHS, new Random(seed), 60);

        for (int epoch = 0; epoch < 2; epoch++) {
            assertThat(broken.epochs().get(epoch))
                    .as("seed %d, epoch %d", seed, epoch)
                    .hasSameSizeAs(whole.get(epoch))
                    .doesNotHaveDuplicates();
        }
    }

    private static Pipeline<Long> mixed(long seed, Tuning tuning) {
        return Pipeline.mix(seed, 1, 2)
                .<Long>of(StoppingStrategy.FIRST_EXHAUSTED, long_(tuning), short_(tuning))
                .prefetch(tuning.sink());
    }

    private static Pipeline<Long> long_(Tuning tuning) {
        return Pipeline.from(Samplers.shuffled(90, 3))
                .pipe("long", Tuning.uneven(item -> item), tuning.options(Order.COMPLETION));
    }

    private static Pipeline<Long> short_(Tuning tuning) {
        return Pipeline.from(Samplers.sequential(40))
                .map(item -> 1_000 + item)
                .pipe("short", Tuning.uneven(item -> item), tuning.options(Order.COMPLETION));
    }

    private static void assertCountAndNoRepeats(
            long seed, int count, java.util.function.Function<Tuning, Pipeline<Long>> recipe) {
        Interrupted<Long> broken = Interrupted.atRandom(recipe, TWO_EPOCHS, new Random(seed), 60);

        for (List<Long> epoch : broken.epochs()) {
            assertThat(epoch).as("seed %d", seed).hasSize(count).doesNotHaveDuplicates();
        }
    }
}
