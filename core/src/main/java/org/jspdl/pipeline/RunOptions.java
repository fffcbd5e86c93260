package org.jspdl.pipeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspdl.stats.StageObserver;

/// How one run of a pipeline goes: epochs, failures, threads, observers. Immutable.
public final class RunOptions {
    /// How long closing waits for functions that were interrupted.
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(5);

    private static final RunOptions DEFAULTS = new RunOptions(
            1, 0, FailurePolicy.failFast(), DEFAULT_GRACE, OptionalInt.empty(), List.of(), Optional.empty());

    private final long epochs;
    private final long seed;
    private final FailurePolicy failures;
    private final Duration grace;
    private final OptionalInt computeThreads;
    private final List<StageObserver> observers;
    private final Optional<Checkpoint> checkpoint;

    private RunOptions(
            long epochs,
            long seed,
            FailurePolicy failures,
            Duration grace,
            OptionalInt computeThreads,
            List<StageObserver> observers,
            Optional<Checkpoint> checkpoint) {
        this.epochs = epochs;
        this.seed = seed;
        this.failures = failures;
        this.grace = grace;
        this.computeThreads = computeThreads;
        this.observers = observers;
        this.checkpoint = checkpoint;
    }

    /// One epoch, failing fast, on the shared compute threads.
    public static RunOptions defaults() {
        return DEFAULTS;
    }

    /// The defaults with `n` epochs.
    public static RunOptions epochs(long n) {
        return DEFAULTS.withEpochs(n);
    }

    /// The defaults, going on from `checkpoint`.
    public static RunOptions from(Checkpoint checkpoint) {
        return DEFAULTS.resume(checkpoint);
    }

    /// Goes on from `checkpoint`. The number of epochs counts those before it too.
    public RunOptions resume(Checkpoint from) {
        return new RunOptions(epochs, seed, failures, grace, computeThreads, observers, Optional.of(from));
    }

    /// `n` passes over the source without a pause between them.
    public RunOptions withEpochs(long n) {
        if (n < 1) {
            throw new IllegalArgumentException("epochs must be at least 1 but was " + n);
        }
        return new RunOptions(n, seed, failures, grace, computeThreads, observers, checkpoint);
    }

    /// The key of all randomness in seeded stages; 0 by default.
    public RunOptions seed(long newSeed) {
        return new RunOptions(epochs, newSeed, failures, grace, computeThreads, observers, checkpoint);
    }

    /// What happens in stages that have no failure policy of their own; their failures are counted together.
    public RunOptions onFailure(FailurePolicy policy) {
        return new RunOptions(epochs, seed, policy, grace, computeThreads, observers, checkpoint);
    }

    /// How long closing waits for functions that were interrupted before it reports them.
    public RunOptions grace(Duration newGrace) {
        return new RunOptions(epochs, seed, failures, newGrace, computeThreads, observers, checkpoint);
    }

    /// Gives the run compute threads of its own, so that it keeps to a share of the machine. By default all runs
    /// share
    /// one thread for each processor.
    public RunOptions computeThreads(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("computeThreads must be at least 1 but was " + threads);
        }
        return new RunOptions(epochs, seed, failures, grace, OptionalInt.of(threads), observers, checkpoint);
    }

    /// Adds an observer of all stages.
    public RunOptions observer(StageObserver observer) {
        List<StageObserver> more = new ArrayList<>(observers);
        more.add(observer);
        return new RunOptions(epochs, seed, failures, grace, computeThreads, List.copyOf(more), checkpoint);
    }

    /// Where to go on; empty to start anew.
    public Optional<Checkpoint> checkpoint() {
        return checkpoint;
    }

    /// How many passes over the source.
    public long epochs() {
        return epochs;
    }

    /// The key of all randomness in seeded stages.
    public long seed() {
        return seed;
    }

    /// What happens in stages that have no failure policy of their own.
    public FailurePolicy failures() {
        return failures;
    }

    /// How long closing waits for functions that were interrupted.
    public Duration grace() {
        return grace;
    }

    /// Compute threads of the run's own; empty if it shares.
    public OptionalInt computeThreads() {
        return computeThreads;
    }

    /// The observers of all stages.
    public List<StageObserver> observers() {
        return observers;
    }
}
