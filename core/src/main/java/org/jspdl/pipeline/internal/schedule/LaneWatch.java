package org.jspdl.pipeline.internal.schedule;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.pipeline.internal.compute.ComputePool;
import org.jspdl.pipeline.internal.stage.Deadlines;

/// Sees to it that a run is not kept from the shared compute threads by functions of another run that wait on all of
/// them, perhaps for this one: as those of a run that fills a queue from which this one reads.
public final class LaneWatch {
    /// How long a run may be without a thread.
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Deadlines deadlines;
    private final ComputePool.Lane lane;
    private final boolean shared;
    private final AtomicBoolean watching = new AtomicBoolean();

    /// @param shared whether other runs use the pool
    public LaneWatch(Deadlines deadlines, ComputePool.Lane lane, boolean shared) {
        this.deadlines = deadlines;
        this.lane = lane;
        this.shared = shared;
    }

    /// Called when a task was submitted that no thread is there for.
    void starves() {
        if (shared && !watching.get() && watching.compareAndSet(false, true)) {
            deadlines.watch(new Look(lane.served()));
        }
    }

    /// Looks whether the lane has been served meanwhile.
    private final class Look extends Deadlines.Alarm {
        private long servedBefore;

        Look(long servedBefore) {
            super(System.nanoTime() + PATIENCE_NANOS);
            this.servedBefore = servedBefore;
        }

        @Override
        protected long ring() {
            long served = lane.served();
            if (!lane.isStarving()) {
                watching.set(false);
                // A task that was submitted meanwhile found this watching.
                if (lane.isStarving()) {
                    starves();
                }
                return Long.MAX_VALUE;
            }
            if (served == servedBefore) {
                lane.relieve();
            }
            servedBefore = served;
            return PATIENCE_NANOS;
        }
    }
}
