package org.jspdl.pipeline.internal.schedule;

import org.jspdl.pipeline.internal.compute.ComputePool;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ScheduledStage;

/// Runs a stage's activations on a compute pool.
///
/// @param watch sees to it that the run gets a thread in the end
public record PoolScheduler(ComputePool pool, ComputePool.Lane lane, int depth, RunContext run, LaneWatch watch)
        implements ScheduledStage.Scheduler {
    @Override
    public void submit(ScheduledStage.Activation activation) {
        if (lane.submit(depth, activation)) {
            watch.starves();
        }
    }

    @Override
    public void interrupt() {
        lane.withdraw(depth);
        pool.interruptFor(run);
    }
}
