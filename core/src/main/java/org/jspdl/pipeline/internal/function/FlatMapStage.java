package org.jspdl.pipeline.internal.function;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.pipeline.internal.compute.ComputeThread;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.stage.FlatMapIterator;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ScheduledStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// A scheduled stage that makes several results of each item.
///
/// An activation emits while there is room, then is suspended with its iterator open: it still counts towards the
/// concurrency, and may go on on another thread. In input order only the activation of the oldest item emits; the
/// others have called the function and wait their turn.
public final class FlatMapStage extends ScheduledStage {
    private final boolean ordered;
    private final ArrayDeque<Activation> waiting = new ArrayDeque<>();
    private volatile int waitingCount;
    /// The place of the item whose parts go out in input order; written by the activation that has it.
    private volatile long head;
    private final AtomicLong brokenOffAt = new AtomicLong(Long.MAX_VALUE);
    private final NewsWatch news;

    @SuppressWarnings("NullAway.Init") // assemble gives it, before the run starts
    private FlatMapInvoker step;

    public FlatMapStage(
            RunContext run, String name, String placement, int concurrency, boolean ordered, Link input, Link output) {
        super(run, name, placement, concurrency, input, output);
        this.ordered = ordered;
        this.news = new NewsWatch(this);
    }

    public void assemble(FlatMapInvoker newStep) {
        step = newStep;
    }

    @Override
    public WorkerSlot.State work(Activation activation, @Nullable ComputeThread thread) {
        WorkerSlot slot = activation.slot;
        long started = System.nanoTime();
        slot.enter(WorkerSlot.State.ENGINE, started);
        news.begins(thread);
        try {
            while (!stopped() && slot.since() - started <= ACTIVATION_NANOS) {
                if (activation.parts == null && !begin(activation, slot, thread)) {
                    return WorkerSlot.State.STARVED;
                }
                if (activation.parts != null && (isHeldBack(activation) || !emit(activation, slot))) {
                    return WorkerSlot.State.BLOCKED;
                }
            }
            return WorkerSlot.State.QUEUED;
        } finally {
            output.announceItems();
            input.announceRoom();
        }
    }

    private boolean isHeldBack(Activation activation) {
        return ordered && activation.sequence != head;
    }

    /// Takes an item and calls the function; false if there is no item.
    private boolean begin(Activation activation, WorkerSlot slot, @Nullable ComputeThread thread) {
        Envelope envelope = input.pollQuietly();
        if (envelope == null) {
            return false;
        }
        if (envelope.isMark()) {
            forward(envelope);
            return true;
        }
        if (slot.expectedNanos() > QUICK_NANOS) {
            announce(slot, thread);
        }
        activation.sequence = envelope.sequence;
        FlatMapIterator parts = step.open(envelope, slot);
        activation.parts = parts == null ? FlatMapIterator.NONE : parts;
        return true;
    }

    @Override
    public void breakOff(long sequence) {
        brokenOffAt.accumulateAndGet(sequence, Math::min);
    }

    /// Passes on one part; false if there is no room.
    private boolean emit(Activation activation, WorkerSlot slot) {
        FlatMapIterator parts = Objects.requireNonNull(activation.parts);
        if (ordered && parts != FlatMapIterator.NONE && activation.sequence > brokenOffAt.get()) {
            parts.dispose();
            finishItem(activation);
            return true;
        }
        if (parts == FlatMapIterator.NONE) {
            finishItem(activation);
            return true;
        }
        if (parts.ready == null) {
            FlatMapIterator.Pulled pulled = step.pull(parts, slot);
            if (pulled == FlatMapIterator.Pulled.END) {
                finishItem(activation);
            }
            if (pulled != FlatMapIterator.Pulled.PART) {
                return true;
            }
        }
        if (!output.tryReserve()) {
            return false;
        }
        output.put(parts.takeReady());
        return true;
    }

    private void finishItem(Activation activation) {
        activation.parts = null;
        if (ordered) {
            head = activation.sequence + 1;
        }
        input.finished();
        if (ordered) {
            schedule();
        }
    }

    @Override
    public int pending() {
        return input.available() + waitingCount;
    }

    @Override
    @Nullable
    public Activation resumable() {
        for (Activation activation : waiting) {
            if (!isHeldBack(activation)) {
                waiting.remove(activation);
                waitingCount = waiting.size();
                return activation;
            }
        }
        return null;
    }

    @Override
    public boolean suspend(Activation activation) {
        if (activation.parts == null) {
            return false;
        }
        waiting.add(activation);
        waitingCount = waiting.size();
        return true;
    }

    @Override
    public int suspended() {
        return waiting.size();
    }

    @Override
    public List<Activation> takeSuspended() {
        List<Activation> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }
}
