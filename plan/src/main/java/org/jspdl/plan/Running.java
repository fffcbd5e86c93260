package org.jspdl.plan;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.RunOptions;

/// How a plan is run. Immutable.
///
/// @param epochs         passes over the source
/// @param seed           the key of all randomness in seeded steps
/// @param computeThreads compute threads of the run's own; empty if it shares those of the process
/// @param failure        what happens in stages without a rule of their own
/// @param quarantine     the file that skipped items are recorded in, relative to the plan's folder
/// @param memoryBudget   how many bytes the items in flight may weigh
public record Running(
        long epochs,
        long seed,
        OptionalInt computeThreads,
        FailureRule failure,
        Optional<String> quarantine,
        Optional<ByteBudget> memoryBudget) {
    static final int MOST_THREADS = 4096;

    /// Checks the numbers.
    public Running {
        if (epochs < 1) {
            throw new IllegalArgumentException("epochs must be at least 1 but was " + epochs);
        }
        computeThreads.ifPresent(threads -> Stage.require("computeThreads", threads, MOST_THREADS));
    }

    /// One epoch, failing fast, on the shared compute threads.
    public static Running once() {
        return new Running(
                1,
                0,
                OptionalInt.empty(),
                FailureRule.of(FailurePolicy.failFast()),
                Optional.empty(),
                Optional.empty());
    }

    RunOptions options(UnaryOperator<FailurePolicy> finish) {
        RunOptions options = RunOptions.epochs(epochs).seed(seed).onFailure(finish.apply(failure.policy()));
        RunOptions bounded = memoryBudget.map(options::byteBudget).orElse(options);
        return computeThreads.isPresent() ? bounded.computeThreads(computeThreads.getAsInt()) : bounded;
    }
}
