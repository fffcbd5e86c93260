package org.jspdl.pipeline;

import org.jspdl.internal.Arguments;

/// Where an item of an epoch came from.
///
/// @param source which source of the pipeline, counted from 0 in the order in which they were added
/// @param place  the item's number in the epoch, as [org.jspdl.stats.ItemObserver] is told: in the order common to all
///     ranks, or in that of this rank for a source that has none
public record SourcePlace(int source, long place) {
    /// Checks that neither is negative.
    public SourcePlace {
        Arguments.notNegative("source", source);
        Arguments.notNegative("place", place);
    }
}
