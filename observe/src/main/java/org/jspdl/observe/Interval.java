package org.jspdl.observe;

import java.time.Duration;
import org.jspdl.observe.machine.MachineUsage;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.stats.PipelineStats;

/// What happened in a stretch of a run.
///
/// @param end   its end, from the start of the run
/// @param at    its end, by [System#nanoTime]
/// @param stats what the stages and links did
/// @param usage what the process used
/// @param machine what was used of the machine beyond that
public record Interval(Duration end, long at, PipelineStats stats, ProcessUsage usage, MachineUsage machine) {
    /// A stretch of which no more is known than of its process.
    public Interval(Duration end, long at, PipelineStats stats, ProcessUsage usage) {
        this(end, at, stats, usage, MachineUsage.UNKNOWN);
    }

    /// The line that [JsonLines] writes.
    public String toJson() {
        return JsonLines.line(this);
    }
}
