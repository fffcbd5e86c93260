package org.jspdl.data.plan;

import java.io.Serializable;
import java.util.List;
import org.jspdl.data.shards.pack.StagedShards;

/// What came of one range of the places of a plan. Immutable; may be sent to other processes.
///
/// @param part     the shard
/// @param failures items that failed for good, in the order of their places, each a line that
///     [org.jspdl.pipeline.FailedItem#parse] reads
/// @param dropped  places that filters dropped
public record PackedRange(StagedShards.Part part, List<String> failures, long dropped) implements Serializable {
    /// Makes the list unmodifiable.
    public PackedRange {
        failures = List.copyOf(failures);
    }
}
