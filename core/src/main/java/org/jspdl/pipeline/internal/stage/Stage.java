package org.jspdl.pipeline.internal.stage;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.internal.failure.Descriptions;
import org.jspdl.pipeline.internal.failure.Failures;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.stats.StageStats;
import org.jspecify.annotations.Nullable;

/// One stage of a run, between its input links and its output links.
public abstract class Stage {
    public final RunContext run;
    public final String name;
    private volatile int concurrency;
    public final List<Link> inputs;
    public final List<Link> outputs;
    /// As many as workers were there at the same time at most.
    public volatile WorkerSlot[] slots;
    /// Slots whose workers were tuned away; the next workers go on with them. Its own lock, a leaf.
    private final ArrayDeque<WorkerSlot> vacant = new ArrayDeque<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicBoolean endedOnce = new AtomicBoolean();
    private final AtomicInteger abandoned = new AtomicInteger();
    private volatile boolean stopped;
    /// Whether a failure of this stage ends the run.
    private volatile boolean brokenOff;

    @SuppressWarnings("NullAway.Init") // the planner gives it, before the run starts
    private StageGuard guard;

    public Stage(RunContext run, String name, int concurrency, List<Link> inputs, List<Link> outputs) {
        this.run = run;
        this.name = name;
        this.concurrency = concurrency;
        this.inputs = inputs;
        this.outputs = outputs;
        this.slots = new WorkerSlot[concurrency];
        long now = System.nanoTime();
        for (int i = 0; i < concurrency; i++) {
            slots[i] = new WorkerSlot(now, run.budget().rule());
        }
    }

    /// Begins to work; called once.
    public abstract void start();

    /// Says what is done about failures; called once, before the run starts.
    public final void guardedBy(Failures failures) {
        guard = new StageGuard(this, failures);
    }

    /// What is done about failures.
    public final StageGuard guard() {
        return guard;
    }

    /// Takes no more items and interrupts the functions that run; may be called more than once.
    public abstract void interrupt();

    /// What the function runs on, for statistics.
    public abstract String placement();

    /// How many items it takes before it does anything.
    public int gathers() {
        return 1;
    }

    /// Whether it is told of items instead of waiting for them.
    public boolean isScheduled() {
        return false;
    }

    /// Called when an input link has something to take.
    public void inputReady() {}

    /// Whether the stage can do nothing until something is put into this input.
    public boolean awaits(Link input) {
        return input.isStarving();
    }

    /// Called when an output link has room again.
    public void outputReady() {}

    /// Called when the consumer of an output has left an epoch. What all of them have left is not wanted from the
    /// inputs either.
    public void outputLeft() {
        long left = Long.MAX_VALUE;
        for (Link output : outputs) {
            left = Math.min(left, output.left());
        }
        for (Link input : inputs) {
            input.leave(left);
        }
    }

    public final void stop() {
        stopped = true;
        interrupt();
    }

    /// Lets nothing more come out that follows this place of the input, whose failure ends the run, if the stage
    /// keeps the input's order.
    public void breakOff(long sequence) {
        outputs.forEach(output -> output.breakOff(sequence));
    }

    /// Goes on without the thread of a call that was given up: another [takes over][#takeOver] its slot and item.
    public void replace(Deadlines.Call call) {
        throw new UnsupportedOperationException(name);
    }

    /// Goes on with the item of a call that was given up.
    ///
    /// @param slot the calling thread's
    protected void takeOver(Deadlines.Call call, WorkerSlot slot) {
        throw new UnsupportedOperationException(name);
    }

    /// Counts a call that is given up. Its thread writes nothing into its slot from here on: who takes its place
    /// may.
    public final void abandon() {
        abandoned.incrementAndGet();
    }

    /// Records that a call that was given up has returned after all.
    public final void returned() {
        abandoned.decrementAndGet();
    }

    /// How many calls may run at once.
    public final int concurrency() {
        return concurrency;
    }

    /// Lets another number of calls run at once, from now on or as calls end; one change at a time.
    ///
    /// @throws IllegalArgumentException if the stage always has the same
    public void tune(int calls) {
        throw new IllegalArgumentException("the concurrency of stage '" + name + "' (" + placement()
                + ") can't be changed; that of cpu, io and on stages can");
    }

    /// Notes the number of calls that a change has led to.
    public final void tuned(int calls) {
        concurrency = calls;
        outputs.forEach(output -> output.resize(-1, calls));
    }

    /// A slot for one more worker: that of one who has left, or a new one.
    public final WorkerSlot addSlot() {
        long now = System.nanoTime();
        synchronized (vacant) {
            WorkerSlot slot = vacant.poll();
            if (slot != null) {
                slot.resumes();
                slot.enter(WorkerSlot.State.STARVED, now);
                return slot;
            }
            slot = new WorkerSlot(now, run.budget().rule());
            WorkerSlot[] more = Arrays.copyOf(slots, slots.length + 1);
            more[more.length - 1] = slot;
            slots = more;
            return slot;
        }
    }

    /// Keeps the slot of a worker that has left, with what it has counted, for the next one.
    protected final void vacate(WorkerSlot slot) {
        synchronized (vacant) {
            vacant.push(slot);
        }
    }

    public final int abandonedCalls() {
        return abandoned.get();
    }

    public final boolean stopped() {
        return stopped;
    }

    /// Says that a failure of this stage ends the run: its epoch will have no end.
    public final void breakOff() {
        brokenOff = true;
    }

    /// Whether nothing waits for what the stage still works on. In a run that fails elsewhere, what this stage
    /// works on may belong to an epoch before that of the failure, which has to be delivered whole.
    public final boolean isInVain() {
        return stopped || brokenOff || run.closing();
    }

    /// Records that nothing more comes of an item, which was closed. If the stage is stopped that may be a
    /// function's answer to its interrupt, so the item stays unsettled and comes again after a resume.
    public final void settled(Envelope item) {
        if (stopped) {
            run.budget().release(item);
        } else {
            run.settled(item);
        }
    }

    /// Records that no function runs and nothing more comes out; harmless when repeated.
    public final void ended() {
        if (!endedOnce.compareAndSet(false, true)) {
            return;
        }
        try {
            if (begun.get()) {
                run.observer().stageEnded(name);
            }
        } catch (Throwable failure) {
            run.report(observerFailed(failure));
        } finally {
            ended.countDown();
            run.budget().reconsider();
        }
    }

    /// Tells the observer, once, that the stage is about to take its first item.
    public final void begun() {
        if (begun.compareAndSet(false, true)) {
            run.observer().stageStarted(name);
        }
    }

    /// The exception that ends the run because an observer or the engine itself has thrown.
    public final PipelineException observerFailed(Throwable failure) {
        return new PipelineException(
                name,
                "pipeline '" + run.pipeline() + "', stage '" + name + "' failed: " + Descriptions.withClass(failure),
                failure);
    }

    /// What a function has returned.
    ///
    /// @throws NullPointerException if that is nothing
    public static Object checked(@Nullable Object result) {
        if (result == null) {
            throw new NullPointerException("the function returned null; to drop items, use a filter");
        }
        return result;
    }

    /// Whether none of its threads runs or has a reason to wake up.
    public abstract boolean isQuiet();

    public final boolean hasEnded() {
        return ended.getCount() == 0;
    }

    public final boolean awaitEnd(long deadline) throws InterruptedException {
        return ended.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    public final StageStats stats(long now) {
        long completed = 0;
        long filtered = 0;
        long failed = 0;
        long[] nanos = new long[WorkerSlot.State.values().length];
        List<Histogram> histograms = new ArrayList<>(slots.length);
        for (@Nullable WorkerSlot slot : slots) {
            completed += slot.completed;
            filtered += slot.filtered;
            failed += slot.failed;
            histograms.add(slot.histogram());
            for (WorkerSlot.State state : WorkerSlot.State.values()) {
                nanos[state.ordinal()] += slot.nanos(state, now);
            }
        }
        return new StageStats(
                name,
                placement(),
                concurrency,
                completed,
                filtered,
                failed,
                duration(nanos, WorkerSlot.State.BUSY),
                duration(nanos, WorkerSlot.State.STARVED),
                duration(nanos, WorkerSlot.State.BLOCKED),
                duration(nanos, WorkerSlot.State.QUEUED),
                Histogram.latency(histograms),
                abandoned.get());
    }

    private static Duration duration(long[] nanos, WorkerSlot.State state) {
        return Duration.ofNanos(nanos[state.ordinal()]);
    }

    @Override
    public String toString() {
        return name;
    }
}
