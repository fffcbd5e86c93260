package org.jspdl.observe;

import org.jspdl.observe.machine.MachineUsage;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.stats.PipelineStats;

/// A run and its process at one moment.
///
/// @param stats counters since the start of the run
/// @param usage counters since the start of the process
/// @param machine counters since the start of the watch
record Snapshot(PipelineStats stats, ProcessUsage usage, MachineUsage machine) {

    /// What happened between `earlier` and this moment.
    Interval since(Snapshot earlier) {
        return new Interval(
                stats.elapsed(),
                usage.at(),
                stats.since(earlier.stats),
                usage.since(earlier.usage),
                machine.since(earlier.machine));
    }
}
