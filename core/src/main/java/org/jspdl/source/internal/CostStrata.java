package org.jspdl.source.internal;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/// Samples in strata of like cost, of which each window takes one sample: 4 bytes for each sample. Immutable.
///
/// Samples are sorted by what they count against a batch's budget, and those of equal count by another cost. `windows`
/// neighbors make a stratum; which of them goes to which window is a permutation, another one for each stratum and
/// epoch. So all windows hold nearly the same costs: their sums differ at most by the largest cost less the smallest,
/// because the strata follow each other. (Stratified sampling with one unit for each stratum; Cochran, "Sampling
/// Techniques", 1977, chapter 5.)
public final class CostStrata {
    private final int[] sorted;
    private final int windows;
    /// How many samples the first stratum lacks.
    private final int lacking;

    private CostStrata(int[] sorted, int windows) {
        this.sorted = sorted;
        this.windows = windows;
        this.lacking = Math.ceilDiv(sorted.length, windows) * windows - sorted.length;
    }

    /// The samples in the order in which they are cut into strata.
    ///
    /// @param counts what each sample counts against the budget; not negative
    /// @param second sorts samples of equal counts
    public static int[] sorted(int[] counts, LongUnaryOperator second) {
        long[] keys = new long[counts.length];
        Arrays.setAll(keys, index -> (long) counts[index] << 32 | index);
        Arrays.parallelSort(keys);
        int[] sorted = new int[keys.length];
        for (int from = 0; from < keys.length; ) {
            int to = from;
            while (to < keys.length && keys[to] >>> 32 == keys[from] >>> 32) {
                to++;
            }
            sort(keys, from, to, second, sorted);
            from = to;
        }
        return sorted;
    }

    /// Orders samples of equal counts by their second cost, and then by index.
    private static void sort(long[] keys, int from, int to, LongUnaryOperator second, int[] sorted) {
        long first = second.applyAsLong(keys[from] & 0xFFFF_FFFFL);
        boolean alike = true;
        for (int i = from; i < to; i++) {
            sorted[i] = (int) keys[i];
            alike &= second.applyAsLong(sorted[i]) == first;
        }
        if (alike) {
            return;
        }
        Integer[] run = new Integer[to - from];
        Arrays.setAll(run, i -> sorted[from + i]);
        Arrays.sort(run, (one, other) -> {
            int byCost = Long.compare(second.applyAsLong(one), second.applyAsLong(other));
            return byCost == 0 ? Integer.compare(one, other) : byCost;
        });
        for (int i = from; i < to; i++) {
            sorted[i] = run[i - from];
        }
    }

    /// @param sorted what [#sorted(int[], LongUnaryOperator)] returned
    static CostStrata of(int[] sorted, int windows) {
        return new CostStrata(sorted, windows);
    }

    int windows() {
        return windows;
    }

    /// How many strata there are: the most samples of a window.
    int count() {
        return (sorted.length + lacking) / windows;
    }

    /// The last, and so the costliest, sample of a stratum.
    int costliest(int stratum) {
        return sorted[(stratum + 1) * windows - 1 - lacking];
    }

    /// The sample that a window gets of a stratum; -1 if it gets none, which only the first stratum may say.
    ///
    /// @param key the key of the seed and the epoch; 0 for an order without chance
    int sample(int stratum, int window, long key) {
        long member = key == 0 ? window : new FeistelNetwork(windows, Mixing.draw(key, stratum)).apply(window);
        int index = (int) (stratum * (long) windows + member) - lacking;
        return index < 0 ? -1 : sorted[index];
    }
}
