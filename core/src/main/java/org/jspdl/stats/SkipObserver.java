package org.jspdl.stats;

/// Is told which items a failure policy has skipped, or has a run skip those that an earlier one skipped, so that both
/// make the same of what is left, whatever became of the data between them.
///
/// An item is named by the stage where it failed and by the place of its source, of a group by that of its first
/// member. Parts of divided items, items that fail when some of their parts have passed, and elements of batches that
/// failed in a sub-chain, have no such name. Thread-safe; given to a run by `RunOptions.observer`. What it throws ends
/// the run. Of the calls and items that other observers are told of, it is told nothing.
public interface SkipObserver extends StageObserver {
    /// A policy has skipped an item.
    ///
    /// @param source the number of the source in the pipeline, counted from 0
    /// @param place  the index of its position there, in the epoch
    /// @param cause  what it failed with
    void skipped(String stage, int source, long epoch, long place, Throwable cause);

    /// Whether the stage is to skip an item without a call. It counts as failed. Of what gatherers and policies of
    /// merges fail with nobody is asked.
    default boolean skipsAgain(String stage, int source, long epoch, long place) {
        return false;
    }
}
