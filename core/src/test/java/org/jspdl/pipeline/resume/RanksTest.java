package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;
import static org.jspdl.pipeline.resume.World.TO_THE_END;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Even;
import org.jspdl.source.Permutation;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RanksTest {
    /// A multiple of every number of ranks used here, so that there is no remainder.
    private static final int SIZE = 240;

    private static final long SEED = 11;
    private static final RunOptions TWO_EPOCHS = RunOptions.defaults().epochs(2).computeThreads(2);
    private static final Sampler SHUFFLED = Samplers.shuffled(SIZE, SEED);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void anyNumberOfRanksGoesOnInTheCommonOrder(int resumedOn) {
        World<Long> before = World.run(RanksTest::inOrder, 3, TWO_EPOCHS, Optional.empty(), rank -> 7 + 5 * rank);
        World<Long> after = World.run(
                RanksTest::inOrder, resumedOn, TWO_EPOCHS, Optional.of(before.combined()), rank -> TO_THE_END);

        for (int epoch = 0; epoch < 2; epoch++) {
            List<Long> left = commonOrder(epoch);
            left.removeAll(new HashSet<>(before.epoch(epoch)));
            assertThat(after.interleaved(epoch)).isEqualTo(left);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void ranksInDifferentEpochsGoOnTogether(int resumedOn) {
        World<Long> before =
                World.run(RanksTest::inOrder, 3, TWO_EPOCHS, Optional.empty(), rank -> new int[] {90, 10, 160}[rank]);
        World<Long> after = World.run(
                RanksTest::inOrder, resumedOn, TWO_EPOCHS, Optional.of(before.combined()), rank -> TO_THE_END);

        assertThat(before.epoch(1)).isNotEmpty();
        for (int epoch = 0; epoch < 2; epoch++) {
            List<Long> left = commonOrder(epoch);
            left.removeAll(new HashSet<>(before.epoch(epoch)));
            assertThat(after.interleaved(epoch)).isEqualTo(left);
        }
    }

    static java.util.stream.LongStream seeds() {
        return java.util.stream.LongStream.range(0, Campaign.scale(25, 1_000));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whateverNumbersOfRanksFollowEachOtherTheEpochsHoldTheSameItems(long seed) {
        Random random = new Random(seed);
        Tuning tuning = new Tuning(seed);
        int[] numbers = {1, 2, 3, 5, 8};
        List<Long> first = new ArrayList<>();
        List<Long> second = new ArrayList<>();
        Optional<Checkpoint> from = Optional.empty();
        for (int change = 0; change < 6; change++) {
            int worldSize = numbers[random.nextInt(numbers.length)];
            boolean last = change == 5;
            World<Long> world = World.run(
                    (rank, of) -> anyOrder(tuning, rank, of),
                    worldSize,
                    TWO_EPOCHS,
                    from,
                    rank -> last ? TO_THE_END : random.nextInt(1 + SIZE / 2 / worldSize));
            first.addAll(world.epoch(0));
            second.addAll(world.epoch(1));
            from = Optional.of(world.combined());
        }
        assertThat(first).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(commonOrder(0));
        assertThat(second).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(commonOrder(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void aRemainderThatWasDroppedStaysDroppedInTheEpochUnderWay(int resumedOn) {
        Sampler sampler = Samplers.sequential(101);
        World.Share<Long> share =
                (rank, of) -> Pipeline.from(sampler.shard(rank, of)).pipe(item -> item, cpu(2));
        World<Long> three = World.run(share, 3, RunOptions.defaults().epochs(1), Optional.empty(), rank -> 4 * rank);
        World<Long> other = World.run(
                share,
                resumedOn,
                RunOptions.defaults().epochs(1),
                Optional.of(three.combined()),
                rank -> rank % 2 == 0 ? 40 : 3);
        World<Long> end =
                World.run(share, 2, RunOptions.defaults().epochs(1), Optional.of(other.combined()), rank -> TO_THE_END);

        List<Long> delivered = new ArrayList<>(three.epoch(0));
        delivered.addAll(other.epoch(0));
        delivered.addAll(end.epoch(0));
        assertThat(delivered).hasSize(99).doesNotHaveDuplicates().allMatch(item -> item < 99);
    }

    @Test
    void aPaddedRemainderIsDeliveredByAnotherNumberOfRanks() {
        Sampler sampler = Samplers.sequential(10).even(Even.REPEAT);
        World.Share<Long> share =
                (rank, of) -> Pipeline.from(sampler.shard(rank, of)).pipe(item -> item, cpu(1));
        World<Long> four = World.run(share, 4, RunOptions.defaults().epochs(1), Optional.empty(), rank -> 1);
        World<Long> three =
                World.run(share, 3, RunOptions.defaults().epochs(1), Optional.of(four.combined()), rank -> TO_THE_END);

        assertThat(four.epoch(0)).containsExactly(0L, 1L, 2L, 3L);
        // eight places were left, which would be one too few for three ranks
        assertThat(three.epoch(0)).containsExactlyInAnyOrder(4L, 5L, 6L, 7L, 8L, 9L, 0L, 1L, 2L);
        assertThat(three.delivered()).allMatch(rank -> rank.getFirst().size() == 3);
    }

    /// Nothing is delivered of what three ranks have left, all of which eight ranks have read: as many samples as
    /// eight ranks would have in a whole epoch.
    @ParameterizedTest
    @EnumSource(Even.class)
    void whatAllRanksHaveReadToTheEndAndNotDeliveredIsNoWholeEpoch(Even even) {
        Sampler sampler = Samplers.sequential(10).even(even);
        World.Share<Long> share = (rank, of) -> Pipeline.from(sampler.shard(rank, of));
        World<Long> three = World.run(share, 3, TWO_EPOCHS, Optional.empty(), rank -> rank == 0 ? 1 : 0);
        List<Checkpoint> ranks = new ArrayList<>();
        for (int rank = 0; rank < 8; rank++) {
            try (Run<Long> run = share.of(rank, 8).start(TWO_EPOCHS.resumeFrom(three.combined()))) {
                assertThat(run.iterator().hasNext()).isTrue();
                // what is read after the places of this epoch is of the next one
                while (run.checkpoint().toJson().contains("\"epoch\":0,\"pending\":\"\"")
                        || run.stats().stage("source").completed() < 2) {
                    Thread.onSpinWait();
                }
                ranks.add(run.checkpoint());
            }
        }
        World<Long> five = World.run(share, 5, TWO_EPOCHS, Optional.of(Checkpoint.combine(ranks)), rank -> TO_THE_END);

        List<Long> delivered = new ArrayList<>(three.epoch(0));
        delivered.addAll(five.epoch(0));
        if (even == Even.REPEAT) {
            assertThat(delivered).containsAll(five.epoch(1)).hasSize(1 + 4 * 5);
        } else {
            assertThat(delivered).doesNotHaveDuplicates().hasSize(even == Even.UNEVEN ? 10 : 9);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void unevenRanksDeliverEachItemOnceWhateverNumbersOfThemFollowEachOther(long seed) {
        Random random = new Random(seed);
        int size = 1 + random.nextInt(150);
        Sampler sampler = Samplers.shuffled(size, seed).even(Even.UNEVEN);
        World.Share<Long> share =
                (rank, of) -> Pipeline.from(sampler.shard(rank, of)).pipe(item -> item, cpu(2));
        List<List<Long>> delivered = List.of(new ArrayList<>(), new ArrayList<>());
        Optional<Checkpoint> from = Optional.empty();
        for (int change = 0; change < 4; change++) {
            int worldSize = 1 + random.nextInt(16);
            boolean last = change == 3;
            World<Long> world = World.run(
                    share,
                    worldSize,
                    TWO_EPOCHS,
                    from,
                    rank -> last ? TO_THE_END : random.nextInt(2 + size / 2 / worldSize));
            for (int epoch = 0; epoch < 2; epoch++) {
                delivered.get(epoch).addAll(world.epoch(epoch));
            }
            from = Optional.of(world.combined());
        }
        for (List<Long> epoch : delivered) {
            assertThat(epoch).as("seed %d", seed).hasSize(size).doesNotHaveDuplicates();
        }
    }

    @Test
    void aSampleKeepsItsRandomnessOnAnyNumberOfRanks() {
        World.Share<String> share = (rank, of) -> Pipeline.from(SHUFFLED.shard(rank, of))
                .pipeSeeded("augment", (item, random) -> item + ":" + random.nextLong(), cpu(2));
        World<String> one = World.run(share, 1, TWO_EPOCHS, Optional.empty(), rank -> TO_THE_END);
        World<String> three = World.run(share, 3, TWO_EPOCHS, Optional.empty(), rank -> 10);
        World<String> five = World.run(share, 5, TWO_EPOCHS, Optional.of(three.combined()), rank -> TO_THE_END);

        for (int epoch = 0; epoch < 2; epoch++) {
            List<String> together = new ArrayList<>(three.epoch(epoch));
            together.addAll(five.epoch(epoch));
            assertThat(together).containsExactlyInAnyOrderElementsOf(one.epoch(epoch));
        }
        assertThat(one.epoch(0).stream().map(text -> text.replaceAll(".*:", "")))
                .doesNotHaveDuplicates();
    }

    @Test
    void ranksThatHaveDeliveredEverythingLeaveNothing() {
        World<Long> all = World.run(RanksTest::inOrder, 3, TWO_EPOCHS, Optional.empty(), rank -> TO_THE_END);
        World<Long> after =
                World.run(RanksTest::inOrder, 5, TWO_EPOCHS, Optional.of(all.combined()), rank -> TO_THE_END);

        assertThat(after.epoch(0)).isEmpty();
        assertThat(after.epoch(1)).isEmpty();
    }

    @Test
    void theSameNumberOfRanksResumesEachFromItsOwn() {
        World<Long> before = World.run(RanksTest::inOrder, 2, TWO_EPOCHS, Optional.empty(), rank -> 30);
        List<Long> delivered = new ArrayList<>(before.epoch(0));
        for (int rank = 0; rank < 2; rank++) {
            delivered.addAll(Interrupted.never(
                            inOrder(rank, 2),
                            TWO_EPOCHS.resumeFrom(before.checkpoints().get(rank)))
                    .getFirst());
        }
        assertThat(delivered).containsExactlyInAnyOrderElementsOf(commonOrder(0));
    }

    @Test
    void aMissingRankIsNamed() {
        List<Checkpoint> three = checkpoints(3);
        assertThatThrownBy(() -> Checkpoint.combine(three.subList(0, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("every rank is needed once")
                .hasMessageContaining("3 ranks")
                .hasMessageContaining("[0, 1]");
    }

    @Test
    void aRankThatIsThereTwiceIsNamed() {
        List<Checkpoint> three = checkpoints(3);
        assertThatThrownBy(() -> Checkpoint.combine(List.of(three.get(0), three.get(1), three.get(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[0, 1, 1]");
    }

    @Test
    void ranksOfDifferentRecipesAreRefusedWithTheStep() {
        Checkpoint other = World.run(
                        (rank, of) -> Pipeline.from(SHUFFLED.shard(rank, of)).pipe("renamed", item -> item, cpu(2)),
                        2,
                        TWO_EPOCHS,
                        Optional.empty(),
                        rank -> 3)
                .checkpoints()
                .get(1);
        assertThatThrownBy(() -> Checkpoint.combine(List.of(checkpoints(2).getFirst(), other)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("step 2 was pipe work and is pipe renamed");
    }

    @Test
    void aRanksOwnCheckpointIsRefusedByAnother() {
        Checkpoint ofRankOne = checkpoints(3).get(1);
        assertThatThrownBy(() -> inOrder(0, 3).start(TWO_EPOCHS.resumeFrom(ofRankOne)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rank 1 of 3")
                .hasMessageContaining("rank 0 of 3")
                .hasMessageContaining("combine");
    }

    @Test
    void noCheckpointsCannotBeCombined() {
        assertThatThrownBy(() -> Checkpoint.combine(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Checkpoint> checkpoints(int worldSize) {
        return World.run(RanksTest::inOrder, worldSize, TWO_EPOCHS, Optional.empty(), rank -> 5)
                .checkpoints();
    }

    private static Pipeline<Long> inOrder(int rank, int worldSize) {
        return Pipeline.from(SHUFFLED.shard(rank, worldSize))
                .pipe("work", Tuning.uneven(item -> item), io(3).inputOrder());
    }

    private static Pipeline<Long> anyOrder(Tuning tuning, int rank, int worldSize) {
        return Pipeline.from(SHUFFLED.shard(rank, worldSize))
                .pipe("work", Tuning.uneven(item -> item), tuning.options(Order.COMPLETION))
                .prefetch(tuning.sink());
    }

    private static List<Long> commonOrder(long epoch) {
        Permutation permutation = Permutation.of(SIZE, SEED, epoch);
        List<Long> order = new ArrayList<>();
        for (long place = 0; place < SIZE; place++) {
            order.add(permutation.apply(place));
        }
        return order;
    }
}
