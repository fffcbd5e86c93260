package org.jspdl.pipeline.internal.run;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspdl.pipeline.internal.compute.ComputePool;
import org.jspdl.pipeline.internal.compute.SharedComputePool;
import org.jspdl.pipeline.internal.schedule.LaneWatch;
import org.jspdl.pipeline.internal.schedule.PoolScheduler;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ScheduledStage;

/// Gives the `cpu` stages of a run a lane of a pool, in which one of a greater priority is deeper, and of equal ones
/// the later. Used by one thread.
final class ComputeLanes {
    private final RunContext run;
    private final List<Prioritized> stages = new ArrayList<>();
    private Runnable release = () -> {};
    private int threads;

    private record Prioritized(ScheduledStage stage, int priority) {}

    ComputeLanes(RunContext run) {
        this.run = run;
    }

    /// Adds the next stage on the way from the sources to the consumer.
    void add(ScheduledStage stage, int priority) {
        stages.add(new Prioritized(stage, priority));
    }

    /// Opens the lane, once all stages are known.
    void connect() {
        if (stages.isEmpty()) {
            return;
        }
        OptionalInt own = ownThreads();
        ComputePool pool = own.isPresent()
                ? new ComputePool("jspdl-" + run.pipeline() + "-compute", own.getAsInt())
                : SharedComputePool.acquire();
        threads = pool.size();
        ComputePool.Lane lane = pool.open(stages.size());
        release = () -> {
            lane.close();
            if (own.isPresent()) {
                pool.close();
            } else {
                SharedComputePool.release();
            }
        };
        LaneWatch watch = new LaneWatch(run.deadlines(), lane, own.isEmpty());
        stages.sort((one, other) -> Integer.compare(one.priority(), other.priority()));
        for (int depth = 0; depth < stages.size(); depth++) {
            stages.get(depth).stage.scheduler(new PoolScheduler(pool, lane, depth, run, watch));
        }
    }

    /// Compute threads of the run's own: as many as were asked for, and no more than fit into a budget of
    /// processors.
    private OptionalInt ownThreads() {
        OptionalInt asked = run.options().computeThreads();
        OptionalDouble budget = run.options().tuning().processors();
        int processors = Runtime.getRuntime().availableProcessors();
        if (budget.isEmpty() || budget.getAsDouble() >= processors) {
            return asked;
        }
        return OptionalInt.of(Math.min(asked.orElse(processors), (int) Math.ceil(budget.getAsDouble())));
    }

    /// Gives the lane back, and ends the pool if it is the run's own.
    Runnable release() {
        return release;
    }

    /// Threads of the pool; 0 if no stage computes.
    int threads() {
        return threads;
    }
}
