package org.jspdl.plan;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.TuningBudget;
import org.jspdl.plan.internal.LocatedNode;

/// How a plan is run. Immutable.
///
/// @param epochs         passes over the source
/// @param seed           the key of all randomness in seeded steps
/// @param computeThreads compute threads of the run's own; empty if it shares those of the process
/// @param failures       the policy of stages without their own
/// @param quarantine     the file that records skipped items, relative to the plan's folder
/// @param memoryBudget   limit on the bytes of the items in flight
/// @param tuning         what the tuner of `auto` steps may use
record RunSettings(
        long epochs,
        long seed,
        OptionalInt computeThreads,
        FailurePolicy failures,
        Optional<LocatedNode.Text> quarantine,
        Optional<ByteBudget> memoryBudget,
        TuningBudget tuning) {
    static final int MOST_THREADS = 4096;

    RunOptions options(UnaryOperator<FailurePolicy> finish) {
        RunOptions options = RunOptions.defaults().epochs(epochs).seed(seed).failures(finish.apply(failures));
        RunOptions all = memoryBudget.map(options::byteBudget).orElse(options);
        return (computeThreads.isPresent() ? all.computeThreads(computeThreads.getAsInt()) : all).tuning(tuning);
    }
}
