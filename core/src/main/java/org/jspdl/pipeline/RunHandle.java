package org.jspdl.pipeline;

import java.util.function.Supplier;
import org.jspdl.stats.Change;
import org.jspdl.stats.PipelineStats;

/// A run as a [BackgroundTask] sees it: what it has done, and what may be changed while it goes on.
///
/// May be used by any thread. It does not keep the run: both methods throw [IllegalStateException] once nobody else
/// refers to it.
public interface RunHandle extends Supplier<PipelineStats> {
    /// Takes a snapshot of the run.
    @Override
    PipelineStats get();

    /// As [Run#tune].
    ///
    /// @throws IllegalArgumentException if there is no such stage, or its concurrency can't be changed
    /// @throws IllegalStateException if the run is closed
    Change tune(Tuning tuning);
}
