package org.jspdl.pipeline.internal.stage;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.internal.compute.ComputePool;
import org.jspdl.pipeline.internal.compute.ComputeThread;
import org.jspdl.pipeline.internal.failure.Descriptions;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspecify.annotations.Nullable;

/// A stage without threads: it is put on a pool's queue when its input has items and its output has room.
///
/// An activation takes a few items, runs the function on each and puts the results into room that was reserved before;
/// it never waits. At most `concurrency` activations exist at once, each with a slot of its own. The stage's lock
/// guards the idle slots and comes before the links' locks.
public abstract class ScheduledStage extends Stage {
    /// Items that one activation takes at most, so that an item's way downstream is not held up.
    public static final int ITEMS_PER_ACTIVATION = 16;
    /// Activations go on to another item only while they are younger than this.
    public static final long ACTIVATION_NANOS = 50_000;

    /// Calls that take longer are worth waking other threads before: for quicker ones, one wake-up serves a whole
    /// activation.
    public static final long QUICK_NANOS = 5_000;

    /// Who runs activations.
    public interface Scheduler {
        /// Runs `activation` soon, on another thread.
        void submit(Activation activation);

        /// Interrupts the activations that run, and withdraws those that do not run yet. The stage is stopped.
        void interrupt();
    }

    private final String placement;
    private final @Nullable ProgressRule rule;
    public final Link input;
    public final Link output;
    private final ReentrantLock lock = new ReentrantLock();
    private Activation[] idle;
    private volatile int idleCount;
    /// Activations there are, and how many there should be; more are retired as they finish.
    private int live;
    private int wanted;
    private int queued;
    /// Activations that were submitted and have not finished.
    private final AtomicInteger unfinished = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // named before the run starts
    private Scheduler scheduler;

    public ScheduledStage(RunContext run, String name, String placement, int concurrency, Link input, Link output) {
        super(run, name, concurrency, List.of(input), List.of(output));
        this.placement = placement;
        this.rule = run.budget().rule();
        this.input = input;
        this.output = output;
        this.idle = new Activation[concurrency];
        for (int i = 0; i < concurrency; i++) {
            idle[i] = new Activation(slots[concurrency - 1 - i]);
        }
        idleCount = concurrency;
        live = concurrency;
        wanted = concurrency;
    }

    /// Names who runs activations; called once, before the run starts.
    public void scheduler(Scheduler newScheduler) {
        scheduler = newScheduler;
    }

    /// Works on a few items and says what the slot waits for next; [WorkerSlot.State#QUEUED] if there may be more
    /// to do at once.
    protected abstract WorkerSlot.State work(Activation activation, @Nullable ComputeThread thread);

    /// Items and suspended work that an activation could take up now.
    protected int pending() {
        return input.available();
    }

    /// An activation that was suspended and can go on, to be submitted before idle ones; called with the stage's
    /// lock held.
    @Nullable
    protected Activation resumable() {
        return null;
    }

    /// Keeps an activation that can't go on at the moment but has work left; false if it has none. Called with the
    /// stage's lock held.
    protected boolean suspend(Activation activation) {
        return false;
    }

    /// How many activations are suspended; called with the stage's lock held.
    protected int suspended() {
        return 0;
    }

    /// Takes out the suspended activations, when the stage is stopped and nothing runs; called with the stage's
    /// lock held, so that of several threads that end the stage one gets them.
    protected List<Activation> takeSuspended() {
        return List.of();
    }

    /// One unit of concurrency at work.
    public final class Activation implements ComputePool.Task {
        public final WorkerSlot slot;
        /// What a `flatMap` has begun.
        @Nullable
        public FlatMapIterator parts;
        /// The place of the item that is worked on in the input's order.
        public long sequence;
        /// A call that was given up, whose item is taken over first.
        private Deadlines.@Nullable Call given;

        Activation(WorkerSlot slot) {
            this.slot = slot;
        }

        private void disposeParts() {
            if (parts != null && parts != FlatMapIterator.NONE) {
                parts.dispose();
            }
            parts = null;
        }

        @Override
        public void run() {
            begin();
            ComputeThread thread = Thread.currentThread() instanceof ComputeThread compute ? compute : null;
            if (thread != null) {
                thread.enter(ScheduledStage.this.run, ScheduledStage.this.run.classLoader());
            }
            WorkerSlot.State waitsFor = WorkerSlot.State.STARVED;
            try {
                begun();
                takeOverFirst();
                waitsFor = work(this, thread);
            } catch (Deadlines.AbandonedCall givenUp) {
                if (thread != null) {
                    thread.pool.rejoin();
                }
                return;
            } catch (Throwable failure) {
                ScheduledStage.this.run.breakDown(ScheduledStage.this, observerFailed(failure));
            } finally {
                if (thread != null) {
                    thread.leave();
                }
            }
            finish(this, waitsFor);
        }

        private void takeOverFirst() {
            Deadlines.Call call = given;
            if (call != null) {
                given = null;
                takeOver(call, slot);
            }
        }

        @Override
        public void withdrawn() {
            lock.lock();
            try {
                queued--;
            } finally {
                lock.unlock();
            }
            finish(this, WorkerSlot.State.STARVED);
        }
    }

    private void begin() {
        lock.lock();
        try {
            queued--;
        } finally {
            lock.unlock();
        }
    }

    /// Before a call that may take long: what this activation has put and taken so far should not wait for it. Who
    /// gathers items sleeps on until there are several, if the call is no longer than an activation.
    protected final void announce(WorkerSlot slot, @Nullable ComputeThread thread) {
        if (slot.expectedNanos() > ACTIVATION_NANOS || output.isWorthAnnouncing()) {
            output.announceItems();
        }
        input.announceRoom();
        if (thread != null) {
            thread.pool.shareWork();
        }
    }

    protected final void forward(Envelope mark) {
        output.mark(mark);
        if (mark.kind == Envelope.Kind.END) {
            ended();
        }
        input.finished();
    }

    private void finish(Activation activation, WorkerSlot.State waitsFor) {
        lock.lock();
        try {
            activation.slot.enter(
                    waitsFor == WorkerSlot.State.QUEUED ? WorkerSlot.State.STARVED : waitsFor, System.nanoTime());
            if (!suspend(activation)) {
                settle(activation);
            }
        } finally {
            lock.unlock();
        }
        if (!endIfStopped()) {
            schedule();
        }
        finished();
    }

    /// Counts an activation that has done all that it had to do.
    private void finished() {
        if (rule != null && unfinished.decrementAndGet() == 0) {
            rule.parked();
        }
    }

    @Override
    public boolean isScheduled() {
        return true;
    }

    @Override
    public boolean isQuiet() {
        return unfinished.get() == 0;
    }

    @Override
    public void tune(int calls) {
        lock.lock();
        try {
            wanted = calls;
            while (live > wanted && idleCount > 0) {
                idleCount--;
                retire(idle[idleCount]);
            }
            while (live < wanted) {
                live++;
                settle(new Activation(addSlot()));
            }
        } finally {
            lock.unlock();
        }
        tuned(calls);
        if (!endIfStopped()) {
            schedule();
        }
    }

    /// Lays an activation aside until it is needed, or retires it if there are too many; called with the lock held.
    private void settle(Activation activation) {
        if (live > wanted) {
            retire(activation);
            return;
        }
        if (idleCount == idle.length) {
            idle = Arrays.copyOf(idle, 2 * idle.length);
        }
        idle[idleCount] = activation;
        idleCount++;
    }

    private void retire(Activation activation) {
        live--;
        activation.slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        vacate(activation.slot);
    }

    private boolean endIfStopped() {
        if (!stopped()) {
            return false;
        }
        boolean quiet;
        List<Activation> left = List.of();
        lock.lock();
        try {
            quiet = idleCount + suspended() == live;
            if (quiet) {
                left = takeSuspended();
            }
        } finally {
            lock.unlock();
        }
        if (quiet) {
            left.forEach(Activation::disposeParts);
            ended();
        }
        return true;
    }

    /// Queues as many activations as there are items to take, room for results, and idle slots.
    protected final void schedule() {
        while (pending() > 0 && !stopped()) {
            Activation next;
            lock.lock();
            try {
                next = nextToSubmit();
                if (next == null) {
                    return;
                }
                enqueue(next);
            } finally {
                lock.unlock();
            }
            if (!submit(next)) {
                return;
            }
        }
    }

    /// Counts an activation that is about to be submitted; called with the lock held.
    private void enqueue(Activation next) {
        queued++;
        if (rule != null) {
            unfinished.incrementAndGet();
            rule.resumed();
        }
        next.slot.enter(WorkerSlot.State.QUEUED, System.nanoTime());
    }

    private boolean submit(Activation next) {
        try {
            scheduler.submit(next);
            return true;
        } catch (Throwable rejected) {
            reject(next, rejected);
            return false;
        }
    }

    private @Nullable Activation nextToSubmit() {
        boolean room = output.room() > queued;
        Activation next = room ? resumable() : null;
        if (next != null) {
            return next;
        }
        if (idleCount == 0 || input.available() <= queued) {
            return null;
        }
        next = idle[idleCount - 1];
        if (!room) {
            if (next.slot.state() == WorkerSlot.State.STARVED) {
                next.slot.enter(WorkerSlot.State.BLOCKED, System.nanoTime());
            }
            return null;
        }
        idleCount--;
        return next;
    }

    private void reject(Activation activation, Throwable rejected) {
        lock.lock();
        try {
            queued--;
            activation.slot.enter(WorkerSlot.State.STARVED, System.nanoTime());
            settle(activation);
        } finally {
            lock.unlock();
        }
        run.breakDown(
                this,
                new PipelineException(
                        name,
                        "pipeline '" + run.pipeline() + "', stage '" + name + "': its executor rejected an activation: "
                                + Descriptions.of(rejected),
                        rejected));
        finished();
    }

    @Override
    public final void replace(Deadlines.Call call) {
        abandon();
        Activation activation = new Activation(call.slot);
        activation.given = call;
        if (call.thread() instanceof ComputeThread thread) {
            thread.pool.stepAside();
        }
        lock.lock();
        try {
            enqueue(activation);
        } finally {
            lock.unlock();
        }
        boolean _ = submit(activation);
        if (stopped()) {
            // It may have been submitted after the others were withdrawn.
            scheduler.interrupt();
        }
        finished();
    }

    @Override
    public void start() {
        schedule();
    }

    @Override
    public void inputReady() {
        schedule();
    }

    @Override
    public void outputReady() {
        schedule();
    }

    @Override
    public void interrupt() {
        scheduler.interrupt();
        endIfStopped();
    }

    @Override
    public String placement() {
        return placement;
    }
}
