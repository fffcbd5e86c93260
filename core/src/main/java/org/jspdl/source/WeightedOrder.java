package org.jspdl.source;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspdl.source.internal.Mixing;
import org.jspdl.source.internal.Weights;

/// Draws with replacement through an alias table (Walker 1977; built as by Vose, "A Linear Algorithm for Generating
/// Random Numbers with a Given Distribution", 1991): a column is chosen uniformly, then itself or its alias.
final class WeightedOrder implements IndexOrder {
    private final double[] keep;
    private final int[] alias;
    private final long draws;
    private final long seed;
    private final int fingerprint;

    private WeightedOrder(double[] keep, int[] alias, long draws, long seed, int fingerprint) {
        this.keep = keep;
        this.alias = alias;
        this.draws = draws;
        this.seed = seed;
        this.fingerprint = fingerprint;
    }

    static WeightedOrder of(double[] weights, long draws, long seed) {
        double sum = Weights.sum(weights);
        int size = weights.length;
        double[] keep = new double[size];
        int[] alias = new int[size];
        // Columns below the mean from the left, those above from the right.
        int[] waiting = new int[size];
        int below = 0;
        int above = size;
        for (int i = 0; i < size; i++) {
            keep[i] = weights[i] / sum * size;
            alias[i] = i;
            if (keep[i] < 1) {
                waiting[below++] = i;
            } else {
                waiting[--above] = i;
            }
        }
        int largest = Weights.indexOfLargest(weights);
        while (below > 0) {
            int small = waiting[--below];
            // Without a column above the mean what is missing is rounding, which must not favor a weight
            // of 0.
            int large = above < size ? waiting[above] : largest;
            alias[small] = large;
            if (above < size) {
                keep[large] -= 1 - keep[small];
                if (keep[large] < 1) {
                    above++;
                    waiting[below++] = large;
                }
            }
        }
        return new WeightedOrder(keep, alias, draws, seed, Arrays.hashCode(weights));
    }

    @Override
    public long size() {
        return draws;
    }

    @Override
    public double passes() {
        return (double) draws / keep.length;
    }

    @Override
    public LongUnaryOperator in(long epoch) {
        long key = Mixing.key(seed, epoch);
        return place -> {
            int column = (int) Mixing.below(keep.length, Mixing.draw(key, 2 * place));
            return Mixing.unit(Mixing.draw(key, 2 * place + 1)) <= keep[column] ? column : alias[column];
        };
    }

    @Override
    public String identity() {
        return "weighted(" + keep.length + " weights #" + Integer.toHexString(fingerprint) + ", " + draws
                + " draws, seed " + seed + ")";
    }
}
