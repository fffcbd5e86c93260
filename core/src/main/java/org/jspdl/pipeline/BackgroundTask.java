package org.jspdl.pipeline;

/// Something that goes on beside a run, on a virtual thread of its own: reporting, say.
///
/// It is interrupted when the run is closed. What it throws is logged and doesn't fail the run.
@FunctionalInterface
public interface BackgroundTask {
    /// Runs until it is done or interrupted.
    void run(RunHandle run) throws Exception;
}
