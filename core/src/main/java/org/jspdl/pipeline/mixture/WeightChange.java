package org.jspdl.pipeline.mixture;

import java.util.List;

/// Weights of a live mixture that hold from one step on, until the next change. Immutable.
///
/// @param step    the first item that the consumer receives of them, counted from 0 over all epochs, as every run of
///     the recipe counts
/// @param epoch   the epoch of that item
/// @param item    how many items of the mix come before it in that epoch, on this rank
/// @param weights one for each pipeline that is mixed, in their order
public record WeightChange(long step, long epoch, long item, List<Double> weights) {
    /// Copies the weights.
    public WeightChange {
        weights = List.copyOf(weights);
    }
}
