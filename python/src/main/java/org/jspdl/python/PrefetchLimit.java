package org.jspdl.python;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// How far the loader may run ahead of the trainer: a number of batches that the trainer has not taken yet, or more if
/// they are small.
///
/// An adaptive one begins with [#LEAST] batches. It allows one more where the trainer keeps finding none ready although
/// the loader had to wait for it before: the loader is fast enough, but not evenly. Of a loader that is too slow, and
/// had to wait only while the trainer was busy elsewhere, as at the start or with validation, one more batch would be
/// no use. It allows one less whenever the trainer has found a batch ready [#CALM] times in a row. Thread-safe.
final class PrefetchLimit {
    /// Batches of this total size may always lie ready.
    static final long ALWAYS_BYTES = 1L << 20;

    /// Batches that an adaptive limit begins with: one in the trainer's hands, one that lies ready.
    static final int LEAST = 2;

    /// Batches that an adaptive limit allows, if they take no more than [#ADAPTIVE_BYTES].
    static final int MOST = 9;

    /// What an adaptive limit lets lie ready.
    static final long ADAPTIVE_BYTES = 256L << 20;

    /// Times that the trainer found none ready although the loader had had time, less those when it had not.
    static final int UNEVEN = 3;

    /// Batches in a row that the trainer found ready, after which an adaptive limit tries with one less.
    static final int CALM = 1000;

    /// Trainers say of smaller ones that they have taken them before they ask for the next.
    private static final long PROMPT_BYTES = 1 << 16;

    private final boolean adapts;
    private int ahead;
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition taken = lock.newCondition();
    private final ArrayDeque<Long> untaken = new ArrayDeque<>();
    private long untakenBytes;
    private long takenNumber;
    private long waitNanos;
    private long largest;
    private boolean hadTime;
    private int uneven;
    private int calm;

    private PrefetchLimit(boolean adapts, int ahead, int most) {
        this.adapts = adapts;
        this.ahead = ahead;
        this.most = Math.max(ahead, most);
    }

    /// @param prefetch batches that may lie ready beside the one that the trainer has, whatever their size; 0 for
    ///     an adaptive limit
    /// @param most     batches that may be out, however small
    static PrefetchLimit of(int prefetch, int most) {
        return prefetch == 0 ? new PrefetchLimit(true, LEAST, most) : new PrefetchLimit(false, prefetch + 1, most);
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
        boolean spent = untaken.size() >= ahead && (untakenBytes >= ALWAYS_BYTES || untaken.size() >= most);
        hadTime |= spent;
        return spent;
    }

    /// The trainer has taken something and asks for more.
    private void adapt() {
        if (!untaken.isEmpty()) {
            if (++calm >= CALM) {
                ahead = Math.max(LEAST, ahead - 1);
                calm = 0;
            }
            return;
        }
        calm = 0;
        uneven = hadTime ? uneven + 1 : Math.max(0, uneven - 1);
        hadTime = false;
        if (uneven >= UNEVEN
                && largest >= PROMPT_BYTES
                && ahead < Math.min(MOST, most)
                && ahead * largest <= ADAPTIVE_BYTES) {
            ahead++;
            uneven = 0;
        }
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
            largest = Math.max(largest, bytes);
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
            boolean more = takenNumber < number;
            while (takenNumber < number && !untaken.isEmpty()) {
                untakenBytes -= untaken.removeFirst();
                takenNumber++;
            }
            if (adapts && more) {
                adapt();
            }
            taken.signal();
        } finally {
            lock.unlock();
        }
    }

    /// How many batches may lie ready beside the one that the trainer has, whatever their size.
    int prefetch() {
        lock.lock();
        try {
            return ahead - 1;
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
