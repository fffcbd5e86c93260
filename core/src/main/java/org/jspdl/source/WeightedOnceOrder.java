package org.jspdl.source;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspdl.source.internal.Mixing;
import org.jspdl.source.internal.Weights;

/// Weighted draws without replacement: every index gets the key log(u) / weight, and the largest keys win
/// (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006).
///
/// The order of an epoch is sorted when it is first opened, and kept until another epoch is.
final class WeightedOnceOrder implements IndexOrder {
    private final float[] weights;
    private final int draws;
    private final long seed;
    private final int fingerprint;
    private final EpochIndices indices = new EpochIndices(this::draw);

    private WeightedOnceOrder(float[] weights, int draws, long seed, int fingerprint) {
        this.weights = weights;
        this.draws = draws;
        this.seed = seed;
        this.fingerprint = fingerprint;
    }

    static WeightedOnceOrder of(double[] weights, int draws, long seed) {
        Weights.sum(weights);
        float[] copy = new float[weights.length];
        double scale = 1 / weights[Weights.indexOfLargest(weights)];
        int positive = 0;
        for (int i = 0; i < copy.length; i++) {
            // A weight that is not 0 stays above it, so that its item can be drawn.
            copy[i] = weights[i] > 0 ? Math.max(Float.MIN_NORMAL, (float) (weights[i] * scale)) : 0;
            positive += weights[i] > 0 ? 1 : 0;
        }
        if (draws < 0 || draws > positive) {
            throw new IllegalArgumentException(
                    "draws must be from 0 to the number of positive weights, " + positive + ", but was " + draws);
        }
        return new WeightedOnceOrder(copy, draws, seed, Arrays.hashCode(weights));
    }

    @Override
    public long size() {
        return draws;
    }

    @Override
    public double passes() {
        return (double) draws / weights.length;
    }

    @Override
    public LongUnaryOperator in(long epoch) {
        return indices.in(epoch);
    }

    private int[] draw(long epoch) {
        long key = Mixing.key(seed, epoch);
        long[] ranked = new long[weights.length];
        int count = 0;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0) {
                // Smallest first: -log(u) / weight is positive, and positive floats are ordered as
                // their bits are.
                float score = (float) (-Math.log(Mixing.unit(Mixing.draw(key, i))) / weights[i]);
                ranked[count++] = (long) Float.floatToRawIntBits(score) << 32 | i;
            }
        }
        Arrays.parallelSort(ranked, 0, count);
        int[] indices = new int[draws];
        for (int i = 0; i < draws; i++) {
            indices[i] = (int) ranked[i];
        }
        return indices;
    }

    @Override
    public String identity() {
        return "weighted-once(" + weights.length + " weights #" + Integer.toHexString(fingerprint) + ", " + draws
                + " draws, seed " + seed + ")";
    }
}
