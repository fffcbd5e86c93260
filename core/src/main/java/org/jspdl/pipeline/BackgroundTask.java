package org.jspdl.pipeline;

import java.util.function.Supplier;
import org.jspdl.stats.PipelineStats;

/// Something that goes on beside a run, on a virtual thread of its own: reporting, say.
///
/// It is interrupted when the run is closed. What it throws is logged and doesn't fail the run.
@FunctionalInterface
public interface BackgroundTask {
    /// Runs until it is done or interrupted.
    ///
    /// @param stats takes a snapshot of the run
    void run(Supplier<PipelineStats> stats) throws Exception;
}
