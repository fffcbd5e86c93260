package org.jspdl.python;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// How far the loader may run ahead of the trainer: a number of batches that the trainer has not taken yet, or more if
/// they are small.
///
/// Thread-safe.
final class PrefetchLimit {
    /// Batches of this total size may always lie ready.
    static final long ALWAYS_BYTES = 1L << 20;

    private final int ahead;
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition taken = lock.newCondition();
    private final ArrayDeque<Long> untaken = new ArrayDeque<>();
    private long untakenBytes;
    private long takenNumber;
    private long waitNanos;

    /// @param ahead batches that may be out, whatever their size
    /// @param most  batches that may be out, however small
    PrefetchLimit(int ahead, int most) {
        this.ahead = ahead;
        this.most = Math.max(ahead, most);
    }

    /// Waits until one more may be handed over.
    void await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (spent()) {
                long began = System.nanoTime();
                try {
                    while (spent()) {
                        taken.await();
                    }
                } finally {
                    waitNanos += System.nanoTime() - began;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Counts `nanos` in which the trainer had not begun to take anything.
    void waited(long nanos) {
        lock.lock();
        try {
            waitNanos += nanos;
        } finally {
            lock.unlock();
        }
    }

    private boolean spent() {
        return untaken.size() >= ahead && (untakenBytes >= ALWAYS_BYTES || untaken.size() >= most);
    }

    /// Whether one more must wait.
    boolean isSpent() {
        lock.lock();
        try {
            return spent();
        } finally {
            lock.unlock();
        }
    }

    /// Notes that one more was handed over; whether the trainer had taken all before.
    boolean handOver(long bytes) {
        lock.lock();
        try {
            untakenBytes += bytes;
            untaken.addLast(bytes);
            return untaken.size() == 1;
        } finally {
            lock.unlock();
        }
    }

    /// Notes that the trainer has taken all up to `number`.
    void taken(long number) {
        lock.lock();
        try {
            while (takenNumber < number && !untaken.isEmpty()) {
                untakenBytes -= untaken.removeFirst();
                takenNumber++;
            }
            taken.signal();
        } finally {
            lock.unlock();
        }
    }

    /// How long the loader has waited.
    long waitNanos() {
        lock.lock();
        try {
            return waitNanos;
        } finally {
            lock.unlock();
        }
    }
}
