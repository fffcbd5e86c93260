package org.jspdl.source;

import java.util.function.LongUnaryOperator;
import org.jspdl.source.internal.FeistelNetwork;
import org.jspdl.source.internal.Mixing;

/// An order of numbered batches in which the batches of a step are neighbors: steps are shuffled, and the batches in
/// each.
///
/// What does not fill a step comes at the end of the epoch; where it is taken from is drawn for each epoch.
final class StepOrder {
    private StepOrder() {}

    /// @param size how many batches there are
    /// @param step how many batches a step has
    static LongUnaryOperator of(long size, int step, long seed, long epoch) {
        long steps = size / step;
        if (step == 1 || steps == 0) {
            return Permutation.of(size, seed, epoch)::apply;
        }
        Permutation order = Permutation.of(steps, seed, epoch);
        long key = Mixing.draw(Mixing.key(seed, epoch), steps);
        long left = size % step;
        long leftFrom = step * Mixing.below(steps + 1, key);
        return place -> {
            if (place >= steps * step) {
                return leftFrom + place - steps * step;
            }
            long first = step * order.apply(place / step);
            long number = first + new FeistelNetwork(step, key + first).apply(place % step);
            return number + (first >= leftFrom ? left : 0);
        };
    }
}
