package org.jspdl.pipeline.internal;

/// Runs a stage's activations on a compute pool.
record PoolScheduler(ComputePool pool, ComputePool.Lane lane, int depth, Object run)
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
