package org.jspdl.stats;

/// What a run's byte budget did.
///
/// @param limitBytes     the budget; the largest number if the run has none
/// @param usedBytes      the weight of the items in flight, as far as it was weighed, and the estimate of the
///     others
/// @param peakBytes      the largest weight so far
/// @param admittedBeyond items admitted beyond the budget because nothing could have gone on without them
public record BudgetStats(long limitBytes, long usedBytes, long peakBytes, long admittedBeyond) {
    /// A run without a budget.
    public static final BudgetStats NONE = new BudgetStats(Long.MAX_VALUE, 0, 0, 0);
}
