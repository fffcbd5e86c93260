package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermutationTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 63, 64, 65, 100, 1_000, 4_095, 4_096, 4_097, 100_003})
    void everyIndexIsHitOnce(int size) {
        for (long epoch = 0; epoch < 3; epoch++) {
            Permutation permutation = Permutation.of(size, 42, epoch);
            BitSet hit = new BitSet(size);
            for (int i = 0; i < size; i++) {
                hit.set(Math.toIntExact(permutation.apply(i)));
            }
            assertThat(hit.cardinality()).isEqualTo(size);
            assertThat(hit.length()).isEqualTo(size);
        }
    }

    /// Chi-square over (first index, its place): 99.9 % of uniform permutations are below the limit.
    @Test
    void everyPlaceIsEquallyLikely() {
        int size = 16;
        int trials = 32_000;
        long[][] counts = new long[size][size];
        for (int seed = 0; seed < trials; seed++) {
            Permutation permutation = Permutation.of(size, seed, 0);
            for (int i = 0; i < size; i++) {
                counts[i][(int) permutation.apply(i)]++;
            }
        }
        double expected = (double) trials / size;
        double chiSquare = 0;
        for (long[] row : counts) {
            for (long count : row) {
                chiSquare += (count - expected) * (count - expected) / expected;
            }
        }
        double limitFor225DegreesOfFreedom = 295;
        assertThat(chiSquare).isLessThan(limitFor225DegreesOfFreedom);
    }

    /// Chi-square over all orders of a few elements: their frequencies are those of a fair shuffle.
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6})
    void everyOrderOfAFewIsEquallyLikely(int size) {
        Map<List<Long>, Integer> seen = new HashMap<>();
        int orders = IntStream.rangeClosed(1, size).reduce(1, (a, b) -> a * b);
        int each = 100;
        for (int seed = 0; seed < orders * each; seed++) {
            Permutation permutation = Permutation.of(size, seed, 5);
            seen.merge(LongStream.range(0, size).map(permutation::apply).boxed().toList(), 1, Integer::sum);
        }
        assertThat(seen).hasSize(orders);
        assertThat(standardScore(seen.values().stream().mapToInt(Integer::intValue), each, orders))
                .isBetween(-4.0, 4.0);
    }

    /// Chi-square over the places of two neighbors, for a size with a table and for sizes with a network.
    @ParameterizedTest
    @ValueSource(ints = {100, 257, 300})
    void everyPairOfPlacesIsEquallyLikely(int size) {
        int[] counts = new int[size * size];
        int pairs = size * (size - 1);
        int each = 8;
        for (long epoch = 0; epoch < (long) pairs * each; epoch++) {
            Permutation permutation = Permutation.of(size, 17, epoch);
            counts[(int) (permutation.apply(size / 2) * size + permutation.apply(size / 2 + 1))]++;
        }
        IntStream different = IntStream.range(0, counts.length)
                .filter(i -> i / size != i % size)
                .map(i -> counts[i]);
        assertThat(standardScore(different, each, pairs)).isBetween(-4.0, 4.0);
    }

    /// The number of cycles of a fair shuffle has a known mean and variance.
    @ParameterizedTest
    @ValueSource(ints = {64, 256, 1_000, 4_097})
    void cyclesAreAsManyAsInAFairShuffle(int size) {
        int trials = 2_000;
        double mean = 0;
        double variance = 0;
        for (int k = 1; k <= size; k++) {
            mean += 1.0 / k;
            variance += 1.0 / k - 1.0 / ((double) k * k);
        }
        long cycles = 0;
        for (int seed = 0; seed < trials; seed++) {
            cycles += cycles(Permutation.of(size, seed * 7919L, 1), size);
        }
        assertThat(((double) cycles / trials - mean) / Math.sqrt(variance / trials))
                .isBetween(-4.0, 4.0);
    }

    private static int cycles(Permutation permutation, int size) {
        BitSet seen = new BitSet(size);
        int cycles = 0;
        for (int start = seen.nextClearBit(0); start < size; start = seen.nextClearBit(start)) {
            cycles++;
            for (int i = start; !seen.get(i); i = (int) permutation.apply(i)) {
                seen.set(i);
            }
        }
        return cycles;
    }

    /// How many standard deviations a chi-square statistic lies from its mean.
    private static double standardScore(IntStream counts, double expected, int cells) {
        double chiSquare = counts.mapToDouble(count -> (count - expected) * (count - expected) / expected)
                .sum();
        return (chiSquare - (cells - 1)) / Math.sqrt(2.0 * (cells - 1));
    }

    @Test
    void neighborsDoNotStayTogether() {
        int size = 10_000;
        Permutation permutation = Permutation.of(size, 1, 0);
        int together = 0;
        for (int i = 1; i < size; i++) {
            if (Math.abs(permutation.apply(i) - permutation.apply(i - 1)) == 1) {
                together++;
            }
        }
        assertThat(together).as("2 are expected").isLessThan(12);
    }

    @Test
    void seedsAndEpochsGiveOrdersOfTheirOwnAndTheSameOnesAgain() {
        assertThat(first(Permutation.of(1_000, 1, 0))).isEqualTo(first(Permutation.of(1_000, 1, 0)));
        assertThat(first(Permutation.of(1_000, 1, 0))).isNotEqualTo(first(Permutation.of(1_000, 2, 0)));
        assertThat(first(Permutation.of(1_000, 1, 0))).isNotEqualTo(first(Permutation.of(1_000, 1, 1)));
    }

    private static List<Long> first(Permutation permutation) {
        return LongStream.range(0, 20).map(permutation::apply).boxed().toList();
    }

    @Test
    void aHugeSizeNeedsNoMemory() {
        long size = 1L << 62;
        Permutation permutation = Permutation.of(size, 3, 0);
        for (long index : new long[] {0, 1, size / 2, size - 1}) {
            assertThat(permutation.apply(index)).isBetween(0L, size - 1);
        }
    }

    @Test
    void whatIsOutOfRangeIsRefusedWithItsValue() {
        assertThatThrownBy(() -> Permutation.of(-1, 0, 0)).hasMessageContaining("-1");
        assertThatThrownBy(() -> Permutation.of(Long.MAX_VALUE, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        Permutation permutation = Permutation.of(5, 0, 0);
        assertThatThrownBy(() -> permutation.apply(5))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("5");
        assertThatThrownBy(() -> permutation.apply(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
