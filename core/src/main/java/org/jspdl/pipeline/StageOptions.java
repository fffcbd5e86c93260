package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspdl.internal.Arguments;

/// How a stage runs: where, how many at once, in which order, how far ahead, and what happens on failure.
/// Immutable.
public final class StageOptions {
    /// Finished items that wait for the next stage, beyond one for each running function: enough to keep both sides
    /// busy.
    public static final int DEFAULT_BUFFER = 2;
    /// The most calls at once.
    public static final int MAX_CONCURRENCY = 65_536;
    /// The most finished items that may wait for the next stage or the consumer.
    public static final int MAX_BUFFER = 1_000_000;

    private final Placement placement;
    private final int concurrency;
    private final int priority;
    private final Order order;
    /// 0 if it was not set.
    private final int buffer;
    private final Optional<FailurePolicy> failures;
    private final Optional<Duration> deadline;
    private final Optional<Duration> totalDeadline;

    private StageOptions(
            Placement placement,
            int concurrency,
            int priority,
            Order order,
            int buffer,
            Optional<FailurePolicy> failures,
            Optional<Duration> deadline,
            Optional<Duration> totalDeadline) {
        this.placement = placement;
        this.concurrency = Arguments.inRange("concurrency", concurrency, MAX_CONCURRENCY);
        this.priority = priority;
        this.order = order;
        this.buffer = buffer;
        this.failures = failures;
        this.deadline = deadline;
        this.totalDeadline = totalDeadline;
    }

    private static StageOptions at(Placement placement, int concurrency) {
        return new StageOptions(
                placement, concurrency, 0, Order.COMPLETION, 0, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /// `n` virtual threads: for functions that wait for sockets; hundreds are fine.
    public static StageOptions io(int n) {
        return at(new Placement.Io(), n);
    }

    /// At most `n` at once on the shared compute threads: for functions that compute or call native code.
    public static StageOptions cpu(int n) {
        return at(new Placement.Cpu(), n);
    }

    /// One platform thread of the stage's own.
    public static StageOptions dedicated() {
        return dedicated(Placement.Hook.NONE, Placement.Hook.NONE);
    }

    /// One platform thread of the stage's own, which runs `onStart` first and `onClose` last.
    public static StageOptions dedicated(Placement.Hook onStart, Placement.Hook onClose) {
        requireNonNull(onStart, "onStart");
        requireNonNull(onClose, "onClose");
        return at(new Placement.Dedicated(onStart, onClose), 1);
    }

    /// At most `n` at once on `executor`, which stays the caller's.
    public static StageOptions on(Executor executor, int n) {
        return at(new Placement.On(requireNonNull(executor, "executor")), n);
    }

    /// At most `n` pending calls at once, on the threads of an asynchronous client: for [Pipeline#pipeAsync].
    public static StageOptions async(int n) {
        return at(new Placement.Async(), n);
    }

    /// Results pass on in the order of their inputs; the function still runs ahead, up to the buffer.
    public StageOptions inputOrder() {
        return new StageOptions(
                placement, concurrency, priority, Order.INPUT, buffer, failures, deadline, totalDeadline);
    }

    /// The same with another concurrency; a dedicated stage has always one.
    public StageOptions concurrency(int n) {
        if (placement instanceof Placement.Dedicated && n != 1) {
            throw new IllegalArgumentException("a dedicated stage has a concurrency of 1 but " + n + " was asked for");
        }
        return new StageOptions(placement, n, priority, order, buffer, failures, deadline, totalDeadline);
    }

    /// Which `cpu` stages of the run get compute threads first: those with the greatest number. Of equal ones, 0
    /// unless it is set, the stage nearest to the consumer goes first. A call that runs is not interrupted.
    ///
    /// A stage with a lower number than those behind it fills buffers late; one with a greater number, early.
    ///
    /// @throws IllegalArgumentException if the stage is not a [#cpu] stage
    public StageOptions priority(int newPriority) {
        if (!(placement instanceof Placement.Cpu)) {
            throw new IllegalArgumentException("only cpu stages share threads and can have a priority, but "
                    + newPriority + " was given to " + this);
        }
        return new StageOptions(placement, concurrency, newPriority, order, buffer, failures, deadline, totalDeadline);
    }

    /// How many finished items may wait for the next stage, beyond one for each running function.
    public StageOptions buffer(int items) {
        return new StageOptions(
                placement,
                concurrency,
                priority,
                order,
                Arguments.inRange("buffer", items, MAX_BUFFER),
                failures,
                deadline,
                totalDeadline);
    }

    /// What happens when the function throws, instead of the run's policy.
    public StageOptions failures(FailurePolicy policy) {
        return new StageOptions(
                placement,
                concurrency,
                priority,
                order,
                buffer,
                Optional.of(requireNonNull(policy, "policy")),
                deadline,
                totalDeadline);
    }

    /// How long one call may take. Then it is interrupted and counts as failed; a [retry][FailurePolicy#retry] has
    /// the same time again.
    ///
    /// A call that does not answer the interrupt is given up and reported. It keeps its input until it returns. So
    /// an input that must be closed is not tried again after that, while others are.
    public StageOptions deadline(Duration limit) {
        return new StageOptions(
                placement,
                concurrency,
                priority,
                order,
                buffer,
                failures,
                Optional.of(Arguments.positive("deadline", limit)),
                totalDeadline);
    }

    /// How long all calls for one item may take together, with the pauses between them. Then the call that runs
    /// ends as at its [deadline][#deadline(Duration)], and none follows.
    public StageOptions totalDeadline(Duration limit) {
        return new StageOptions(
                placement,
                concurrency,
                priority,
                order,
                buffer,
                failures,
                deadline,
                Optional.of(Arguments.positive("totalDeadline", limit)));
    }

    /// Where the function runs.
    public Placement placement() {
        return placement;
    }

    /// The most functions that run at once.
    public int concurrency() {
        return concurrency;
    }

    /// The [priority][#priority(int)] among the run's `cpu` stages.
    public int priority() {
        return priority;
    }

    /// The order in which results pass on.
    public Order order() {
        return order;
    }

    /// How many finished items may wait, beyond one for each running function.
    public int buffer() {
        return buffer == 0 ? DEFAULT_BUFFER : buffer;
    }

    /// Whether the buffer was [set][#buffer(int)]. One that was not grows by itself, up to 256, while small items
    /// follow each other within 20 us; not under a [byte budget][RunOptions#byteBudget(ByteBudget)].
    public boolean isBufferSet() {
        return buffer != 0;
    }

    /// The stage's own failure policy; empty if the run's applies.
    public Optional<FailurePolicy> failures() {
        return failures;
    }

    /// How long one call may take; empty if any time.
    public Optional<Duration> deadline() {
        return deadline;
    }

    /// How long all calls for one item may take together; empty if any time.
    public Optional<Duration> totalDeadline() {
        return totalDeadline;
    }

    @Override
    public String toString() {
        return placement.label() + "(" + concurrency + ")" + (priority == 0 ? "" : ".priority(" + priority + ")")
                + (order == Order.INPUT ? ".inputOrder()" : "")
                + (buffer == 0 || buffer == DEFAULT_BUFFER ? "" : ".buffer(" + buffer + ")");
    }
}
