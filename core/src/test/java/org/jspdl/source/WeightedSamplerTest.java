package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WeightedSamplerTest {
    private static final double[] WEIGHTS = {1, 0, 3, 0.5, 12, 2.5, 0, 1};

    @Test
    void drawsFromAnArrayFollowTheWeights() throws Exception {
        followsWeights(Samplers.weighted(WEIGHTS, 200_000, 3));
    }

    @Test
    void drawsFromAFunctionFollowTheWeights() throws Exception {
        followsWeights(Samplers.weighted(8, index -> WEIGHTS[(int) index], 12, "eight", 200_000, 3));
    }

    private static void followsWeights(Sampler sampler) throws Exception {
        long[] counts = counts(sampler, 0, WEIGHTS.length);
        double chiSquare = 0;
        for (int i = 0; i < counts.length; i++) {
            double expected = WEIGHTS[i] / 20 * 200_000;
            if (expected == 0) {
                assertThat(counts[i]).isZero();
            } else {
                chiSquare += (counts[i] - expected) * (counts[i] - expected) / expected;
            }
        }
        double limitFor5DegreesOfFreedom = 20.5;
        assertThat(chiSquare).isLessThan(limitFor5DegreesOfFreedom);
    }

    private static long[] counts(Sampler sampler, long epoch, int size) throws Exception {
        long[] counts = new long[size];
        Read.all(sampler, epoch).forEach(index -> counts[index.intValue()]++);
        return counts;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 1_000})
    void equalWeightsAndWeightsThatRoundAreDrawnToo(int size) throws Exception {
        double[] weights = new double[size];
        Arrays.fill(weights, 0.1);
        assertThat(Read.all(Samplers.weighted(weights, 20L * size, 1), 0))
                .allMatch(index -> index >= 0 && index < size)
                .hasSize(20 * size);
    }

    @Test
    void epochsDrawAnew() throws Exception {
        Sampler sampler = Samplers.weighted(WEIGHTS, 100, 3);
        assertThat(Read.all(sampler, 0)).isNotEqualTo(Read.all(sampler, 1)).isEqualTo(Read.all(sampler, 0));
    }

    /// The chance to come first is in proportion to the weight; the chance to come second follows from it.
    @Test
    void drawsWithoutReplacementFollowTheWeightsOfWhatIsLeft() throws Exception {
        double[] weights = {1, 2, 3, 4};
        int trials = 40_000;
        double[][] seen = new double[4][4];
        for (int epoch = 0; epoch < trials; epoch++) {
            List<Long> drawn = Read.all(Samplers.weightedWithoutReplacement(weights, 2, 5), epoch);
            seen[drawn.get(0).intValue()][drawn.get(1).intValue()]++;
        }
        for (int first = 0; first < 4; first++) {
            for (int second = 0; second < 4; second++) {
                double chance = first == second ? 0 : weights[first] / 10 * weights[second] / (10 - weights[first]);
                assertThat(seen[first][second] / trials).isCloseTo(chance, within(0.008));
            }
        }
    }

    @Test
    void withoutReplacementNoIndexComesTwiceAndNoneOfWeightZero() throws Exception {
        for (int epoch = 0; epoch < 50; epoch++) {
            List<Long> drawn = Read.all(Samplers.weightedWithoutReplacement(WEIGHTS, 6, 1), epoch);
            assertThat(drawn).doesNotHaveDuplicates().hasSize(6).doesNotContain(1L, 6L);
        }
    }

    @Test
    void tinyWeightsBesideHugeOnesAreDrawnLast() throws Exception {
        double[] weights = {1e-300, 1e300, 1e-300};
        assertThat(Read.all(Samplers.weightedWithoutReplacement(weights, 3, 1), 0))
                .startsWith(1L)
                .containsExactlyInAnyOrder(0L, 1L, 2L);
    }

    @Test
    void everyRoundHasEveryClassOnceAndItemsTakeTurns() throws Exception {
        int[] labels = {7, 7, 7, 7, 7, 2, 2, 9};
        List<Long> drawn = new ArrayList<>();
        Sampler sampler = Samplers.classBalanced(labels, 30, 4);
        for (int epoch = 0; epoch < 5; epoch++) {
            drawn.addAll(Read.all(sampler, epoch));
        }
        for (int round = 0; round < drawn.size(); round += 3) {
            assertThat(drawn.subList(round, round + 3))
                    .extracting(index -> labels[index.intValue()])
                    .containsExactlyInAnyOrder(7, 2, 9);
        }
        List<Long> sevens =
                drawn.stream().filter(index -> labels[index.intValue()] == 7).toList();
        for (int pass = 0; pass < sevens.size(); pass += 5) {
            assertThat(new HashSet<>(sevens.subList(pass, pass + 5))).hasSize(5);
        }
    }

    @Test
    void manyClassesAreCheapToDrawFrom() throws Exception {
        int[] labels = IntStream.range(0, 100_000).map(i -> i % 1_000).toArray();
        List<Long> drawn = Read.all(Samplers.classBalanced(labels, 10_000, 4), 3);
        assertThat(drawn.stream().mapToInt(index -> labels[index.intValue()])).hasSize(10_000);
        assertThat(drawn.stream().map(index -> labels[index.intValue()]).distinct())
                .hasSize(1_000);
    }

    @Test
    void whatCannotBeDrawnFromIsRefused() {
        assertThatThrownBy(() -> Samplers.weighted(new double[] {1, -2}, 5, 0))
                .hasMessageContaining("weight 1")
                .hasMessageContaining("-2");
        assertThatThrownBy(() -> Samplers.weighted(new double[] {Double.NaN}, 5, 0))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> Samplers.weighted(new double[] {0, 0}, 5, 0)).hasMessageContaining("0.0");
        assertThatThrownBy(() -> Samplers.weighted(new double[0], 5, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Samplers.weightedWithoutReplacement(WEIGHTS, 7, 0))
                .hasMessageContaining("6")
                .hasMessageContaining("7");
        assertThatThrownBy(() -> Samplers.classBalanced(new int[] {1, -4}, 7, 0))
                .hasMessageContaining("-4");
        assertThatThrownBy(() -> Samplers.classBalanced(new int[0], 7, 0)).isInstanceOf(IllegalArgumentException.class);
        Sampler beyond = Samplers.weighted(8, index -> 5, 2, "five", 10, 0);
        assertThatThrownBy(() -> Read.all(beyond, 0))
                .hasMessageContaining("5.0")
                .hasMessageContaining("2.0");
        Sampler nothing = Samplers.weighted(8, index -> 0, 2, "none", 10, 0);
        assertThatThrownBy(() -> Read.all(nothing, 0)).hasMessageContaining("none");
    }
}
