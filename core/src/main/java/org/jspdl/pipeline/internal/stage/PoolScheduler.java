package org.jspdl.pipeline.internal.stage;

import org.jspdl.pipeline.internal.compute.ComputePool;

/// Runs a stage's activations on a compute pool.
public record PoolScheduler(ComputePool pool, ComputePool.Lane lane, int depth, Object run)
        implements ScheduledStage.Scheduler {
    @Override
    public void submit(ScheduledStage.Activation activation) {
        lane.submit(depth, activation);
    }

    @Override
    public void interrupt() {
        lane.withdraw(depth);
        pool.interruptFor(run);
    }
}
