package org.jspdl.plan.record;

import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;

/// A batch that was built again, with what it lies in. Used by one thread.
public final class RebuiltBatch implements AutoCloseable {
    private final CompiledPlan plan;
    private final Run<?> run;
    private final Object batch;
    private final long epoch;
    private final long replayed;

    RebuiltBatch(CompiledPlan plan, Run<?> run, Object batch, long epoch, long replayed) {
        this.plan = plan;
        this.run = run;
        this.batch = batch;
        this.epoch = epoch;
        this.replayed = replayed;
    }

    /// What the plan yields; closed with this.
    public Object batch() {
        return batch;
    }

    /// The epoch that it is of, counted from 0.
    public long epoch() {
        return epoch;
    }

    /// How many batches before it were built to come to it.
    public long replayed() {
        return replayed;
    }

    @Override
    public void close() {
        try (plan;
                run) {
            Closeables.closeItem(batch);
        }
    }
}
