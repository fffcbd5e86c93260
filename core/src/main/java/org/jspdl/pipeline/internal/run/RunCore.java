package org.jspdl.pipeline.internal.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.RunHandle;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.internal.flight.FlightEvents;
import org.jspdl.pipeline.internal.lineage.Ledger;
import org.jspdl.pipeline.internal.link.Disposer;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.stage.Budget;
import org.jspdl.pipeline.internal.stage.Deadlines;
import org.jspdl.pipeline.internal.stage.ItemObservers;
import org.jspdl.pipeline.internal.stage.ProgressRule;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.Stage;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.tune.Knob;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.SkipObserver;
import org.jspdl.stats.StageObserver;
import org.jspecify.annotations.Nullable;

/// The stages and links of one run, and how it ends.
///
/// A run ends by itself when the end of the source has passed the last stage; by a failure, when what is upstream of
/// the failed stage stops and what is downstream finishes; or by closing, when everything stops. Nothing here refers to
/// the consumer's [EngineRun], so an abandoned run can be found out.
final class RunCore implements RunContext {
    private static final long INTERRUPT_AGAIN_NANOS = Duration.ofMillis(50).toNanos();

    /// Threads that sources, batches, merges and routes have of their own. Of a run with more of them the rest are
    /// virtual, so that a pipeline of thousands of stages starts anywhere.
    private static final int MOST_PLATFORM_THREADS = 256;

    private final AtomicInteger platformThreads = new AtomicInteger();
    private final String pipeline;
    private final RunOptions options;
    private final StageObserver observer;
    private final @Nullable ItemObservers items;
    private final Ledger ledger = new Ledger();
    private final Disposer disposal;
    private final Budget budget;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final long startedAt = System.nanoTime();
    private List<Stage> stages = List.of();
    private List<Link> links = List.of();
    private RunTuning tuning = new RunTuning(this, List.of());
    private final BackgroundTasks beside;
    private final @Nullable ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
    private @Nullable FlightEvents flight;
    private Runnable releasePool = () -> {};
    private @Nullable PipelineException failure;
    private boolean failureSeen;
    /// The threads that end stages because of a failure, once for each time; guarded by the lock.
    private final List<Thread> enders = new ArrayList<>();
    private final Condition endersGone = lock.newCondition();

    RunCore(String pipeline, RunOptions options) {
        this.pipeline = pipeline;
        this.options = options;
        this.observer = Observers.of(options.observers().stream()
                .filter(each -> !(each instanceof SkipObserver)) // is told of nothing else
                .toList());
        this.items = ItemObservers.of(options.observers());
        this.beside = new BackgroundTasks(pipeline);
        this.budget = new Budget(options.byteBudget().orElse(null));
        this.disposal = new Disposer(pipeline, budget::release);
    }

    /// Emits events of the run that `stats` takes snapshots of; called once, before the run starts.
    void recordedBy(Supplier<PipelineStats> stats) {
        flight = new FlightEvents(stats);
        flight.start();
    }

    /// Takes over what a planner made, and starts it: consumers before producers, so that nothing is missed.
    ///
    /// @param knobs what a tuner chooses
    void start(List<Stage> newStages, List<Link> newLinks, List<Knob> knobs, Runnable newReleasePool) {
        stages = List.copyOf(newStages);
        links = List.copyOf(newLinks);
        tuning = new RunTuning(this, knobs);
        releasePool = newReleasePool;
        ProgressRule rule = budget.rule();
        if (rule != null) {
            links.stream().filter(link -> consumerOf(link) == null).forEach(sink -> rule.watch(stages, sink));
        }
        try {
            stages.reversed().forEach(Stage::start);
        } catch (Throwable failed) {
            try {
                close();
            } catch (RuntimeException second) {
                failed.addSuppressed(second);
            }
            throw failed;
        }
    }

    /// Starts what goes on beside the run.
    void startTasks(RunHandle handle) {
        beside.startTasks(options.background(), handle);
        beside.startTasks(tuning.tasks(), handle);
    }

    /// Changes the run.
    RunTuning tuning() {
        return tuning;
    }

    List<Stage> stages() {
        return stages;
    }

    List<Link> links() {
        return links;
    }

    long startedAt() {
        return startedAt;
    }

    @Override
    public String pipeline() {
        return pipeline;
    }

    @Override
    public RunOptions options() {
        return options;
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Budget budget() {
        return budget;
    }

    @Override
    public Disposer disposal() {
        return disposal;
    }

    @Override
    public StageObserver observer() {
        return observer;
    }

    @Override
    public @Nullable ItemObservers items() {
        return items;
    }

    @Override
    public FlightEvents.@Nullable Active flight() {
        return flight == null ? null : flight.active();
    }

    @Override
    public Deadlines deadlines() {
        return beside.deadlines();
    }

    @Override
    public @Nullable ClassLoader classLoader() {
        return classLoader;
    }

    @Override
    public boolean takesPlatformThread() {
        return platformThreads.incrementAndGet() <= MOST_PLATFORM_THREADS;
    }

    @Override
    public boolean closing() {
        return closed.get();
    }

    @Override
    public void gaveUp(Stage stage, Deadlines.Call call) {
        long calls = abandonedCalls();
        if (calls > options.abandonedLimit()) {
            fail(
                    stage,
                    new PipelineException(
                            stage.name,
                            PipelineException.Kind.DEADLINE,
                            Optional.empty(),
                            "pipeline '" + pipeline + "', stage '" + stage.name + "': " + calls
                                    + " calls go on beyond their deadline, more than the " + options.abandonedLimit()
                                    + " that abandonedLimit allows",
                            call.late()));
        }
    }

    private long abandonedCalls() {
        return stages.stream().mapToLong(Stage::abandonedCalls).sum();
    }

    @Override
    public void fail(Stage stage, PipelineException cause) {
        // Nothing upstream brings a source to its end.
        end(stage, cause, stage.inputs.isEmpty());
    }

    @Override
    public void breakDown(Stage stage, PipelineException cause) {
        end(stage, cause, true);
    }

    /// Stops what works for the inputs of `stage`, and for other inputs of a merge behind it: nothing else would
    /// end the latter, and the consumer would get their whole epoch before the failure. What they have passed on is
    /// still delivered.
    ///
    /// @param itself whether `stage` stops too
    private void end(Stage stage, PipelineException cause, boolean itself) {
        lock.lock();
        try {
            if (closed.get()) {
                return;
            }
            report(cause);
            enders.add(Thread.currentThread());
        } finally {
            lock.unlock();
        }
        try {
            endAll(stage, itself);
        } finally {
            lock.lock();
            try {
                enders.remove(Thread.currentThread());
                endersGone.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void endAll(Stage stage, boolean itself) {
        stage.breakOff();
        Set<Stage> upstream = upstreamOf(stage);
        Set<Stage> related = new HashSet<>(upstream);
        related.add(stage);
        addDownstream(related);
        Set<Stage> ending = new LinkedHashSet<>(stages);
        ending.removeAll(related);
        ending.addAll(upstream);
        if (itself) {
            // Its inputs are cancelled: an end in them would be one more task for an executor that rejects
            // tasks.
            ending.add(stage);
        } else {
            stage.inputs.forEach(Link::truncate);
        }
        stop(ending);
    }

    @Override
    public boolean abandon(Stage stage) {
        Set<Stage> upstream = upstreamOf(stage);
        boolean alone = upstream.stream()
                .flatMap(above -> above.outputs.stream())
                .map(this::consumerOf)
                .allMatch(consumer -> consumer == stage || upstream.contains(consumer));
        if (alone) {
            stage.inputs.forEach(Link::cancel);
            stop(upstream);
        }
        return alone;
    }

    /// Stops stages, after what they pass on has come to its end: what an interrupt makes them drop, or take for
    /// the end of an epoch, is missing in no epoch that counts as whole.
    private void stop(Set<Stage> ending) {
        for (Stage stage : ending) {
            for (Link link : stage.outputs) {
                if (ending.contains(consumerOf(link))) {
                    link.cancel();
                } else {
                    link.mark(Envelope.end());
                }
            }
        }
        ending.forEach(Stage::stop);
    }

    /// Adds to `found` what gets items of any of its stages.
    private void addDownstream(Set<Stage> found) {
        Deque<Stage> upstream = new ArrayDeque<>(found);
        while (!upstream.isEmpty()) {
            for (Link link : upstream.remove().outputs) {
                Stage consumer = consumerOf(link);
                if (consumer != null && found.add(consumer)) {
                    upstream.add(consumer);
                }
            }
        }
    }

    @Override
    public void report(PipelineException cause) {
        lock.lock();
        try {
            if (failure == null) {
                failure = cause;
            } else if (failure != cause) {
                failure.addSuppressed(cause);
            }
        } finally {
            lock.unlock();
        }
    }

    private Set<Stage> upstreamOf(Stage stage) {
        Set<Stage> found = new HashSet<>();
        Deque<Stage> downstream = new ArrayDeque<>(List.of(stage));
        while (!downstream.isEmpty()) {
            Stage consumer = downstream.remove();
            for (Stage other : stages) {
                if (other.outputs.stream().anyMatch(consumer.inputs::contains) && found.add(other)) {
                    downstream.add(other);
                }
            }
        }
        return found;
    }

    private @Nullable Stage consumerOf(Link link) {
        return stages.stream()
                .filter(stage -> stage.inputs.contains(link))
                .findFirst()
                .orElse(null);
    }

    /// The failure of the run, which the caller shows to the consumer; null if there is none.
    @Nullable
    PipelineException takeFailure() {
        lock.lock();
        try {
            failureSeen = failure != null;
            return failure;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return closed.get();
    }

    /// Stops everything and waits for it, at most for the grace period.
    void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (flight != null) {
            flight.stop();
        }
        boolean completed = stages.stream().allMatch(Stage::hasEnded);
        links.forEach(Link::cancel);
        if (!completed) {
            stages.forEach(Stage::stop);
        }
        beside.stop();
        List<Stage> stuck = awaitStages(System.nanoTime() + options.grace().toNanos());
        releasePool.run();
        PipelineException report = unseenFailure();
        if (!stuck.isEmpty()) {
            PipelineException ignoring = new PipelineException(
                    stuck.getFirst().name,
                    PipelineException.Kind.UNRESPONSIVE,
                    Optional.empty(),
                    "pipeline '" + pipeline + "': "
                            + String.join(
                                    ", ",
                                    stuck.stream()
                                            .map(stage -> "stage '" + stage.name + "'")
                                            .toList())
                            + " did not answer the interrupt within "
                            + options.grace().toMillis()
                            + " ms; its thread and the item it works on stay in use until its function returns",
                    null);
            if (report == null) {
                throw ignoring;
            }
            report.addSuppressed(ignoring);
        }
        if (report != null) {
            throw report;
        }
    }

    private @Nullable PipelineException unseenFailure() {
        lock.lock();
        try {
            return failureSeen ? null : failure;
        } finally {
            lock.unlock();
        }
    }

    private List<Stage> awaitStages(long deadline) {
        List<Stage> stuck = new ArrayList<>();
        boolean interrupted = false;
        while (!beside.isJoined()) {
            try {
                beside.join(deadline);
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        for (Stage stage : stages) {
            while (true) {
                long now = System.nanoTime();
                try {
                    if (stage.awaitEnd(Math.min(deadline, now + INTERRUPT_AGAIN_NANOS))) {
                        if (stage instanceof ThreadStage threads) {
                            threads.join(deadline);
                        }
                        break;
                    }
                } catch (InterruptedException again) {
                    interrupted = true;
                    continue;
                }
                if (now >= deadline) {
                    stuck.add(stage);
                    break;
                }
                stage.interrupt();
            }
        }
        if (awaitEnders(deadline) || interrupted) {
            Thread.currentThread().interrupt();
        }
        return stuck;
    }

    /// Waits for the threads that close what a failure has left, of which a caller's executor may be the owner;
    /// true if this one was interrupted meanwhile.
    private boolean awaitEnders(long deadline) {
        boolean interrupted = false;
        lock.lock();
        try {
            long left = deadline - System.nanoTime();
            while (left > 0 && enders.stream().anyMatch(thread -> thread != Thread.currentThread())) {
                try {
                    left = endersGone.awaitNanos(left);
                } catch (InterruptedException again) {
                    interrupted = true;
                    left = deadline - System.nanoTime();
                }
            }
        } finally {
            lock.unlock();
        }
        return interrupted;
    }
}
