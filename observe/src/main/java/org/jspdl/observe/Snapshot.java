package org.jspdl.observe;

import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.stats.PipelineStats;

/// A run and its process at one moment.
///
/// @param stats counters since the start of the run
/// @param usage counters since the start of the process
record Snapshot(PipelineStats stats, ProcessUsage usage) {

    /// What happened between `earlier` and this moment.
    Interval since(Snapshot earlier) {
        return new Interval(stats.elapsed(), usage.at(), stats.since(earlier.stats), usage.since(earlier.usage));
    }
}
