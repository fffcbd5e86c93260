package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Samplers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Resuming is exact where epochs are left, and where a `take` ends them.
class LeftEpochResumeTest {
    private static final RunOptions THREE_EPOCHS =
            RunOptions.defaults().epochs(3).computeThreads(2);

    static LongStream seeds() {
        return LongStream.range(0, Campaign.scale(40, 2_000));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatWasLeftOfAnEpochDoesNotComeAgain(long seed) {
        Recipes recipe = Recipes.of(seed, Order.INPUT);
        Random random = new Random(seed);
        List<List<String>> whole = Interrupted.never(recipe.build(new Tuning(seed)), THREE_EPOCHS);
        int left = random.nextInt(whole.getFirst().size() + 1);
        int more = random.nextInt(whole.get(1).size() + 1);
        List<String> second = new ArrayList<>();
        Checkpoint between;
        Checkpoint within;
        try (Run<String> run = recipe.build(new Tuning(seed + 1)).start(THREE_EPOCHS)) {
            run.stream().limit(left).forEach(item -> {});
            assertThat(run.nextEpoch()).isTrue();
            between = run.checkpoint();
            run.stream().limit(more).forEach(second::add);
            within = run.checkpoint();
        }

        assertRest(recipe, seed, between, List.of(), whole);
        assertRest(recipe, seed, within, second, whole);
    }

    private static void assertRest(
            Recipes recipe, long seed, Checkpoint from, List<String> before, List<List<String>> whole) {
        List<String> second = new ArrayList<>(before);
        try (Run<String> run = recipe.build(new Tuning(seed + 2)).start(THREE_EPOCHS.resumeFrom(from))) {
            assertThat(run.epoch()).isEqualTo(1);
            run.forEach(second::add);
            recipe.assertSame(second, whole.get(1), "seed " + seed + ", the epoch that was begun");
            assertThat(run.nextEpoch()).isTrue();
            recipe.assertSame(run.stream().toList(), whole.get(2), "seed " + seed + ", the last epoch");
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aTakeDeliversItsItemsWhereverItIsInterrupted(long seed) {
        int items = 1 + (int) (seed * 7 % 60);
        Interrupted<Long> inOrder =
                Interrupted.atRandom(tuning -> taken(tuning, Order.INPUT, items), THREE_EPOCHS, new Random(seed), 25);
        Interrupted<Long> completion = Interrupted.atRandom(
                tuning -> taken(tuning, Order.COMPLETION, items), THREE_EPOCHS, new Random(seed), 25);

        for (int epoch = 0; epoch < 3; epoch++) {
            assertThat(inOrder.epochs().get(epoch))
                    .as("seed %d, epoch %d", seed, epoch)
                    .isEqualTo(LongStream.range(0, items).boxed().toList());
            assertThat(completion.epochs().get(epoch))
                    .as("seed %d, epoch %d", seed, epoch)
                    .hasSize(items)
                    .doesNotHaveDuplicates();
        }
    }

    private static Pipeline<Long> taken(Tuning tuning, Order order, int items) {
        return Pipeline.from(Samplers.sequential(1_000_000))
                .pipe("work", Tuning.uneven(item -> item), tuning.options(order))
                .take(items)
                .pipe("more", Tuning.uneven(item -> item), tuning.options(order))
                .prefetch(tuning.sink());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aMixThatIsTakenFromDeliversTheSameSequence(long seed) {
        int items = 1 + (int) (seed * 11 % 90);
        List<List<Long>> whole = Interrupted.never(mixed(new Tuning(seed), seed, items), THREE_EPOCHS);

        Interrupted<Long> broken =
                Interrupted.atRandom(tuning -> mixed(tuning, seed, items), THREE_EPOCHS, new Random(seed), 30);

        assertThat(broken.epochs()).as("seed %d", seed).isEqualTo(whole);
        assertThat(whole).allSatisfy(epoch -> assertThat(epoch).hasSize(items));
    }

    private static Pipeline<Long> mixed(Tuning tuning, long seed, int items) {
        return Pipeline.mix(seed, 1, 3)
                .<Long>of(
                        StoppingStrategy.ALL_EXHAUSTED,
                        Pipeline.from(Samplers.shuffled(1_000_000, seed)),
                        Pipeline.from(Samplers.sequential(1_000_000))
                                .map(item -> 2_000_000 + item)
                                .pipe("work", Tuning.uneven(item -> item), tuning.options(Order.INPUT)))
                .take(items)
                .prefetch(tuning.sink());
    }
}
