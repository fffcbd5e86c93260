package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.leakcheck.LeakCheck;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Mix;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.pipeline.mixture.LossFeedback;
import org.jspdl.source.Even;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.jspdl.source.Subset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Orders at their limits: nothing to read, more ranks than samples, the ends of epochs, numbers that are no numbers.
@ExtendWith(LeakCheck.class)
class OrderLimitsTest {
    private static <T> List<T> all(Run<T> run) {
        List<T> all = new ArrayList<>();
        do {
            run.forEach(all::add);
        } while (run.nextEpoch());
        return all;
    }

    private static <T> List<T> all(Pipeline<T> pipeline, RunOptions options) {
        try (Run<T> run = pipeline.start(options)) {
            return all(run);
        }
    }

    private static Checkpoint behind(Pipeline<?> pipeline, RunOptions options, int items) {
        try (Run<?> run = pipeline.start(options)) {
            int left = items;
            do {
                for (Iterator<?> each = run.iterator(); left > 0 && each.hasNext(); left--) {
                    each.next();
                }
            } while (left > 0 && run.nextEpoch());
            assertThat(left).isZero();
            return run.checkpoint();
        }
    }

    @ParameterizedTest
    @EnumSource(Even.class)
    void moreRanksThanSamplesGetWhatIsPromisedAndGoOnFromTheirCheckpoints(Even even) {
        for (int samples = 0; samples < 4; samples++) {
            Sampler order = Samplers.shuffled(samples, -1).even(even);
            List<Checkpoint> ends = new ArrayList<>();
            List<Long> together = new ArrayList<>();
            for (int rank = 0; rank < 5; rank++) {
                Pipeline<Long> share = Pipeline.from(order.shard(rank, 5));
                List<Long> mine = all(share, RunOptions.defaults());
                int expected = switch (even) {
                    case COUNT, STOP_TOGETHER -> 0;
                    case REPEAT -> samples == 0 ? 0 : 1;
                    case UNEVEN -> rank < samples ? 1 : 0;
                };
                assertThat(mine).as("%d samples, rank %d", samples, rank).hasSize(expected);
                together.addAll(mine);
                ends.add(behind(share, RunOptions.defaults().epochs(2), mine.size()));
            }
            if (!even.drops()) {
                assertThat(new HashSet<>(together)).hasSize(samples);
            }
            Checkpoint combined = Checkpoint.combine(ends);
            List<Long> rest = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                rest.addAll(all(
                        Pipeline.from(order.shard(rank, 2)),
                        RunOptions.defaults().epochs(2).resumeFrom(combined)));
            }
            assertThat(rest).as("%d samples, %s", samples, even).hasSizeLessThanOrEqualTo(2 * (samples + 1));
        }
    }

    /// The items of each epoch, by its number.
    private static Map<Long, List<Long>> byEpoch(Sampler share, RunOptions options) {
        Map<Long, List<Long>> epochs = new TreeMap<>();
        try (Run<Long> run = Pipeline.from(share).start(options)) {
            do {
                List<Long> items = epochs.computeIfAbsent(run.epoch(), _ -> new ArrayList<>());
                run.forEach(items::add);
            } while (run.nextEpoch());
        }
        return epochs;
    }

    @ParameterizedTest
    @EnumSource(Even.class)
    void epochsOfWhichNothingWasDeliveredAreThoseOfTheRanksThatReadThem(Even even) {
        RunOptions three = RunOptions.defaults().epochs(3);
        for (int samples = 1; samples < 12; samples++) {
            for (int before = 1; before <= 5; before += 2) {
                Sampler order = Samplers.shuffled(samples, 4).even(even);
                List<Checkpoint> ends = new ArrayList<>();
                int most = 0;
                for (int rank = 0; rank < before; rank++) {
                    int share = all(Pipeline.from(order.shard(rank, before)), RunOptions.defaults())
                            .size();
                    most = Math.max(most, share / 2);
                    ends.add(behind(Pipeline.from(order.shard(rank, before)), three, share / 2));
                }
                RunOptions resumed = three.resumeFrom(Checkpoint.combine(ends));
                long whole = most == 0 ? 0 : 1;
                for (int rank = 0; rank < 4; rank++) {
                    Map<Long, List<Long>> fresh = byEpoch(order.shard(rank, 4), three);
                    Map<Long, List<Long>> rest = byEpoch(order.shard(rank, 4), resumed);
                    fresh.keySet().removeIf(epoch -> epoch < whole);
                    rest.keySet().removeIf(epoch -> epoch < whole);
                    assertThat(rest)
                            .as("%d samples, %d ranks, then rank %d of 4", samples, before, rank)
                            .isEqualTo(fresh);
                }
            }
        }
    }

    @Test
    void aRunThatStoodExactlyAtTheEndOfAnEpochGoesOnWithTheNext() {
        Pipeline<List<Long>> batches = Pipeline.from(Samplers.shuffled(20, 3)).batch(5, Remainder.DROP);
        RunOptions three = RunOptions.defaults().epochs(3);
        List<List<Long>> whole = all(batches, three);
        for (int steps : new int[] {0, 4, 8, 12}) {
            Checkpoint end = behind(batches, three, steps);
            assertThat(all(batches, three.resumeFrom(end))).as("%d", steps).isEqualTo(whole.subList(steps, 12));
            assertThat(all(batches, RunOptions.defaults().epochs(1).resumeFrom(end)))
                    .as("%d, which one epoch does not have", steps)
                    .isEqualTo(whole.subList(Math.min(steps, 4), 4));
        }
    }

    @Test
    void aBatchLargerThanAShareIsNoBatchOrASmallOne() {
        Sampler order = Samplers.shuffled(100, 3).shard(7, 8);
        RunOptions two = RunOptions.defaults().epochs(2);
        assertThat(all(Pipeline.from(order).batch(64, Remainder.DROP), two)).isEmpty();
        assertThat(all(Pipeline.from(order).batch(64, Remainder.KEEP), two))
                .hasSize(2)
                .allMatch(batch -> batch.size() == 12);
    }

    @Test
    void aMixtureWithAnEmptySourceHasTheOthersOrEndsAtOnce() {
        Pipeline<Long> none = Pipeline.from(Samplers.shuffled(0, 1));
        Pipeline<Long> some = Pipeline.from(Samplers.sequential(10));
        RunOptions two = RunOptions.defaults().epochs(2);
        assertThat(all(Pipeline.mix(1, 5, 1).of(StoppingStrategy.ALL_EXHAUSTED, none, some), two))
                .hasSize(20);
        assertThat(all(Pipeline.mix(1, 5, 0.001).of(StoppingStrategy.FIRST_EXHAUSTED, none, some), two))
                .hasSizeLessThan(5);
    }

    @Test
    void weightsThatAreNoShareAreRefusedEverywhere() {
        double most = Double.MAX_VALUE;
        for (double[] wrong :
                new double[][] {{0, 0}, {1, -1}, {1, Double.NaN}, {1, Double.POSITIVE_INFINITY}, {most, most}, {-0.0, 0}
                }) {
            assertThatThrownBy(() -> Pipeline.mix(1, wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("weight");
            Mix fine = Pipeline.mix(1, 1, 1);
            assertThatThrownBy(() -> fine.then(5, wrong)).hasMessageContaining("weight");
            assertThatThrownBy(() -> fine.rampTo(5, wrong)).hasMessageContaining("weight");
            assertThatThrownBy(() -> Samplers.weighted(wrong, 5, 1)).hasMessageContaining("weight");
            assertThatThrownBy(() -> Samplers.weightedWithoutReplacement(wrong, 1, 1))
                    .hasMessageContaining("weight");
            assertThatThrownBy(() -> new LossFeedback(0.5, 0).next(wrong, new double[] {1, 1}))
                    .hasMessageContaining("weight");
        }
        // the largest that there are, and the smallest beside them
        List<Long> drawn = all(
                Pipeline.mix(3, most / 2, most / 4)
                        .of(
                                StoppingStrategy.FIRST_EXHAUSTED,
                                Pipeline.from(Sources.range(2_000)).map(_ -> 0L),
                                Pipeline.from(Sources.range(2_000)).map(_ -> 1L)),
                RunOptions.defaults());
        assertThat((double) drawn.stream().filter(item -> item == 0).count() / drawn.size())
                .isBetween(0.62, 0.72);
    }

    @Test
    void placesAndIndicesBeyondAnIntAreThemselves() {
        long far = 1L << 35;
        assertThat(all(
                        Pipeline.from(Samplers.sequential(4).within(Subset.of(far, far + 1, 0, 7))),
                        RunOptions.defaults()))
                .containsExactly(far, far + 1, 0L, 7L);
        Sampler order = Samplers.shuffled(3 * far, 9);
        Pipeline<Long> share = Pipeline.from(order.shard(2, 3));
        RunOptions options = RunOptions.defaults();
        Checkpoint before = share.checkpointAt(far - 2, options);
        List<Long> last = all(share, options.resumeFrom(before));
        assertThat(last).hasSize(2).doesNotHaveDuplicates().allMatch(index -> index >= 0 && index < 3 * far);
        assertThatThrownBy(() -> order.repeated(Integer.MAX_VALUE)).hasMessageContaining("more than an epoch may have");
    }

    @Test
    void curriculaOfOddNumbersKeepTheirPromiseOrAreRefused() {
        double infinite = Double.POSITIVE_INFINITY;
        double[] values = {infinite, 3, -infinite, -0.0, 0.0, Double.MIN_VALUE};
        List<Long> order = all(
                Pipeline.from(Samplers.curriculum(values, (epoch, place) -> place < 4 ? 1 : 5, "steps", 1)),
                RunOptions.defaults());
        assertThat(order).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L).endsWith(1L, 0L);
        assertThatThrownBy(() -> all(
                        Pipeline.from(Samplers.curriculum(values, (epoch, place) -> Double.NaN, "none", 1)),
                        RunOptions.defaults()))
                .hasStackTraceContaining("the limit 'none' must not fall");
    }

    @Test
    void checkpointsOfRunsThatAreNotOneAreNotCombined() {
        Sampler order = Samplers.shuffled(30, 3);
        RunOptions options = RunOptions.defaults();
        Checkpoint first = behind(Pipeline.from(order.shard(0, 2)), options, 3);
        for (Pipeline<?> other : List.of(
                Pipeline.from(order.without(4).shard(1, 2)),
                Pipeline.from(order.even(Even.REPEAT).shard(1, 2)),
                Pipeline.from(order.limited(29).shard(1, 2)),
                Pipeline.from(Samplers.shuffled(30, 4).shard(1, 2)))) {
            Checkpoint second = behind(other, options, 5);
            assertThatThrownBy(() -> Checkpoint.combine(List.of(first, second)))
                    .as("%s", other)
                    .hasMessageContaining("rank 1 does not go with rank 0");
        }
        Checkpoint seeded = behind(Pipeline.from(order.shard(1, 2)), options.seed(9), 5);
        assertThatThrownBy(() -> Checkpoint.combine(List.of(first, seeded))).hasMessageContaining("seed");
        assertThatThrownBy(() -> Checkpoint.combine(List.of(first))).hasMessageContaining("of 2 ranks there are");
        assertThatThrownBy(() -> Checkpoint.combine(List.of(first, first))).hasMessageContaining("[0, 0]");
    }
}
