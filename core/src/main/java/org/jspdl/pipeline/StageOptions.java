package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
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
    // Written only by a method that has just made the object, before anybody else sees it.
    private int concurrency;
    private Optional<Auto> autoConcurrency = Optional.empty();
    private int priority;
    private Order order = Order.COMPLETION;
    /// 0 if it was not set.
    private int buffer;
    private Optional<Auto> autoBuffer = Optional.empty();
    private Optional<FailurePolicy> failures = Optional.empty();
    private Optional<Duration> deadline = Optional.empty();
    private Optional<Duration> totalDeadline = Optional.empty();
    private Optional<Duration> deferral = Optional.empty();

    private StageOptions(Placement placement, int concurrency) {
        this.placement = placement;
        this.concurrency = Arguments.inRange("concurrency", concurrency, MAX_CONCURRENCY);
    }

    private static StageOptions automatic(Placement placement, Auto workers, int usualMost) {
        int start = workers.start(Runtime.getRuntime().availableProcessors(), usualMost);
        Auto bounded = new Auto(workers.least(), workers.most(usualMost), start);
        return new StageOptions(placement, start).with(options -> options.autoConcurrency = Optional.of(bounded));
    }

    private StageOptions with(Consumer<StageOptions> change) {
        StageOptions copy = new StageOptions(placement, concurrency);
        copy.autoConcurrency = autoConcurrency;
        copy.priority = priority;
        copy.order = order;
        copy.buffer = buffer;
        copy.autoBuffer = autoBuffer;
        copy.failures = failures;
        copy.deadline = deadline;
        copy.totalDeadline = totalDeadline;
        copy.deferral = deferral;
        change.accept(copy);
        return copy;
    }

    /// A number that the tuner of the run chooses: `cpu(auto())`, `io(auto().atMost(64))`, `.buffer(auto())`.
    ///
    /// The tuner measures while the run works, changes one thing at a time, and keeps what helped. It stays within
    /// the run's [budget][RunOptions#tuning]. What is delivered, its order and checkpoints don't depend on it.
    public static Auto auto() {
        return Auto.ANY;
    }

    /// `n` virtual threads: for functions that wait for sockets; hundreds are fine.
    public static StageOptions io(int n) {
        return new StageOptions(new Placement.Io(), n);
    }

    /// As many virtual threads as the run's tuner finds best.
    public static StageOptions io(Auto workers) {
        return automatic(new Placement.Io(), workers, Auto.MOST_IO);
    }

    /// At most `n` at once on the shared compute threads: for functions that compute or call native code.
    public static StageOptions cpu(int n) {
        return new StageOptions(new Placement.Cpu(), n);
    }

    /// As many at once on the shared compute threads as the run's tuner finds best.
    public static StageOptions cpu(Auto workers) {
        return automatic(new Placement.Cpu(), workers, Runtime.getRuntime().availableProcessors());
    }

    /// One platform thread of the stage's own.
    public static StageOptions dedicated() {
        return dedicated(Placement.Hook.NONE, Placement.Hook.NONE);
    }

    /// One platform thread of the stage's own, which runs `onStart` first and `onClose` last.
    public static StageOptions dedicated(Placement.Hook onStart, Placement.Hook onClose) {
        requireNonNull(onStart, "onStart");
        requireNonNull(onClose, "onClose");
        return new StageOptions(new Placement.Dedicated(onStart, onClose), 1);
    }

    /// At most `n` at once on `executor`, which stays the caller's.
    public static StageOptions on(Executor executor, int n) {
        return new StageOptions(new Placement.On(requireNonNull(executor, "executor")), n);
    }

    /// At most `n` pending calls at once, on the threads of an asynchronous client: for [Pipeline#pipeAsync].
    public static StageOptions async(int n) {
        return new StageOptions(new Placement.Async(), n);
    }

    /// Results pass on in the order of their inputs; the function still runs ahead, up to the buffer.
    public StageOptions inputOrder() {
        return with(options -> {
            options.order = Order.INPUT;
            options.deferral = Optional.empty();
        });
    }

    /// As [#inputOrder], until a result is late: if finished ones have waited behind it for `after`, and no more of
    /// them fit (into the buffers, or the run's [byte budget][RunOptions#byteBudget(ByteBudget)]), they pass, and
    /// it comes when it is there. For samples that are much slower than others, but not broken: nothing is lost, as
    /// it is at a [deadline][#deadline(Duration)].
    ///
    /// Which results are late time decides, so of a resumed run it promises what completion order does. A
    /// record of the run has what was deferred, for later runs that make the same batches.
    ///
    /// @param after longer than what a result may take in the usual course of things
    public StageOptions defer(Duration after) {
        Duration positive = Arguments.positive("after", after);
        return with(options -> {
            options.order = Order.INPUT;
            options.deferral = Optional.of(positive);
        });
    }

    /// The same with another concurrency, which no tuner changes; a dedicated stage has always one.
    public StageOptions concurrency(int n) {
        if (placement instanceof Placement.Dedicated && n != 1) {
            throw new IllegalArgumentException("a dedicated stage has a concurrency of 1 but " + n + " was asked for");
        }
        Arguments.inRange("concurrency", n, MAX_CONCURRENCY);
        return with(options -> {
            options.concurrency = n;
            options.autoConcurrency = Optional.empty();
        });
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
        return with(options -> options.priority = newPriority);
    }

    /// How many finished items may wait for the next stage, beyond one for each running function.
    public StageOptions buffer(int items) {
        int checked = Arguments.inRange("buffer", items, MAX_BUFFER);
        return with(options -> {
            options.buffer = checked;
            options.autoBuffer = Optional.empty();
        });
    }

    /// As many finished items as the run's tuner finds best.
    public StageOptions buffer(Auto items) {
        int start = items.start(DEFAULT_BUFFER, Auto.MOST_BUFFER);
        Auto bounded = new Auto(items.least(), items.most(Auto.MOST_BUFFER), start);
        return with(options -> {
            options.buffer = start;
            options.autoBuffer = Optional.of(bounded);
        });
    }

    /// What happens when the function throws, instead of the run's policy.
    public StageOptions failures(FailurePolicy policy) {
        requireNonNull(policy, "policy");
        return with(options -> options.failures = Optional.of(policy));
    }

    /// How long one call may take. Then it is interrupted and counts as failed; a [retry][FailurePolicy#retry] has
    /// the same time again.
    ///
    /// A call that does not answer the interrupt is given up and reported. It keeps its input until it returns. So
    /// an input that must be closed is not tried again after that, while others are.
    public StageOptions deadline(Duration limit) {
        Duration positive = Arguments.positive("deadline", limit);
        return with(options -> options.deadline = Optional.of(positive));
    }

    /// How long all calls for one item may take together, with the pauses between them. Then the call that runs
    /// ends as at its [deadline][#deadline(Duration)], and none follows.
    public StageOptions totalDeadline(Duration limit) {
        Duration positive = Arguments.positive("totalDeadline", limit);
        return with(options -> options.totalDeadline = Optional.of(positive));
    }

    /// Where the function runs.
    public Placement placement() {
        return placement;
    }

    /// The most functions that run at once; at first, if the run's tuner [chooses][#autoConcurrency].
    public int concurrency() {
        return concurrency;
    }

    /// The limits within which the run's tuner chooses the concurrency; empty if it doesn't.
    public Optional<Auto> autoConcurrency() {
        return autoConcurrency;
    }

    /// The limits within which the run's tuner chooses the buffer; empty if it doesn't.
    public Optional<Auto> autoBuffer() {
        return autoBuffer;
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

    /// How long finished results wait behind a late one before they [pass][#defer]; empty if as long as it takes.
    public Optional<Duration> deferral() {
        return deferral;
    }

    /// Whether time decides in which order results pass on.
    public boolean isTimed() {
        return deferral.isPresent() || (order == Order.COMPLETION && concurrency > 1);
    }

    /// How long all calls for one item may take together; empty if any time.
    public Optional<Duration> totalDeadline() {
        return totalDeadline;
    }

    @Override
    public String toString() {
        return placement.label() + "(" + (autoConcurrency.isPresent() ? "auto" : concurrency) + ")"
                + (priority == 0 ? "" : ".priority(" + priority + ")")
                + deferral.map(after -> ".defer(" + after + ")").orElse(order == Order.INPUT ? ".inputOrder()" : "")
                + (autoBuffer.isPresent() ? ".buffer(auto)" : "")
                + (autoBuffer.isPresent() || buffer == 0 || buffer == DEFAULT_BUFFER ? "" : ".buffer(" + buffer + ")");
    }
}
