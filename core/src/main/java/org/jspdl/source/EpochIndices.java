package org.jspdl.source;

import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// The indices of each epoch of an order that draws all of an epoch at once; those of the latest epoch are kept. Safe
/// for use by any number of threads.
final class EpochIndices {
    private final LongFunction<int[]> draw;
    private volatile @Nullable Drawn latest;

    private record Drawn(long epoch, int[] indices) {}

    /// @param draw makes the indices of an epoch, in order: the same ones each time
    EpochIndices(LongFunction<int[]> draw) {
        this.draw = draw;
    }

    LongUnaryOperator in(long epoch) {
        Drawn drawn = latest;
        if (drawn == null || drawn.epoch() != epoch) {
            drawn = new Drawn(epoch, draw.apply(epoch));
            latest = drawn;
        }
        int[] indices = drawn.indices();
        return place -> indices[(int) place];
    }
}
