package org.jspdl.pipeline.internal;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.pipeline.PipelineException;
import org.jspecify.annotations.Nullable;

/// A stage without threads: it is put on a pool's queue when its input has items and its output has room.
///
/// An activation takes a few items, runs the function on each and puts the results into room that was reserved before;
/// it never waits. At most `concurrency` activations exist at once, each with a slot of its own. The stage's lock
/// guards the idle slots and comes before the links' locks.
final class ScheduledStage extends Stage {
    /// Items that one activation takes at most, so that an item's way downstream is not held up.
    private static final int ITEMS_PER_ACTIVATION = 4;
    /// Activations go on to another item only while they are younger than this.
    private static final long ACTIVATION_NANOS = 50_000;

    /// Calls that take longer are worth waking other threads before: for quicker ones, one wake-up serves a whole
    /// activation.
    private static final long QUICK_NANOS = 5_000;

    /// Who runs activations.
    interface Scheduler {
        /// Runs `activation` soon, on another thread.
        void submit(Activation activation);

        /// Interrupts the activations that run, and withdraws those that do not run yet. The stage is stopped.
        void interrupt();
    }

    private final String placement;
    private final Link input;
    private final Link output;
    private final ReentrantLock lock = new ReentrantLock();
    private final Activation[] idle;
    private volatile int idleCount;
    private int queued;
    private boolean begun;
    private Scheduler scheduler;
    private Step step;

    ScheduledStage(RunContext run, String name, String placement, int concurrency, Link input, Link output) {
        super(run, name, concurrency, List.of(input), List.of(output));
        this.placement = placement;
        this.input = input;
        this.output = output;
        this.idle = new Activation[concurrency];
        for (int i = 0; i < concurrency; i++) {
            idle[i] = new Activation(slots[concurrency - 1 - i]);
        }
        idleCount = concurrency;
    }

    void assemble(Step newStep, Scheduler newScheduler) {
        step = newStep;
        scheduler = newScheduler;
    }

    /// One unit of concurrency at work.
    final class Activation implements ComputePool.Task {
        private final Slot slot;

        Activation(Slot slot) {
            this.slot = slot;
        }

        @Override
        public void run() {
            begin();
            ComputeThread thread = Thread.currentThread() instanceof ComputeThread compute ? compute : null;
            if (thread != null) {
                thread.enter(ScheduledStage.this.run);
            }
            Slot.State waitsFor;
            try {
                waitsFor = work(slot, thread);
            } finally {
                if (thread != null) {
                    thread.leave();
                }
            }
            finish(this, waitsFor);
        }

        @Override
        public void withdrawn() {
            lock.lock();
            try {
                queued--;
            } finally {
                lock.unlock();
            }
            finish(this, Slot.State.STARVED);
        }
    }

    private void begin() {
        lock.lock();
        try {
            queued--;
            if (!begun) {
                begun = true;
                run.observer().stageStarted(name);
            }
        } finally {
            lock.unlock();
        }
    }

    private Slot.State work(Slot slot, @Nullable ComputeThread thread) {
        long started = System.nanoTime();
        slot.enter(Slot.State.ENGINE, started);
        try {
            for (int items = 0; items < ITEMS_PER_ACTIVATION; items++) {
                if (stopped()) {
                    return Slot.State.STARVED;
                }
                if (!output.tryReserve()) {
                    return Slot.State.BLOCKED;
                }
                Envelope envelope = input.pollQuietly();
                if (envelope == null) {
                    output.unreserve();
                    return Slot.State.STARVED;
                }
                if (envelope.isMark()) {
                    output.unreserve();
                    forward(envelope);
                } else {
                    if (slot.expectedNanos() > QUICK_NANOS) {
                        announce(thread);
                    }
                    process(envelope, slot);
                }
                if (slot.since() - started > ACTIVATION_NANOS) {
                    return Slot.State.QUEUED;
                }
            }
            return Slot.State.QUEUED;
        } finally {
            output.announceItems();
            input.announceRoom();
        }
    }

    private void process(Envelope envelope, Slot slot) {
        if (step.run(envelope, slot)) {
            output.putQuietly(envelope);
        } else {
            output.drop(envelope.sequence);
        }
        input.finished();
    }

    /// Before a call that may take long: what this activation has put and taken so far should not wait for it.
    private void announce(@Nullable ComputeThread thread) {
        output.announceItems();
        input.announceRoom();
        if (thread != null) {
            thread.pool.shareWork();
        }
    }

    private void forward(Envelope mark) {
        output.mark(mark);
        if (mark.kind == Envelope.Kind.END) {
            ended();
        }
        input.finished();
    }

    private void finish(Activation activation, Slot.State waitsFor) {
        boolean allIdle;
        lock.lock();
        try {
            activation.slot.enter(waitsFor == Slot.State.QUEUED ? Slot.State.STARVED : waitsFor, System.nanoTime());
            idle[idleCount] = activation;
            idleCount++;
            allIdle = idleCount == concurrency;
        } finally {
            lock.unlock();
        }
        if (stopped() && allIdle) {
            ended();
        } else {
            schedule();
        }
    }

    /// Queues as many activations as there are items to take, room for results, and idle slots.
    private void schedule() {
        while (idleCount > 0 && input.available() > 0 && !stopped()) {
            Activation next;
            lock.lock();
            try {
                if (idleCount == 0 || input.available() <= queued) {
                    return;
                }
                next = idle[idleCount - 1];
                if (output.room() <= queued) {
                    if (next.slot.state() == Slot.State.STARVED) {
                        next.slot.enter(Slot.State.BLOCKED, System.nanoTime());
                    }
                    return;
                }
                idleCount--;
                queued++;
                next.slot.enter(Slot.State.QUEUED, System.nanoTime());
            } finally {
                lock.unlock();
            }
            try {
                scheduler.submit(next);
            } catch (RuntimeException rejected) {
                reject(next, rejected);
                return;
            }
        }
    }

    private void reject(Activation activation, RuntimeException rejected) {
        lock.lock();
        try {
            queued--;
            activation.slot.enter(Slot.State.STARVED, System.nanoTime());
            idle[idleCount] = activation;
            idleCount++;
        } finally {
            lock.unlock();
        }
        stop();
        run.fail(
                this,
                new PipelineException(
                        name,
                        "pipeline '" + run.pipeline() + "', stage '" + name + "': its executor rejected an activation: "
                                + rejected.getMessage(),
                        rejected));
        output.mark(Envelope.end());
    }

    @Override
    void start() {
        schedule();
    }

    @Override
    void inputReady() {
        schedule();
    }

    @Override
    void outputReady() {
        schedule();
    }

    @Override
    void interrupt() {
        scheduler.interrupt();
        if (idleCount == concurrency) {
            ended();
        }
    }

    @Override
    String placement() {
        return placement;
    }
}
