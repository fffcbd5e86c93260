package org.jspdl.pipeline;

/// How many bytes the items in flight may weigh together.
///
/// A source waits while another item would go beyond it. Weights are what [Pipeline#weigh] says; until an item was
/// weighed it counts with the estimate, or with what earlier items weighed if that is more. When the run
/// can't go on otherwise, because all items in flight wait for one that isn't admitted (in a batch that is not full,
/// at a `mix`, or behind the end of an epoch), one more is admitted beyond the budget and counted in the statistics.
///
/// @param bytes        the budget
/// @param itemEstimate what an item of the source is taken to weigh before it was weighed; 0 to learn it
public record ByteBudget(long bytes, long itemEstimate) {
    /// Checks both numbers.
    public ByteBudget {
        if (bytes < 1 || itemEstimate < 0 || itemEstimate > bytes) {
            throw new IllegalArgumentException(
                    "a byte budget must be positive and at least as large as one item, but the budget was " + bytes
                            + " and the estimate of an item " + itemEstimate);
        }
    }
}
