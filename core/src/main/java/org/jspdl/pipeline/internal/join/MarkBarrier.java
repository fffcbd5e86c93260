package org.jspdl.pipeline.internal.join;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// Where the threads of a merge wait with their marks until all have one, so that one mark goes on for all of them.
public final class MarkBarrier {
    private final int parties;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition passed = lock.newCondition();
    private int arrived;
    private volatile long generation;
    /// The mark for the parties that have arrived; null if none has.
    private @Nullable Envelope chosen;
    /// The mark of the last generation: it stays until all parties have arrived again.
    private Envelope forwarded = Envelope.end();

    public MarkBarrier(int parties) {
        this.parties = parties;
    }

    /// Waits for all parties; the last to arrive runs `forward` before any goes on. The mark for all of them, which
    /// is the end if it is the end for one: what the others have left of an epoch that one can't complete is not
    /// delivered.
    public Envelope arrive(Envelope mark, WorkerSlot slot, Consumer<Envelope> forward) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long mine = generation;
            if (chosen == null || mark.kind == Envelope.Kind.END) {
                chosen = mark;
            }
            if (++arrived == parties) {
                forwarded = chosen;
                chosen = null;
                arrived = 0;
                generation++;
                forward.accept(forwarded);
                passed.signalAll();
            }
            if (mine == generation) {
                slot.parks(() -> mine != generation);
                try {
                    while (mine == generation) {
                        passed.await();
                    }
                } finally {
                    slot.resumes();
                }
            }
            return forwarded;
        } finally {
            lock.unlock();
        }
    }
}
