package org.jspdl.pipeline.internal;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Where the threads of a merge wait with their marks until all have one, so that one mark goes on for all of them.
final class MarkBarrier {
    private final int parties;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition passed = lock.newCondition();
    private int arrived;
    private long generation;

    MarkBarrier(int parties) {
        this.parties = parties;
    }

    /// Waits for all parties; the last to arrive runs `forward` before any goes on.
    void arrive(Runnable forward) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long mine = generation;
            if (++arrived == parties) {
                arrived = 0;
                generation++;
                forward.run();
                passed.signalAll();
                return;
            }
            while (mine == generation) {
                passed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
