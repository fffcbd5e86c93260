package org.jspdl.pipeline.internal.function;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.pipeline.Placement;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.stage.FlatMapIterator;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;

/// A `flatMap` stage with threads of its own: `io` on virtual threads, `dedicated` on one platform thread.
///
/// In input order only the thread that has the oldest item emits; the others have called the function and wait their
/// turn.
public final class FlatMapWorkers extends ThreadStage {
    private final Link input;
    private final Link output;
    private final Placement placement;
    private final boolean ordered;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition turnPassed = lock.newCondition();
    private volatile long head;
    private final AtomicLong brokenOffAt = new AtomicLong(Long.MAX_VALUE);

    @SuppressWarnings("NullAway.Init") // assemble gives it, before the run starts
    private FlatMapInvoker step;

    public FlatMapWorkers(
            RunContext run,
            String name,
            Placement placement,
            int concurrency,
            boolean ordered,
            Link input,
            Link output) {
        super(run, name, concurrency, threads(placement), List.of(input), List.of(output));
        this.input = input;
        this.output = output;
        this.placement = placement;
        this.ordered = ordered && concurrency > 1;
    }

    public void assemble(FlatMapInvoker newStep) {
        step = newStep;
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        withHooks(placement, () -> workLoop(slot));
    }

    private void workLoop(WorkerSlot slot) throws InterruptedException {
        while (!stopped()) {
            Envelope envelope = take(input, slot);
            if (envelope == null) {
                return;
            }
            if (envelope.isMark()) {
                forwardMark(envelope, input, output);
                continue;
            }
            long turn = envelope.sequence;
            FlatMapIterator parts = step.open(envelope, slot);
            if (ordered) {
                awaitTurn(turn, slot, parts);
            }
            if (parts != null && ordered && turn > brokenOffAt.get()) {
                parts.dispose();
            } else if (parts != null && !emit(parts, slot)) {
                return;
            }
            if (ordered) {
                passTurn(turn);
            }
            input.finished();
        }
    }

    @Override
    public void breakOff(long sequence) {
        brokenOffAt.accumulateAndGet(sequence, Math::min);
    }

    private boolean emit(FlatMapIterator parts, WorkerSlot slot) throws InterruptedException {
        boolean whole = false;
        try {
            while (true) {
                switch (step.pull(parts, slot)) {
                    case PART -> {
                        if (!reserve(output, slot)) {
                            return false;
                        }
                        output.put(parts.takeReady());
                    }
                    case END -> {
                        whole = true;
                        return true;
                    }
                    case FILTERED, FAILED -> {}
                }
            }
        } finally {
            if (!whole) {
                parts.dispose();
            }
        }
    }

    private void awaitTurn(long turn, WorkerSlot slot, @org.jspecify.annotations.Nullable FlatMapIterator parts)
            throws InterruptedException {
        boolean mine = false;
        slot.enter(WorkerSlot.State.BLOCKED, System.nanoTime());
        lock.lock();
        try {
            if (head != turn) {
                slot.parks(() -> head == turn);
            }
            while (head != turn) {
                turnPassed.await();
            }
            slot.resumes();
            mine = true;
        } finally {
            lock.unlock();
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
            if (!mine && parts != null) {
                parts.dispose();
            }
        }
    }

    private void passTurn(long turn) {
        lock.lock();
        try {
            head = turn + 1;
            turnPassed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String placement() {
        return placement.label();
    }
}
