package org.jspdl.data.cache;

/// What a cache did since it was opened. Counters of one moment, each correct by itself.
///
/// @param hits        times it had what was asked for
/// @param misses      times it had not
/// @param stored      entries that were added
/// @param evicted     entries that made room for others
/// @param refused     entries that were not added because what fills the budget is worth as much
/// @param failed      entries that could not be written, because a disk was full or broken
/// @param damaged     entries that were thrown away because they were not what had been stored
/// @param bytes       held now, on disk by all processes together
/// @param budgetBytes never held more than
public record CacheStats(
        long hits,
        long misses,
        long stored,
        long evicted,
        long refused,
        long failed,
        long damaged,
        long bytes,
        long budgetBytes) {

    /// The share of requests that were answered, from 0 to 1; zero before the first.
    public double hitRate() {
        return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
    }
}
