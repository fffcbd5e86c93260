package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.junit.jupiter.api.Test;

class SamplerWithoutTest {
    private static List<Long> read(Sampler sampler, long epoch) {
        List<Long> indices = new ArrayList<>();
        Cursor<Long> cursor = sampler.cursor(epoch, Position.START);
        try {
            while (cursor.advance()) {
                indices.add(cursor.item());
            }
        } catch (Exception never) {
            throw new IllegalStateException(never);
        }
        return indices;
    }

    private static List<Sampler> orders() {
        double[] weights = LongStream.range(0, 100).mapToDouble(i -> 1 + i % 3).toArray();
        int[] labels = LongStream.range(0, 100).mapToInt(i -> (int) i % 4).toArray();
        return List.of(
                Samplers.sequential(100),
                Samplers.shuffled(100, -7),
                Samplers.shuffled(50, 7).repeated(2),
                Samplers.shuffled(100, 7).limited(90),
                Samplers.shuffled(30, 7).within(Subset.range(10, 40)),
                Samplers.weighted(weights, 100, 7),
                Samplers.weightedWithoutReplacement(weights, 60, 7),
                Samplers.classBalanced(labels, 100, 7));
    }

    @Test
    void inAllOrdersTheIndicesNeverComeAndAllOthersStayWhereTheyWere() {
        Set<Long> bad = Set.of(3L, 17L, 18L, 39L, 99L);
        for (Sampler order : orders()) {
            for (long epoch = 0; epoch < 3; epoch++) {
                List<Long> before = read(order, epoch);
                List<Long> after = read(order.without(3, 99, 17, 18, 39, 3), epoch);
                assertThat(after).as("%s", order).hasSameSizeAs(before).doesNotContainAnyElementsOf(bad);
                for (int place = 0; place < before.size(); place++) {
                    if (!bad.contains(before.get(place))) {
                        assertThat(after.get(place)).as("%s", order).isEqualTo(before.get(place));
                    }
                }
            }
        }
    }

    @Test
    void ranksGetEquallyManyAndTogetherTheWholeOrder() {
        Sampler whole = Samplers.shuffled(1_001, 5).without(1, 2, 3, 500);
        List<Long> common = read(whole, 4);
        for (int ranks = 1; ranks <= 16; ranks++) {
            for (int rank = 0; rank < ranks; rank++) {
                List<Long> share = read(whole.shard(rank, ranks), 4);
                assertThat(share).hasSize(1_001 / ranks);
                for (int i = 0; i < share.size(); i++) {
                    assertThat(share.get(i)).isEqualTo(common.get(i * ranks + rank));
                }
            }
        }
    }

    @Test
    void whatComesInsteadIsNoMoreDifficultThanThePlaceAllows() {
        double[] difficulty = LongStream.range(0, 200).mapToDouble(i -> i).toArray();
        Samplers.Limit limit = (epoch, place) -> 10 + place;
        long[] bad = LongStream.range(20, 60).toArray();
        List<Long> indices =
                read(Samplers.curriculum(difficulty, limit, "10 + place", 3).without(bad), 0);
        for (int place = 0; place < indices.size(); place++) {
            assertThat((double) indices.get(place)).isLessThanOrEqualTo(10.0 + place);
        }
    }

    @Test
    void placesFarBeyondAnIntAreComputedAtOnce() {
        long size = 1L << 40;
        Sampler order = Samplers.sequential(size).without(size - 1, 1L << 33);
        RankShare.RankCursor<Long> cursor = order.cursor(0, Position.at(size - 1));
        assertThat(cursor.advance()).isTrue();
        assertThat(cursor.item()).isBetween(0L, size - 2).isNotEqualTo(1L << 33);
        assertThat(cursor.advance()).isFalse();
    }

    @Test
    void theFirstPlacesTakeLaterOnesAndNothingLeftIsAnError() {
        assertThat(read(Samplers.sequential(4).without(0, 1), 0)).containsExactly(2L, 2L, 2L, 3L);
        assertThat(read(Samplers.sequential(0).without(0), 0)).isEmpty();
        Sampler nothing = Samplers.sequential(4).without(0, 1, 2, 3);
        assertThatThrownBy(() -> read(nothing, 6)).hasMessageContaining("all indices of epoch 6");
        assertThatThrownBy(() -> Samplers.sequential(4).without(-1)).hasMessageContaining("-1");
    }

    @Test
    void aCheckpointGoesOnExactlyAndIsRefusedWithOtherIndices() {
        Sampler order = Samplers.shuffled(100, 5);
        List<Long> all = read(order.without(7, 9), 0);
        Checkpoint half;
        try (Run<Long> run = Pipeline.from(order.without(7, 9)).start()) {
            var items = run.iterator();
            for (int i = 0; i < 41; i++) {
                items.next();
            }
            half = run.checkpoint();
        }
        RunOptions resumed = RunOptions.defaults().resumeFrom(half);
        try (Run<Long> run = Pipeline.from(order.without(9, 7)).start(resumed)) {
            List<Long> rest = new ArrayList<>();
            run.forEach(rest::add);
            assertThat(rest).isEqualTo(all.subList(41, 100));
        }
        for (long[] other : Arrays.asList(new long[] {7}, new long[] {7, 8}, new long[] {})) {
            assertThatThrownBy(() -> Pipeline.from(order.without(other)).start(resumed))
                    .as(Arrays.toString(other))
                    .hasMessageContaining("recipe has changed")
                    .hasMessageContaining(".without(");
        }
        assertThatThrownBy(() -> Pipeline.from(order).start(resumed)).hasMessageContaining(".without(2 indices #");
    }
}
