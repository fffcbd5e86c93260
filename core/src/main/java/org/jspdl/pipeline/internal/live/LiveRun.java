package org.jspdl.pipeline.internal.live;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.Ticket;
import org.jspdl.pipeline.Tuning;
import org.jspdl.pipeline.internal.checkpoint.RunIdentity;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.checkpoint.RunState.MixState;
import org.jspdl.pipeline.internal.checkpoint.StateJson;
import org.jspdl.pipeline.internal.recipe.LiveWeights;
import org.jspdl.pipeline.internal.recipe.MixSchedule;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.source.ElasticSource;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Source;
import org.jspdl.stats.Change;
import org.jspdl.stats.PipelineStats;
import org.jspecify.annotations.Nullable;

/// A run whose weights change while it goes on.
///
/// A change waits until the consumer has come to its step. Then the run is stopped, and goes on with the other weights
/// from where the consumer stands, so that everything prepared from that step on is dropped, and nothing before it.
/// Used by one consumer; changes come from any thread.
public final class LiveRun<T> implements Run<T> {

    private final String pipeline;
    private final Recipe recipe;
    private final Function<RunOptions, Run<T>> starter;
    private final RunOptions options;
    private final Recipe.Merge mix;
    private final List<Tuning> tunings = new CopyOnWriteArrayList<>();
    private volatile Run<T> running;
    /// Totals of the runs before that one.
    private volatile @Nullable PipelineStats before;
    private volatile boolean closed;
    private @Nullable Watcher watcher;

    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final TreeMap<Long, List<Double>> waiting = new TreeMap<>();
    private LiveWeights weights;
    private @Nullable Checkpoint changedAt;
    /// How many items the consumer has received, as checkpoints count.
    private long step;
    /// Whether the consumer knows that there is an item of this step.
    private boolean promised;

    private OptionalInt confined = OptionalInt.empty();
    /// Items of this run, and those before the one that is running.
    private long received;

    private long receivedBefore;

    /// Is asked at each step, on the consumer's thread, whether there are changes.
    @FunctionalInterface
    public interface Watcher {
        /// Called before the item of this number is asked for.
        void at(long step);
    }

    /// @param starter starts a run of the recipe whose weights stay as they are
    public LiveRun(String pipeline, Recipe recipe, Function<RunOptions, Run<T>> starter, RunOptions options) {
        this.pipeline = pipeline;
        this.recipe = recipe;
        this.starter = starter;
        this.mix = LiveMix.find(pipeline, recipe).orElseThrow();
        this.weights = known(options);
        this.options = options;
        this.step = options.resumeFrom().map(Checkpoint::delivered).orElse(0L);
        this.running = starter.apply(with(options, weights));
    }

    /// The changes that a run knows when it starts: those of its options, and those of its checkpoint.
    private LiveWeights known(RunOptions given) {
        LiveWeights named = LiveWeights.of(given.provenance());
        LiveWeights made = given.resumeFrom()
                .map(checkpoint -> LiveWeights.of(checkpoint.provenance()))
                .orElse(new LiveWeights(List.of()));
        LiveWeights all = made.goesOnFrom(named) ? made : named;
        if (!all.goesOnFrom(made)) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "' can't replay other changes of weights than"
                    + " those of its checkpoint: it has gone through " + made.changes() + ", and the options name "
                    + all.changes());
        }
        all.changes().forEach(change -> requireCount(change.weights()));
        long delivered = given.resumeFrom().map(Checkpoint::delivered).orElse(0L);
        all.changes().stream()
                .skip(made.changes().size())
                .filter(change -> change.step() < delivered)
                .findFirst()
                .ifPresent(change -> {
                    throw new IllegalArgumentException("pipeline '" + pipeline + "' can't change weights at " + change
                            + ": its checkpoint is of step " + delivered + ", and without that change");
                });
        return all;
    }

    private static RunOptions with(RunOptions options, LiveWeights weights) {
        return weights.changes().isEmpty() ? options : options.provenance(LiveWeights.KEY, weights.text());
    }

    private void requireCount(List<Double> all) {
        if (all.size() != mix.inputs().size()) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "' mixes "
                    + mix.inputs().size() + " pipelines, but there are " + all.size() + " weights: " + all);
        }
    }

    /// Changes the weights from a step on.
    ///
    /// @throws IllegalArgumentException if the weights are not one for each pipeline, or there is a change at this
    ///     step or a later one that was made already
    /// @throws IllegalStateException if the consumer has come to the step, or the run is closed
    public void change(long from, double... all) {
        List<Double> checked = MixSchedule.checked(all);
        requireCount(checked);
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the run of pipeline '" + pipeline + "' is closed");
            }
            if (from < firstStep()) {
                throw new IllegalStateException("pipeline '" + pipeline + "'" + rank()
                        + ": weights can't change at step " + from + ", since the consumer has come to step " + step
                        + "; name step " + firstStep() + " or a later one, the same on all ranks");
            }
            weights.last().filter(last -> last.step() >= from).ifPresent(last -> {
                throw new IllegalArgumentException("pipeline '" + pipeline + "': weights can't change at step " + from
                        + ", at or before " + last + ", which the run knows since it started");
            });
            if (options.leftOut().contains(from - 1)) {
                throw new IllegalArgumentException("pipeline '" + pipeline + "': weights can't change at step " + from
                        + " because the step before it is left out; name another");
            }
            List<Double> other = waiting.putIfAbsent(from, checked);
            if (other != null && !other.equals(checked)) {
                throw new IllegalArgumentException("pipeline '" + pipeline + "': weights change at step " + from
                        + " to " + other + " already, and can't to " + Arrays.toString(all) + " too");
            }
        } finally {
            lock.unlock();
        }
    }

    /// The first step whose weights can still change.
    public long firstStep() {
        lock.lock();
        try {
            return step + (promised ? 1 : 0);
        } finally {
            lock.unlock();
        }
    }

    /// What was changed so far, and what is known from the start on.
    public LiveWeights weights() {
        lock.lock();
        try {
            return weights;
        } finally {
            lock.unlock();
        }
    }

    /// The changes whose steps have not come, by step.
    public Map<Long, List<Double>> waiting() {
        lock.lock();
        try {
            return new TreeMap<>(waiting);
        } finally {
            lock.unlock();
        }
    }

    /// Where the run stood, with the last change that it has made; empty if it has made none.
    public Optional<Checkpoint> changedAt() {
        lock.lock();
        try {
            return Optional.ofNullable(changedAt);
        } finally {
            lock.unlock();
        }
    }

    /// Where the recipe says that changes are read from.
    public Optional<java.nio.file.Path> file() {
        return mix.policy() instanceof Recipe.MergePolicy.Weighted(long _, MixSchedule schedule, boolean _)
                ? schedule.file()
                : Optional.empty();
    }

    /// Has a watcher asked at each step from now on; called by the consumer.
    public void watch(Watcher newWatcher) {
        watcher = newWatcher;
    }

    /// Whether the run goes on where another has left off.
    public boolean isResumed() {
        return options.resumeFrom().isPresent();
    }

    /// The rank of the first source that has one, and the number of ranks; 0 and 1 without one.
    public int[] ranks() {
        for (Source<?> source : Recipe.sources(recipe)) {
            if (source instanceof RankedSource<?> ranked) {
                return new int[] {ranked.rank(), ranked.worldSize()};
            }
            if (source instanceof ElasticSource<?> elastic) {
                return new int[] {elastic.rank(), elastic.worldSize()};
            }
        }
        return new int[] {0, 1};
    }

    private String rank() {
        int[] ranks = ranks();
        return ranks[1] > 1 ? ", rank " + ranks[0] : "";
    }

    /// Makes the change that is due at this step, if there is one.
    private void arrive() {
        if (closed || running.epochEnded()) {
            return;
        }
        Watcher asked = watcher;
        if (asked != null && !promised) {
            asked.at(step);
        }
        Map.Entry<Long, List<Double>> due;
        lock.lock();
        try {
            if (promised || waiting.isEmpty() || waiting.firstKey() > step) {
                return;
            }
            due = waiting.pollFirstEntry();
        } finally {
            lock.unlock();
        }
        if (due.getKey() < step) {
            throw new IllegalStateException("pipeline '" + pipeline + "'" + rank() + ": weights were to change at step "
                    + due.getKey() + ", which was left with its epoch; the consumer is at step " + step);
        }
        restart(due.getValue());
    }

    private void restart(List<Double> now) {
        Run<T> old = running;
        RunState state = StateJson.read(old.checkpoint().toJson());
        long item = state.draws().getOrDefault(LiveWeights.STAGE, List.of()).stream()
                .filter(draws -> draws.epoch() == state.epoch())
                .mapToLong(MixState::next)
                .findFirst()
                .orElse(0);
        LiveWeights more = weights.with(new LiveWeights.Change(step, state.epoch(), item, now));
        Map<String, String> provenance = new TreeMap<>(state.identity().provenance());
        provenance.put(LiveWeights.KEY, more.text());
        RunIdentity identity = new RunIdentity(
                state.identity().seed(),
                state.identity().recipe(),
                provenance,
                state.identity().changes());
        Checkpoint at = Checkpoint.parse(StateJson.write(new RunState(
                identity,
                state.epoch(),
                state.delivered(),
                state.sources(),
                state.nodes(),
                state.parts(),
                state.draws(),
                state.states(),
                state.budgets())));
        try {
            old.close();
        } catch (PipelineException ahead) {
            // What has failed was prepared ahead, and comes again if it is still wanted.
            System.getLogger(LiveRun.class.getName())
                    .log(Level.WARNING, "pipeline '" + pipeline + "': what a change of weights has dropped", ahead);
        }
        before = totals(old.stats());
        running = starter.apply(with(options.resumeFrom(at), more));
        tunings.forEach(running::tune);
        lock.lock();
        try {
            weights = more;
            changedAt = at;
            receivedBefore = received;
            confined.ifPresent(items -> running.confine(items, 0));
        } finally {
            lock.unlock();
        }
        if (closed) {
            running.close(); // by another thread, which has closed the one before
        }
    }

    private void promise(boolean there) {
        lock.lock();
        try {
            promised = there;
        } finally {
            lock.unlock();
        }
    }

    private T received(T item) {
        lock.lock();
        try {
            while (options.leftOut().contains(step)) {
                step++;
            }
            step++;
            received++;
            promised = false;
        } finally {
            lock.unlock();
        }
        return item;
    }

    @Override
    public Iterator<T> iterator() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                arrive();
                boolean there = running.iterator().hasNext();
                promise(there);
                return there;
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("epoch " + epoch() + " has no more items");
                }
                return received(running.iterator().next());
            }
        };
    }

    @Override
    public Stream<T> stream() {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    @Override
    public Optional<T> poll(Duration timeout) throws InterruptedException {
        arrive();
        return running.poll(timeout).map(this::received);
    }

    @Override
    public boolean nextEpoch() {
        boolean whole = running.epochEnded();
        boolean more = running.nextEpoch();
        if (!whole) {
            long now = more ? running.ticket().delivered() : step;
            lock.lock();
            try {
                step = now;
                promised = false;
            } finally {
                lock.unlock();
            }
        }
        return more;
    }

    @Override
    public long epoch() {
        return running.epoch();
    }

    @Override
    public boolean epochEnded() {
        return running.epochEnded();
    }

    /// A ticket of the run that the consumer had then.
    private record Mark(Run<?> of, Ticket ticket) implements Ticket {
        @Override
        public long delivered() {
            return ticket.delivered();
        }
    }

    @Override
    public Ticket ticket() {
        return new Mark(running, running.ticket());
    }

    @Override
    public Checkpoint checkpoint(Ticket ticket) {
        if (!(ticket instanceof Mark(Run<?> of, Ticket inner))) {
            throw new IllegalArgumentException("the ticket is of another run");
        }
        return of.checkpoint(inner);
    }

    @Override
    public Change tune(Tuning tuning) {
        Change change = running.tune(tuning);
        tunings.add(tuning);
        return change;
    }

    @Override
    public void confine(int items, long counted) {
        lock.lock(); // so that a run that replaces another gets what was said last
        try {
            running.confine(items, counted - receivedBefore);
            confined = OptionalInt.of(items);
        } finally {
            lock.unlock();
        }
    }

    /// Counters since the start; times and links since the last change.
    @Override
    public PipelineStats stats() {
        return totals(running.stats());
    }

    private PipelineStats totals(PipelineStats now) {
        PipelineStats was = before;
        return was == null
                ? now
                : new PipelineStats(
                        now.pipeline(),
                        was.elapsed().plus(now.elapsed()),
                        was.delivered() + now.delivered(),
                        was.deliveredBytes() + now.deliveredBytes(),
                        was.skipped() + now.skipped(),
                        was.consumerWait().plus(now.consumerWait()),
                        was.consumerBusy().plus(now.consumerBusy()),
                        now.consumerTimes(),
                        now.computeThreads(),
                        now.budget(),
                        now.changes(),
                        now.tuning(),
                        now.stages(),
                        now.links(),
                        now.sources());
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        running.close();
    }
}
