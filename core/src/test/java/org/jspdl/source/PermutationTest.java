package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
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

    @Test
    void neighboursDoNotStayTogether() {
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

    private static java.util.List<Long> first(Permutation permutation) {
        return java.util.stream.LongStream.range(0, 20)
                .map(permutation::apply)
                .boxed()
                .toList();
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
