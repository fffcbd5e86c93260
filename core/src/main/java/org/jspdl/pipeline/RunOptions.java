package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspdl.internal.Arguments;
import org.jspdl.stats.StageObserver;

/// How one run of a pipeline goes: epochs, where to resume, failures, budgets, threads, observers. Immutable.
public final class RunOptions {
    /// How long closing waits for functions that were interrupted.
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(5);
    /// How many calls may be given up after their deadline before the run fails.
    public static final int DEFAULT_ABANDONED_LIMIT = 8;

    private static final RunOptions DEFAULTS = new RunOptions();

    // Written only by a method that has just made the object, before anybody else sees it.
    private long epochs = 1;
    private long seed;
    private FailurePolicy failures = FailurePolicy.failFast();
    private Duration grace = DEFAULT_GRACE;
    private int abandonedLimit = DEFAULT_ABANDONED_LIMIT;
    private OptionalInt computeThreads = OptionalInt.empty();
    private List<StageObserver> observers = List.of();
    private Optional<Checkpoint> resumeFrom = Optional.empty();
    private Optional<ByteBudget> byteBudget = Optional.empty();
    private Map<String, BackgroundTask> background = Map.of();
    private Map<String, String> provenance = Map.of();
    private boolean strict;
    private TuningBudget tuning = TuningBudget.MACHINE;
    private SortedSet<Long> leftOut = Collections.emptySortedSet();

    private RunOptions() {}

    private RunOptions with(Consumer<RunOptions> change) {
        RunOptions copy = new RunOptions();
        copy.epochs = epochs;
        copy.seed = seed;
        copy.failures = failures;
        copy.grace = grace;
        copy.abandonedLimit = abandonedLimit;
        copy.computeThreads = computeThreads;
        copy.observers = observers;
        copy.resumeFrom = resumeFrom;
        copy.byteBudget = byteBudget;
        copy.background = background;
        copy.provenance = provenance;
        copy.strict = strict;
        copy.tuning = tuning;
        copy.leftOut = leftOut;
        change.accept(copy);
        return copy;
    }

    /// One epoch, failing fast, on the shared compute threads.
    public static RunOptions defaults() {
        return DEFAULTS;
    }

    /// Goes on from `from`. The number of epochs counts those before it too.
    public RunOptions resumeFrom(Checkpoint checkpoint) {
        return with(options -> options.resumeFrom = Optional.of(requireNonNull(checkpoint, "checkpoint")));
    }

    /// `n` passes over the source without a pause between them. A thousand in a row that deliver nothing fail.
    public RunOptions epochs(long n) {
        Arguments.atLeastOne("epochs", n);
        return with(options -> options.epochs = n);
    }

    /// Says where items come from, beyond what the recipe tells: `value` may be the version of a decoder or of a
    /// data set. Checkpoints carry it. A run that resumes with another value warns and records the
    /// [change][Checkpoint#provenanceChanges()], or is refused if it is [strict][#strictProvenance()].
    public RunOptions provenance(String key, String value) {
        Arguments.name("the key of a provenance", key);
        Arguments.name("the provenance's value", value);
        Map<String, String> more = new TreeMap<>(provenance);
        more.put(key, value);
        return with(options -> options.provenance = more);
    }

    /// Refuses to resume if the [provenance][#provenance] differs from that of the checkpoint.
    public RunOptions strictProvenance() {
        return with(options -> options.strict = true);
    }

    /// The key of all randomness in seeded stages; 0 by default. A checkpoint carries it, and a run with another
    /// seed is refused.
    public RunOptions seed(long newSeed) {
        return with(options -> options.seed = newSeed);
    }

    /// Does not hand these items over: numbers from 0, counted over all epochs as every run of the recipe does.
    /// They are made, closed, and count as delivered, so all others keep their numbers, and ranks that leave out
    /// the same ones get equally many. The [provenance][#provenance] has them as `left out`.
    public RunOptions leaveOut(Collection<Long> items) {
        SortedSet<Long> sorted = Collections.unmodifiableSortedSet(new TreeSet<>(items));
        if (sorted.isEmpty()) {
            return with(options -> options.leftOut = sorted);
        }
        Arguments.notNegative("an item to leave out", sorted.first());
        return provenance("left out", sorted.toString()).with(options -> options.leftOut = sorted);
    }

    /// What happens in stages that have no failure policy of their own; their failures are counted together.
    public RunOptions failures(FailurePolicy policy) {
        return with(options -> options.failures = requireNonNull(policy, "policy"));
    }

    /// How long closing waits for functions that were interrupted before it reports them.
    public RunOptions grace(Duration newGrace) {
        Duration bounded = Arguments.notNegative("grace", newGrace);
        return with(options -> options.grace = bounded);
    }

    /// How many calls may be given up after their deadline, and still run, before the run fails.
    public RunOptions abandonedLimit(int calls) {
        Arguments.notNegative("abandonedLimit", calls);
        return with(options -> options.abandonedLimit = calls);
    }

    /// Gives the run compute threads of its own, so that it keeps to a share of the machine. By default all runs
    /// share one thread for each processor.
    public RunOptions computeThreads(int threads) {
        Arguments.inRange("computeThreads", threads, StageOptions.MAX_CONCURRENCY);
        return with(options -> options.computeThreads = OptionalInt.of(threads));
    }

    /// Adds an observer of all stages.
    public RunOptions observer(StageObserver observer) {
        List<StageObserver> more = new ArrayList<>(observers);
        more.add(requireNonNull(observer, "observer"));
        return with(options -> options.observers = List.copyOf(more));
    }

    /// Bounds the bytes in flight.
    public RunOptions byteBudget(ByteBudget budget) {
        return with(options -> options.byteBudget = Optional.of(requireNonNull(budget, "budget")));
    }

    /// Bounds what the tuner of [auto][StageOptions#auto] stages may use.
    public RunOptions tuning(TuningBudget budget) {
        return with(options -> options.tuning = requireNonNull(budget, "budget"));
    }

    /// Adds a task that goes on beside the run.
    public RunOptions background(String name, BackgroundTask task) {
        Arguments.name("the background task's name", name);
        requireNonNull(task, "task");
        Map<String, BackgroundTask> more = new LinkedHashMap<>(background);
        if (more.putIfAbsent(name, task) != null) {
            throw new IllegalArgumentException("there is a background task '" + name + "' already");
        }
        return with(options -> options.background = more);
    }

    /// Where to go on; empty to start anew.
    public Optional<Checkpoint> resumeFrom() {
        return resumeFrom;
    }

    /// How many passes over the source.
    public long epochs() {
        return epochs;
    }

    /// The key of all randomness in seeded stages.
    public long seed() {
        return seed;
    }

    /// Where items come from, by key.
    public Map<String, String> provenance() {
        return Collections.unmodifiableMap(provenance);
    }

    /// Whether another provenance is refused.
    public boolean strict() {
        return strict;
    }

    /// What happens in stages that have no failure policy of their own.
    public FailurePolicy failures() {
        return failures;
    }

    /// How long closing waits for functions that were interrupted.
    public Duration grace() {
        return grace;
    }

    /// How many given-up calls are survived.
    public int abandonedLimit() {
        return abandonedLimit;
    }

    /// Compute threads of the run's own; empty if it shares.
    public OptionalInt computeThreads() {
        return computeThreads;
    }

    /// The observers of all stages.
    public List<StageObserver> observers() {
        return observers;
    }

    /// The items that are not handed over, by number.
    public SortedSet<Long> leftOut() {
        return leftOut;
    }

    /// The bound on the bytes in flight; empty if there is none.
    public Optional<ByteBudget> byteBudget() {
        return byteBudget;
    }

    /// What the tuner of `auto` stages may use.
    public TuningBudget tuning() {
        return tuning;
    }

    /// The tasks beside the run, by name.
    public Map<String, BackgroundTask> background() {
        return Collections.unmodifiableMap(background);
    }
}
