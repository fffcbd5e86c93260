package org.jspdl.plan;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.StageOptions;

/// How a step runs that has a stage of its own. Immutable.
///
/// @param where       what threads run it
/// @param concurrency the most calls at once; empty for as many as the machine has processors
/// @param order       the order in which results pass on
/// @param buffer      finished items that may wait, beyond one for each call
/// @param failure     what happens when a call fails; empty if the plan's rule applies
/// @param deadline    how long a call may take
public record Stage(
        Where where,
        OptionalInt concurrency,
        Order order,
        int buffer,
        Optional<FailureRule> failure,
        Optional<Duration> deadline) {
    static final int MOST_AT_ONCE = 65_536;
    static final int MOST_WAITING = 1_000_000;

    /// What threads run a step.
    public enum Where {
        /// The shared compute threads.
        CPU,
        /// Virtual threads, for what waits.
        IO,
        /// One thread of the step's own.
        DEDICATED
    }

    /// Checks the numbers.
    public Stage {
        concurrency = where == Where.DEDICATED && concurrency.isEmpty() ? OptionalInt.of(1) : concurrency;
        concurrency.ifPresent(n -> require("concurrency", n, where == Where.DEDICATED ? 1 : MOST_AT_ONCE));
        require("buffer", buffer, MOST_WAITING);
        if (deadline.isPresent() && !deadline.get().isPositive()) {
            throw new IllegalArgumentException("a deadline must be positive but was " + deadline.get());
        }
    }

    /// `concurrency` calls at once, in completion order, with the defaults for everything else.
    public static Stage of(Where where, int concurrency) {
        return new Stage(
                where,
                OptionalInt.of(concurrency),
                Order.COMPLETION,
                StageOptions.DEFAULT_BUFFER,
                Optional.empty(),
                Optional.empty());
    }

    /// The same in input order.
    public Stage inputOrder() {
        return new Stage(where, concurrency, Order.INPUT, buffer, failure, deadline);
    }

    /// The options for a pipeline; `finish` is applied to the stage's own failure policy.
    StageOptions options(java.util.function.UnaryOperator<FailurePolicy> finish) {
        int n = concurrency.orElseGet(() -> Runtime.getRuntime().availableProcessors());
        StageOptions options = switch (where) {
            case CPU -> StageOptions.cpu(n);
            case IO -> StageOptions.io(n);
            case DEDICATED -> StageOptions.dedicated();
        };
        options = options.buffer(buffer);
        options = order == Order.INPUT ? options.inputOrder() : options;
        options = failure.isPresent()
                ? options.onFailure(finish.apply(failure.get().policy()))
                : options;
        return deadline.isPresent() ? options.deadline(deadline.get()) : options;
    }

    static void require(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(what + " must be from 1 to " + most + " but was " + value);
        }
    }
}
