package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.MergeInputs;
import org.jspdl.pipeline.MergePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Checkpoints of merges whose order the user's code chooses.
class ChosenMergeResumeTest {
    private static final RunOptions TWO_EPOCHS = RunOptions.defaults().epochs(2).computeThreads(2);

    /// Takes as many from one pipeline as the last digit of its next item says, then goes on to the next pipeline.
    private static final class Digits {
        private int from;
        private long left;

        static Digits parse(String text) {
            Digits digits = new Digits();
            String[] parts = text.split(" ", 2);
            digits.from = Integer.parseInt(parts[0]);
            digits.left = Long.parseLong(parts[1]);
            return digits;
        }

        String text() {
            return from + " " + left;
        }
    }

    private static final MergePolicy<Long> BY_DIGITS = MergePolicy.stateful(
            Digits::new,
            (digits, inputs) -> {
                for (int tried = 0; tried <= inputs.count(); tried++) {
                    if (digits.left > 0 && inputs.hasNext(digits.from)) {
                        digits.left--;
                        return digits.from;
                    }
                    digits.from = (digits.from + 1) % inputs.count();
                    digits.left = inputs.hasNext(digits.from) ? inputs.peek(digits.from) % 10 + 1 : 0;
                }
                return MergePolicy.END;
            },
            Digits::text,
            Digits::parse);

    static LongStream seeds() {
        return LongStream.range(0, Campaign.scale(30, 2_000));
    }

    private static Pipeline<Long> pipeline(long seed, Order order, Tuning tuning, MergePolicy<Long> policy) {
        Pipeline<Long> shuffled = Pipeline.from(Samplers.shuffled(70, seed))
                .filter(item -> item % 6 != 5)
                .pipe("shuffled", Tuning.uneven(item -> item), tuning.options(order));
        Pipeline<Long> doubled = Pipeline.from(Samplers.sequential(20))
                .flatMap("doubled", Tuning.uneven(item -> List.of(1_000 + item, 2_000 + item)), tuning.options(order));
        Pipeline<Long> third = Pipeline.from(Samplers.shuffled(45, seed + 1)).map(item -> 3_000 + item);
        return Pipeline.merge("chosen", policy, shuffled, doubled, third)
                .pipe("behind", Tuning.uneven(item -> item), tuning.options(order))
                .prefetch(tuning.sink());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theOrderGoesOnWhereverARunWasBrokenOff(long seed) {
        List<List<Long>> whole =
                Interrupted.never(pipeline(seed, Order.INPUT, new Tuning(seed), BY_DIGITS), TWO_EPOCHS);

        Interrupted<Long> broken = Interrupted.atRandom(
                tuning -> pipeline(seed, Order.INPUT, tuning, BY_DIGITS), TWO_EPOCHS, new Random(seed), 90);

        assertThat(broken.epochs()).as("seed %d", seed).isEqualTo(whole);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void inCompletionOrderEveryItemComesOnce(long seed) {
        List<List<Long>> whole =
                Interrupted.never(pipeline(seed, Order.COMPLETION, new Tuning(seed), BY_DIGITS), TWO_EPOCHS);

        Interrupted<Long> broken = Interrupted.atRandom(
                tuning -> pipeline(seed, Order.COMPLETION, tuning, BY_DIGITS), TWO_EPOCHS, new Random(seed), 90);

        for (int epoch = 0; epoch < 2; epoch++) {
            assertThat(broken.epochs().get(epoch))
                    .as("seed %d, epoch %d", seed, epoch)
                    .containsExactlyInAnyOrderElementsOf(whole.get(epoch));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void takingWhatIsThereDeliversEveryItemOnce(long seed) {
        MergePolicy<Long> any = MergePolicy.of(MergeInputs::awaitAny);
        List<List<Long>> whole = Interrupted.never(pipeline(seed, Order.COMPLETION, new Tuning(seed), any), TWO_EPOCHS);

        Interrupted<Long> broken = Interrupted.atRandom(
                tuning -> pipeline(seed, Order.COMPLETION, tuning, any), TWO_EPOCHS, new Random(seed), 90);

        for (int epoch = 0; epoch < 2; epoch++) {
            assertThat(broken.epochs().get(epoch))
                    .as("seed %d, epoch %d", seed, epoch)
                    .containsExactlyInAnyOrderElementsOf(whole.get(epoch));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anEpochThatThePolicyEndsHasTheSameItems(long seed) {
        MergePolicy<Long> fifty = MergePolicy.of(inputs -> {
            int turn = (int) (inputs.taken() % 3);
            return inputs.taken() == 50 ? MergePolicy.END : inputs.hasNext(turn) ? turn : 0;
        });
        List<List<Long>> whole = Interrupted.never(pipeline(seed, Order.INPUT, new Tuning(seed), fifty), TWO_EPOCHS);

        Interrupted<Long> broken = Interrupted.atRandom(
                tuning -> pipeline(seed, Order.INPUT, tuning, fifty), TWO_EPOCHS, new Random(seed), 30);

        assertThat(whole).allSatisfy(epoch -> assertThat(epoch).hasSize(50));
        assertThat(broken.epochs()).as("seed %d", seed).isEqualTo(whole);
    }

    @Test
    void aStateThatIsNotSavedCannotBeCheckpointedWhichTheMessageSays() {
        MergePolicy<Long> unsaved = MergePolicy.stateful(() -> new int[1], (turn, inputs) -> turn[0]++ % 3);
        try (Run<Long> run = pipeline(1, Order.INPUT, new Tuning(1), unsaved).start()) {
            assertThatThrownBy(run::checkpoint)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("merge 'chosen' keeps state that is not saved")
                    .hasMessageContaining("MergePolicy.stateful(start, choice, write, read)");
        }
    }

    @Test
    void aStateThatThePolicyCannotReadIsRefusedAtTheStart() {
        MergePolicy<Long> illegible = MergePolicy.stateful(
                Digits::new, (digits, inputs) -> inputs.hasNext(0) ? 0 : MergePolicy.END, digits -> "?", Digits::parse);
        Checkpoint checkpoint;
        try (Run<Long> run = pipeline(1, Order.INPUT, new Tuning(1), illegible).start()) {
            run.iterator().next();
            checkpoint = run.checkpoint();
        }

        assertThatThrownBy(() -> pipeline(1, Order.INPUT, new Tuning(1), illegible)
                        .start(RunOptions.defaults().resumeFrom(checkpoint)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stage 'chosen' can't read its state from the checkpoint");
    }

    @Test
    void aStateStaysWithItsRank() {
        World.Share<Long> share = (rank, worldSize) -> Pipeline.merge(
                "chosen",
                BY_DIGITS,
                Pipeline.from(Samplers.shuffled(60, 1).shard(rank, worldSize)),
                Pipeline.from(Samplers.shuffled(60, 2).shard(rank, worldSize)));
        World<Long> two = World.run(share, 2, RunOptions.defaults(), Optional.empty(), rank -> 5);

        assertThatThrownBy(two::combined)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stage 'chosen' of rank 0 is in the middle of an epoch");

        World<Long> one = World.run(share, 1, RunOptions.defaults(), Optional.empty(), rank -> 5);
        Optional<Checkpoint> combined = Optional.of(one.combined());
        assertThat(World.run(share, 1, RunOptions.defaults(), combined, rank -> World.TO_THE_END)
                        .epoch(0))
                .hasSize(115);
        assertThatThrownBy(() -> World.run(share, 2, RunOptions.defaults(), combined, rank -> 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("resume each rank from its own checkpoint");
    }
}
