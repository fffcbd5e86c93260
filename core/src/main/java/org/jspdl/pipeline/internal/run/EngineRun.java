package org.jspdl.pipeline.internal.run;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedSet;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.ProvenanceChange;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunHandle;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.Ticket;
import org.jspdl.pipeline.Tuning;
import org.jspdl.pipeline.internal.checkpoint.CheckpointRedistribution;
import org.jspdl.pipeline.internal.checkpoint.RunIdentity;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.checkpoint.StateJson;
import org.jspdl.pipeline.internal.compute.ComputePool;
import org.jspdl.pipeline.internal.failure.Descriptions;
import org.jspdl.pipeline.internal.failure.FailureBudget;
import org.jspdl.pipeline.internal.flight.FlightEvents;
import org.jspdl.pipeline.internal.lineage.CheckpointBuilder;
import org.jspdl.pipeline.internal.lineage.Ledger;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.live.LiveMix;
import org.jspdl.pipeline.internal.live.LiveRun;
import org.jspdl.pipeline.internal.recipe.GroupSizes;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.Histogram;
import org.jspdl.pipeline.internal.stage.ItemObservers;
import org.jspdl.stats.Change;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;
import org.jspecify.annotations.Nullable;

/// The consumer's side of a run: takes items from the last link and hands them over.
public final class EngineRun<T> implements Run<T> {
    /// Only reports and reclaims runs that were never closed.
    private static final Cleaner ABANDONED = Cleaner.create();

    /// Timeouts from here on are as good as none, and would overflow a deadline.
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private final RunCore core;
    private final Link sink;
    private final RunIdentity identity;
    private final Map<String, FailureBudget> budgets;
    private final List<RunState.Share> shares;
    private final List<SourceReading> readings;
    private final List<Map<Long, List<String>>> shared;
    private final List<String> unresumable;
    private final int computeThreads;
    private final Cleaner.Cleanable cleanable;
    private long epoch;
    private boolean epochEnded;
    private boolean ended;
    private volatile boolean closed;
    /// What was received and not handed over yet: the consumer's, or that of a thread that closes the run, whoever
    /// takes it out.
    private final AtomicReference<@Nullable Envelope> peeked = new AtomicReference<>();
    /// Who waits for an item.
    private final AtomicReference<@Nullable Thread> consumer = new AtomicReference<>();
    private final ReentrantLock closing = new ReentrantLock();
    private final long deliveredBefore;
    private volatile long delivered;
    private volatile long deliveredBytes;
    private volatile long waitNanos;
    private volatile long busyNanos;
    private final Histogram consumerTimes = new Histogram();
    private final EmptyEpochs empties;
    private long ownNanos;
    /// The consumer's wait for the item that is next, in as many calls as it took.
    private long waitedFor;
    private long askedAt;
    private long returnedAt;

    private EngineRun(RunCore core, Planner planner, RunIdentity identity, Link sink, @Nullable RunState resumed) {
        this.core = core;
        this.sink = sink;
        this.identity = identity;
        this.budgets = planner.budgets();
        this.shares = planner.shares();
        this.readings = planner.readings();
        this.shared = resumed == null
                ? Collections.nCopies(shares.size(), Map.of())
                : resumed.sources().stream().map(RunState.SourceState::shares).toList();
        this.unresumable = planner.unresumable();
        this.computeThreads = planner.computing().threads();
        this.epoch = resumed == null ? 0 : resumed.epoch();
        this.deliveredBefore = resumed == null ? 0 : resumed.delivered();
        this.returnedAt = System.nanoTime();
        this.empties = new EmptyEpochs(core.pipeline());
        this.cleanable = ABANDONED.register(this, new Abandoned(core, peeked));
    }

    /// Starts a run of `recipe`.
    ///
    /// @param sinkBuffer finished items that may wait for the consumer
    public static <T> Run<T> start(String pipeline, Recipe recipe, int sinkBuffer, RunOptions options) {
        return LiveMix.find(pipeline, recipe).isPresent()
                ? new LiveRun<>(pipeline, recipe, each -> startFixed(pipeline, recipe, sinkBuffer, each), options)
                : startFixed(pipeline, recipe, sinkBuffer, options);
    }

    /// Starts a run whose weights stay as they are.
    private static <T> Run<T> startFixed(String pipeline, Recipe recipe, int sinkBuffer, RunOptions options) {
        RunIdentity now = identity(recipe, options);
        if (options.resumeFrom().isEmpty()) {
            return start(pipeline, recipe, sinkBuffer, options, now, null);
        }
        RunState state = StateJson.read(options.resumeFrom().get().toJson());
        return start(pipeline, recipe, sinkBuffer, options, resuming(pipeline, state, now, options), state);
    }

    /// Starts a run of `recipe` in a state that was made for it.
    static <T> Run<T> resume(String pipeline, Recipe recipe, int sinkBuffer, RunOptions options, RunState state) {
        return start(pipeline, recipe, sinkBuffer, options, identity(recipe, options), state);
    }

    private static RunIdentity identity(Recipe recipe, RunOptions options) {
        return new RunIdentity(options.seed(), Recipe.fingerprint(recipe), options.provenance(), List.of());
    }

    private static <T> Run<T> start(
            String pipeline,
            Recipe recipe,
            int sinkBuffer,
            RunOptions options,
            RunIdentity identity,
            @Nullable RunState resumed) {
        options.byteBudget().ifPresent(budget -> GroupSizes.check(pipeline, recipe, budget));
        RunState own = resumed == null ? null : CheckpointRedistribution.deal(resumed, Recipe.sources(recipe));
        RunCore core = new RunCore(pipeline, Extensions.of(options));
        Planner planner = new Planner(core, own);
        Link sink = planner.plan(recipe, sinkBuffer);
        EngineRun<T> run = new EngineRun<>(core, planner, identity, sink, own);
        // Weakly, so that neither events nor a background task keep an abandoned run from being found out.
        RunHandle handle = new WeakHandle(new WeakReference<>(run));
        core.recordedBy(handle);
        core.start(
                planner.stages(),
                planner.links(),
                planner.knobs(),
                planner.computing().release());
        core.startTasks(handle);
        return run;
    }

    /// The identity of the run `now`, which resumes from `state`, with the changes of its provenance.
    private static RunIdentity resuming(String pipeline, RunState state, RunIdentity now, RunOptions options) {
        RunIdentity then = state.identity();
        String what = "pipeline '" + pipeline + "' can't resume from this checkpoint";
        then.requireSame(now, what);
        List<ProvenanceChange> changes = then.changesTo(now, state.epoch());
        if (!changes.isEmpty()) {
            String differences = String.join(
                    "; ", changes.stream().map(ProvenanceChange::toString).toList());
            if (options.strict()) {
                throw new IllegalArgumentException(
                        what + " because its provenance has changed and the run is strict: " + differences);
            }
            logger().log(
                            Level.WARNING,
                            "pipeline '" + pipeline + "' resumes with another provenance: " + differences
                                    + "; items that are left may differ from those before (RunOptions.strictProvenance refuses this)");
        }
        return now.with(then.changes()).with(changes);
    }

    @Override
    public Ticket ticket() {
        return new Mark(
                core,
                deliveredBefore + delivered,
                epochEnded ? epoch + 1 : epoch,
                core.ledger().snapshot(budgets));
    }

    @Override
    public Checkpoint checkpoint(Ticket ticket) {
        if (!(ticket instanceof Mark mark) || mark.core != core) {
            throw new IllegalArgumentException("the ticket is of another run");
        }
        if (!unresumable.isEmpty()) {
            throw new IllegalStateException(
                    "pipeline '" + core.pipeline() + "' can't be checkpointed: " + String.join("; ", unresumable));
        }
        return Checkpoint.parse(StateJson.write(CheckpointBuilder.of(
                mark.snapshot,
                identity,
                mark.epoch,
                mark.delivered,
                shares,
                shared,
                core.ledger().restored().table())));
    }

    /// What was not settled when the ticket was made.
    private record Mark(RunCore core, long delivered, long epoch, Ledger.Snapshot snapshot) implements Ticket {}

    private record Abandoned(RunCore core, AtomicReference<@Nullable Envelope> peeked) implements Runnable {
        @Override
        public void run() {
            if (core.isClosed()) {
                return;
            }
            Thread.ofVirtual().name("jspdl-" + core.pipeline() + "-reclaim").start(() -> {
                logger().log(
                                Level.WARNING,
                                "a run of pipeline '" + core.pipeline()
                                        + "' was abandoned without being closed; it is closed now");
                try {
                    core.close();
                } catch (PipelineException failure) {
                    logger().log(Level.WARNING, "the abandoned run had failed", failure);
                } finally {
                    disposePeeked(core, peeked);
                }
            });
        }
    }

    @Override
    public Iterator<T> iterator() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return peek();
            }

            @Override
            public T next() {
                while (peek()) {
                    Envelope taken = peeked.getAndSet(null);
                    if (taken != null) {
                        return handOver(taken);
                    }
                    // Taken by another thread since it was received, or closed with the run.
                }
                throw new NoSuchElementException("epoch " + epoch + " has no more items");
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
        long deadline = deadlineAfter(timeout);
        while (fetch(deadline)) {
            Envelope taken = peeked.getAndSet(null);
            if (taken != null) {
                return Optional.of(handOver(taken));
            }
        }
        return Optional.empty();
    }

    private static long deadlineAfter(Duration timeout) {
        if (timeout.compareTo(FOREVER) >= 0) {
            return Long.MAX_VALUE;
        }
        return System.nanoTime() + (timeout.isNegative() ? 0 : timeout.toNanos());
    }

    private boolean peek() {
        try {
            return fetch(Long.MAX_VALUE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PipelineException(
                    "",
                    PipelineException.Kind.INTERRUPTED,
                    Optional.empty(),
                    "pipeline '" + core.pipeline() + "': the consumer was interrupted while it waited for an item",
                    interrupted);
        }
    }

    /// Waits until an item is peeked; false at the end of the epoch or after `deadline`.
    private boolean fetch(long deadline) throws InterruptedException {
        if (peeked.get() != null) {
            return true;
        }
        if (!consumer.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException("the run of pipeline '" + core.pipeline()
                    + "' is used by two threads at once: " + consumer.get() + " waits for an item while "
                    + Thread.currentThread() + " asks for one; let one thread take items, and pass them on");
        }
        try {
            while (peeked.get() != null || fetchAlone(deadline)) {
                if (!isLeftOut()) {
                    return true;
                }
                Envelope taken = peeked.getAndSet(null);
                if (taken != null) {
                    core.disposal().dispose(deliver(taken, false)); // the consumer does not learn of it
                }
            }
            return false;
        } finally {
            consumer.set(null);
        }
    }

    /// Whether the item that is next is not to be handed over.
    private boolean isLeftOut() {
        SortedSet<Long> leftOut = core.options().leftOut();
        return !leftOut.isEmpty() && leftOut.contains(deliveredBefore + delivered);
    }

    private boolean fetchAlone(long deadline) throws InterruptedException {
        refuseIfClosed();
        if (epochEnded || ended) {
            throwFailure();
            return false;
        }
        long asked = System.nanoTime();
        busyNanos += asked - returnedAt;
        ownNanos += asked - returnedAt;
        Envelope envelope;
        try {
            envelope = take(deadline);
        } finally {
            returnedAt = System.nanoTime();
            waitNanos += returnedAt - asked;
            waitedFor += returnedAt - asked;
        }
        if (envelope == null) {
            refuseIfClosed(); // by another thread, while this one waited
            return false;
        }
        // An item is finished when it is handed over, so that the run is not taken to be stalled before.
        if (envelope.isMark()) {
            sink.finished();
            core.budget().reconsider();
        }
        switch (envelope.kind) {
            case ITEM -> {
                consumerTimes.record(ownNanos);
                ownNanos = 0;
                askedAt = returnedAt - waitedFor;
                waitedFor = 0;
                peeked.set(envelope);
                if (closed) {
                    disposePeeked(core, peeked);
                    throw closedRun();
                }
                return true;
            }
            case EPOCH_END -> {
                epochEnded = true;
                waitedFor = 0;
                core.ledger().epochDelivered(epoch);
            }
            case END -> {
                ended = true;
                throwFailure();
            }
        }
        return false;
    }

    private static void disposePeeked(RunCore core, AtomicReference<@Nullable Envelope> peeked) {
        Envelope left = peeked.getAndSet(null);
        if (left != null) {
            core.disposal().dispose(left);
        }
    }

    private void refuseIfClosed() {
        if (closed) {
            throw closedRun();
        }
    }

    private IllegalStateException closedRun() {
        return new IllegalStateException("the run of pipeline '" + core.pipeline() + "' is closed");
    }

    private @Nullable Envelope take(long deadline) throws InterruptedException {
        Envelope ready = sink.poll();
        if (ready != null) {
            return ready;
        }
        try {
            FlightEvents.Active flight = core.flight();
            return flight == null
                    ? ComputePool.whileBlocked(() -> sink.take(1, deadline, null))
                    : flight.delivery(
                            core.pipeline(), () -> ComputePool.whileBlocked(() -> sink.take(1, deadline, null)));
        } catch (InterruptedException | RuntimeException expected) {
            throw expected;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void throwFailure() {
        PipelineException failure = ended ? core.takeFailure() : null;
        if (failure != null) {
            throw failure;
        }
    }

    private T handOver(Envelope envelope) {
        return deliver(envelope, true);
    }

    @SuppressWarnings("unchecked")
    private T deliver(Envelope envelope, boolean told) {
        delivered++;
        if (envelope.bytes != 0) {
            deliveredBytes += envelope.bytes;
        }
        core.ledger().delivered(envelope.lineage);
        if (told) {
            core.budget().deliver(envelope);
        } else {
            core.budget().release(envelope);
        }
        sink.finished();
        core.budget().reconsider();
        tellDelivered(envelope);
        return (T) envelope.value;
    }

    private void tellDelivered(Envelope envelope) {
        ItemObservers observers = core.items();
        if (observers == null) {
            return;
        }
        try {
            observers.delivered(envelope.lineage, askedAt, returnedAt);
        } catch (Throwable failure) {
            core.disposal().dispose(envelope);
            throw new PipelineException(
                    "",
                    "pipeline '" + core.pipeline() + "': an observer failed: " + Descriptions.withClass(failure),
                    failure);
        }
    }

    @Override
    public boolean nextEpoch() {
        boolean leaving = !epochEnded();
        if (!closed && leaving) {
            sink.leave(epoch);
        }
        Iterator<T> left = iterator();
        while (left.hasNext()) {
            core.disposal().dispose(left.next());
        }
        if (epoch + 1 >= core.options().epochs() || ended) {
            return false;
        }
        empties.ended(epoch, delivered, leaving, core.options().epochs() - epoch - 1);
        epoch++;
        epochEnded = false;
        return true;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public boolean epochEnded() {
        return epochEnded || ended;
    }

    @Override
    public Change tune(Tuning tuning) {
        refuseIfClosed();
        return core.tuning().tune(tuning);
    }

    @Override
    public void confine(int items, long received) {
        core.budget().confine(items, received);
    }

    @Override
    public PipelineStats stats() {
        long now = System.nanoTime();
        var stages = core.stages().stream().map(stage -> stage.stats(now)).toList();
        long skipped = stages.stream().mapToLong(StageStats::failed).sum();
        return new PipelineStats(
                core.pipeline(),
                Duration.ofNanos(now - core.startedAt()),
                delivered,
                deliveredBytes,
                skipped,
                Duration.ofNanos(waitNanos),
                Duration.ofNanos(busyNanos),
                Histogram.latency(List.of(consumerTimes)),
                computeThreads,
                core.budget().stats(),
                core.tuning().changes(),
                core.tuning().stats(),
                stages,
                core.links().stream().map(link -> link.stats(now)).toList(),
                readings.stream().map(source -> source.stats(core.ledger())).toList());
    }

    @Override
    public void close() {
        // A second thread waits for the first. A call from within the first finds the run closed.
        closing.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            try {
                core.close();
            } finally {
                disposePeeked(core, peeked);
                cleanable.clean();
            }
        } finally {
            closing.unlock();
        }
    }

    private static Logger logger() {
        return System.getLogger(EngineRun.class.getName());
    }
}
