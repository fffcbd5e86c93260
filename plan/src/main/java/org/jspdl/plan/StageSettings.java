package org.jspdl.plan;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.plan.internal.SourceLocation;

/// How a step runs that has a stage of its own. Immutable.
///
/// @param location where its threads are written
/// @param threads  the threads that run it
/// @param workers  the most calls at once
/// @param priority of a step on the compute threads
/// @param order    the order in which results pass on
/// @param buffer   finished items that may wait, beyond one for each worker, within it nothing if the run's tuner
///     chooses; empty if nothing is said, so that more small ones wait behind a late one
/// @param failures the stage's own policy; empty if the plan's applies
/// @param deadline the longest time that one call may take
/// @param deferral how long others wait for a late item before they pass it; empty if as long as it takes
record StageSettings(
        SourceLocation location,
        Threads threads,
        Workers workers,
        int priority,
        Order order,
        Optional<OptionalInt> buffer,
        Optional<FailurePolicy> failures,
        Optional<Duration> deadline,
        Optional<Duration> deferral) {
    static final int MOST_PRIORITY = 1_000;
    static final int MOST_WORKERS = StageOptions.MAX_CONCURRENCY;
    static final int MOST_WAITING = StageOptions.MAX_BUFFER;

    /// How many calls run at once.
    sealed interface Workers {
        /// A fixed number.
        record Fixed(int n) implements Workers {}

        /// Those that a word stands for.
        enum Named implements Workers {
            /// One for each processor.
            PROCESSORS,
            /// Those that the run's tuner chooses.
            AUTO
        }
    }

    /// What runs a step.
    enum Threads {
        /// The shared compute threads.
        CPU,
        /// Virtual threads, for blocking I/O.
        IO,
        /// One thread of the step's own.
        DEDICATED,
        /// Those of an asynchronous client.
        ASYNC;

        String keyword() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// The options for a pipeline; `finish` is applied to the stage's own failure policy.
    StageOptions options(UnaryOperator<FailurePolicy> finish) {
        StageOptions placed = switch (threads) {
            case CPU ->
                (isAuto() ? StageOptions.cpu(StageOptions.auto()) : StageOptions.cpu(fixed())).priority(priority);
            case IO -> isAuto() ? StageOptions.io(StageOptions.auto()) : StageOptions.io(fixed());
            case DEDICATED -> StageOptions.dedicated();
            case ASYNC -> StageOptions.async(fixed());
        };
        StageOptions options = buffer.map(number ->
                        number.isPresent() ? placed.buffer(number.getAsInt()) : placed.buffer(StageOptions.auto()))
                .orElse(placed);
        options = order == Order.INPUT ? options.inputOrder() : options;
        options = deferral.isPresent() ? options.defer(deferral.get()) : options;
        options = failures.isPresent() ? options.failures(finish.apply(failures.get())) : options;
        return deadline.isPresent() ? options.deadline(deadline.get()) : options;
    }

    private boolean isAuto() {
        return workers == Workers.Named.AUTO;
    }

    private int fixed() {
        return workers instanceof Workers.Fixed(int n)
                ? n
                : Runtime.getRuntime().availableProcessors();
    }
}
