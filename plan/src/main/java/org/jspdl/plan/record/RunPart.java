package org.jspdl.plan.record;

import java.io.IOException;
import java.util.function.UnaryOperator;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;

/// What one process of a recorded run did, up to where weights changed, and its plan once more. Processes of a run can
/// have had different plans, numbers of ranks and data that could be read.
///
/// @param recorded at the step from which it is run again
/// @param options  as the process had them
/// @param isTimed  whether time had decided which items came together
/// @param replay   what it skipped
/// @param end      the step at which weights of a live mix changed, or another process went on; [Long#MAX_VALUE] if
///                 neither is
record RunPart(
        RecordedRun recorded, CompiledPlan plan, RunOptions options, boolean isTimed, SkipReplay replay, long end)
        implements AutoCloseable {
    /// Compiles the plan; the caller closes the part.
    ///
    /// @throws IllegalArgumentException if a version or the data is another
    static RunPart of(RecordedRun recorded, Operations operations, UnaryOperator<PlanContext> context)
            throws IOException {
        recorded.requireSameVersions(operations.versions());
        long end = recorded.end();
        RunDescription ran = recorded.description();
        RunNotes notes = RunNotes.again(ran, false);
        PlanContext at =
                PlanContext.in(ran.folder()).rank(ran.rank(), ran.worldSize()).offer(RunNotes.class, notes);
        CompiledPlan plan = Plan.of(ran.name(), ran.plan()).compile(operations, context.apply(at));
        try {
            recorded.requireSameData(notes.data());
            // trainers may have asked for more epochs than the plan says
            return new RunPart(
                    recorded,
                    plan,
                    recorded.options(plan).epochs(Long.MAX_VALUE),
                    isTimed(plan),
                    recorded.replay(),
                    end);
        } catch (Throwable failure) {
            plan.close();
            throw failure;
        }
    }

    private static boolean isTimed(CompiledPlan plan) {
        try {
            plan.pipeline().requireSameOrder();
            return false;
        } catch (IllegalArgumentException timed) {
            return true;
        }
    }

    @Override
    public void close() {
        plan.close();
    }
}
