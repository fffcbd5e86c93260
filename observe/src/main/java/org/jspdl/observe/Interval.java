package org.jspdl.observe;

import java.time.Duration;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.stats.PipelineStats;

/// What happened in a stretch of a run.
///
/// @param end   its end, from the start of the run
/// @param at    its end, by [System#nanoTime]
/// @param stats what the stages and links did
/// @param usage what the process used
public record Interval(Duration end, long at, PipelineStats stats, ProcessUsage usage) {

    /// The line that [JsonLines] writes.
    public String toJson() {
        return JsonLines.line(this);
    }
}
