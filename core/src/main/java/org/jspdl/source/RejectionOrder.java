package org.jspdl.source;

import java.util.function.LongToDoubleFunction;
import java.util.function.LongUnaryOperator;
import org.jspdl.source.internal.Mixing;

/// Draws with replacement by rejection: an index is drawn uniformly and kept with probability weight / most weight.
record RejectionOrder(long items, LongToDoubleFunction weight, double mostWeight, String name, long draws, long seed)
        implements IndexOrder {
    /// This many refusals in a row mean weights far below the most, or all 0.
    private static final int MOST_TRIES = 1_000_000;

    @Override
    public long size() {
        return draws;
    }

    @Override
    public double passes() {
        return (double) draws / items;
    }

    @Override
    public LongUnaryOperator in(long epoch) {
        long key = Mixing.key(seed, epoch);
        return place -> draw(Mixing.draw(key, place));
    }

    private long draw(long key) {
        for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
            long index = Mixing.below(items, Mixing.draw(key, 2L * attempt));
            double chance = weight.applyAsDouble(index);
            if (!(chance >= 0 && chance <= mostWeight)) {
                throw new IllegalArgumentException(
                        "weights must be from 0 to " + mostWeight + " but weight " + index + " was " + chance);
            }
            if (Mixing.unit(Mixing.draw(key, 2L * attempt + 1)) * mostWeight <= chance) {
                return index;
            }
        }
        throw new IllegalStateException("weights '" + name + "': " + MOST_TRIES
                + " indices in a row were refused; nearly all weights are far below the most, " + mostWeight);
    }

    @Override
    public String identity() {
        return "weighted(" + items + " by '" + name + "', " + draws + " draws, seed " + seed + ")";
    }
}
