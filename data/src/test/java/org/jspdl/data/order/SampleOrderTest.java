package org.jspdl.data.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Sampler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What lists and weights of the user's visit, and what is refused of them and of their files.
class SampleOrderTest {
    @TempDir
    Path folder;

    private static List<Long> epoch(Sampler sampler, long epoch, Position from) throws Exception {
        List<Long> seen = new ArrayList<>();
        try (Cursor<Long> cursor = sampler.open(epoch, from)) {
            while (cursor.advance()) {
                seen.add(cursor.item());
            }
        }
        return seen;
    }

    private static List<Long> epoch(SampleOrder order, long size, long epoch) throws Exception {
        return epoch(order.over(size), epoch, Position.START);
    }

    @Test
    void listedSamplesComeInTheirOrderInEveryEpoch() throws Exception {
        SampleOrder order = SampleOrder.listed(4, 0, 4, 2);

        assertThat(epoch(order, 5, 0)).isEqualTo(epoch(order, 5, 9)).containsExactly(4L, 0L, 4L, 2L);
    }

    @Test
    void listedSamplesAreShuffledAnewInEachEpoch() throws Exception {
        long[] some = {3, 14, 15, 92, 65, 35, 89, 79, 32, 38};
        SampleOrder order = SampleOrder.shuffled(5, some);

        assertThat(epoch(order, 100, 0))
                .containsExactlyInAnyOrder(3L, 14L, 15L, 92L, 65L, 35L, 89L, 79L, 32L, 38L)
                .isNotEqualTo(epoch(order, 100, 1));
    }

    @Test
    void epochsWithOrdersOfTheirOwnBeginAnewBehindTheLast() throws Exception {
        SampleOrder order = SampleOrder.listedByEpoch(new long[] {0, 1}, new long[] {7, 7}, new long[] {2, 0});

        assertThat(epoch(order, 8, 1)).containsExactly(7L, 7L);
        assertThat(epoch(order, 8, 5)).isEqualTo(epoch(order, 8, 2)).containsExactly(2L, 0L);
    }

    @Test
    void everyPlaceIsResumedExactly() throws Exception {
        double[] weights = {1, 2, 0, 4, 0.5, 3};
        for (SampleOrder order : List.of(
                SampleOrder.listed(5, 3, 3, 1),
                SampleOrder.shuffled(1, 5, 4, 3, 2, 0),
                SampleOrder.listedByEpoch(new long[] {1, 2, 3}, new long[] {3, 2, 1}),
                SampleOrder.weighted(weights, OptionalLong.of(20), 7),
                SampleOrder.weightedWithoutReplacement(weights, OptionalLong.empty(), 7))) {
            for (int rank = 0; rank < 2; rank++) {
                Sampler sampler = order.over(6).shard(rank, 2);
                List<Long> whole = epoch(sampler, 3, Position.START);
                try (Cursor<Long> cursor = sampler.open(3, Position.START)) {
                    for (int taken = 1; cursor.advance(); taken++) {
                        assertThat(epoch(sampler, 3, cursor.position()))
                                .as("%s, rank %d, behind %d", order, rank, taken)
                                .isEqualTo(whole.subList(taken, whole.size()));
                    }
                }
            }
        }
    }

    @Test
    void withoutReplacementAllPositiveWeightsAreDrawnOnce() throws Exception {
        assertThat(epoch(SampleOrder.weightedWithoutReplacement(new double[] {1, 0, 2}, OptionalLong.empty(), 1), 3, 0))
                .containsExactlyInAnyOrder(0L, 2L);
    }

    @Test
    void ordersAreEqualIfTheyVisitTheSame() {
        assertThat(SampleOrder.listed(1, 2)).isEqualTo(SampleOrder.listed(1, 2)).isNotEqualTo(SampleOrder.listed(2, 1));
        assertThat(SampleOrder.listed(1, 2)).isNotEqualTo(SampleOrder.shuffled(0, 1, 2));
        assertThat(SampleOrder.weighted(new double[] {1, 2}, OptionalLong.empty(), 1))
                .isNotEqualTo(SampleOrder.weighted(new double[] {1, 2}, OptionalLong.of(3), 1))
                .isNotEqualTo(SampleOrder.weighted(new double[] {1, 2}, OptionalLong.empty(), 2));
    }

    @Test
    void whatTheDatasetDoesNotHaveIsNamed() {
        assertThatThrownBy(() -> SampleOrder.listed(1, 12, 3).over(12))
                .hasMessage("index 12 at place 1 is beyond the dataset, which has 12 samples, numbered from 0");
        assertThatThrownBy(() -> SampleOrder.listed(1, -2)).hasMessageContaining("-2");
        assertThatThrownBy(SampleOrder::listed).hasMessage("there are no indices: an epoch would be empty");
        assertThatThrownBy(() -> SampleOrder.listedByEpoch(new long[] {1}, new long[] {1, 2}))
                .hasMessage("all epochs must visit equally many samples but epoch 0 has 1 and epoch 1 has 2");
        assertThatThrownBy(() -> SampleOrder.weighted(new double[] {1, 2}, OptionalLong.empty(), 0)
                        .over(3))
                .hasMessage("there are 2 weights but 3 samples: give one weight for each sample, in the order of the"
                        + " dataset");
        assertThatThrownBy(() -> SampleOrder.weighted(new double[] {1, Double.NaN}, OptionalLong.empty(), 0))
                .hasMessage("weights must be finite and not negative but weight 1 was NaN");
        assertThatThrownBy(() -> SampleOrder.weightedWithoutReplacement(new double[] {1, 0, 2}, OptionalLong.of(3), 0))
                .hasMessageContaining("positive weights, 2, but was 3");
    }

    @Test
    void filesHoldIndicesOfAnyWholeTypeAndOfSeveralEpochs() throws IOException {
        Path wide = npy(ElementType.INT64, Shape.of(3), MemorySegment.ofArray(new long[] {3, 1, 2}));
        assertThat(NumberFile.indices(wide)).isDeepEqualTo(new long[][] {{3, 1, 2}});
        Path narrow = npy(ElementType.UINT8, Shape.of(2, 2), MemorySegment.ofArray(new byte[] {1, 2, (byte) 200, 4}));
        assertThat(NumberFile.indices(narrow)).isDeepEqualTo(new long[][] {{1, 2}, {200, 4}});
        assertThat(NumberFile.indices(Files.writeString(folder.resolve("indices.txt"), "7\n\n 0 \n")))
                .isDeepEqualTo(new long[][] {{7, 0}});
    }

    @Test
    void filesHoldWeightsOfAnyType() throws IOException {
        Path floats = npy(ElementType.FLOAT32, Shape.of(2), MemorySegment.ofArray(new float[] {0.5f, 2}));
        assertThat(NumberFile.numbers(floats)).containsExactly(0.5, 2);
        Path whole = npy(ElementType.INT32, Shape.of(2), MemorySegment.ofArray(new int[] {3, 0}));
        assertThat(NumberFile.numbers(whole)).containsExactly(3, 0);
        assertThat(NumberFile.numbers(Files.writeString(folder.resolve("weights.txt"), "0.25\n1e3\n")))
                .containsExactly(0.25, 1000);
    }

    @Test
    void filesWithAnythingElseAreRefusedByName() throws IOException {
        Path floats = npy(ElementType.FLOAT64, Shape.of(1), MemorySegment.ofArray(new double[] {1}));
        assertThatThrownBy(() -> NumberFile.indices(floats))
                .hasMessage(floats + " must hold whole numbers but holds FLOAT64");
        Path mask = npy(ElementType.BOOL, Shape.of(2), MemorySegment.ofArray(new byte[] {1, 0}));
        assertThatThrownBy(() -> NumberFile.indices(mask))
                .hasMessageEndingWith("numpy.flatnonzero(mask) makes indices");
        Path cube = npy(ElementType.INT32, Shape.of(1, 1, 1), MemorySegment.ofArray(new int[] {1}));
        assertThatThrownBy(() -> NumberFile.indices(cube)).hasMessageContaining("but has 3 dimensions");
        Path none = npy(ElementType.INT32, Shape.of(2_000_000_000, 0), MemorySegment.ofArray(new int[0]));
        assertThatThrownBy(() -> NumberFile.indices(none)).hasMessageContaining("has no indices");
        Path negative = Files.writeString(folder.resolve("negative.txt"), "3\n-1\n");
        assertThatThrownBy(() -> NumberFile.indices(negative)).hasMessageContaining("index -1 at place 1 is negative");
        Path word = Files.writeString(folder.resolve("word.txt"), "3\nfour\n");
        assertThatThrownBy(() -> NumberFile.indices(word)).hasMessage(word + ", number 2: 'four' is no whole number");
        assertThatThrownBy(() -> NumberFile.numbers(word)).hasMessage(word + ", number 2: 'four' is no number");
        Path absent = folder.resolve("absent.npy");
        assertThatThrownBy(() -> NumberFile.numbers(absent)).hasMessage("there is no file at " + absent);
        Path broken = Files.write(folder.resolve("broken.npy"), new byte[] {1, 2, 3});
        assertThatThrownBy(() -> NumberFile.indices(broken))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("broken.npy");
    }

    private Path npy(ElementType type, Shape shape, MemorySegment bytes) throws IOException {
        Path file = Files.createTempFile(folder, "array", ".npy");
        Npy.write(file, ArrayView.of(type, shape, bytes));
        return file;
    }
}
