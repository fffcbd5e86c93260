package org.jspdl.pipeline.internal;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.stats.BudgetStats;
import org.jspecify.annotations.Nullable;

/// The weight of the items in flight, kept below a limit by making sources wait.
///
/// An item enters with an estimate, declared or learned from those before it, which is corrected when a stage weighs
/// it. When everything in flight sits in groups that are not full, nothing could go on, so one more item is admitted
/// beyond the limit and counted. The lock comes before the ledger's.
final class Budget {
    /// How quickly the learned estimate follows: the weight of a new item in the mean.
    private static final double LEARNING_RATE = 0.05;

    private final @Nullable ByteBudget limit;
    private final Ledger ledger;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private double learned;
    private long used;
    private long peak;
    private long beyond;
    private long held;

    Budget(@Nullable ByteBudget limit, Ledger ledger) {
        this.limit = limit;
        this.ledger = ledger;
    }

    boolean isUnlimited() {
        return limit == null;
    }

    /// Waits until one more item fits and reserves its estimated weight, which is returned.
    long admit() throws InterruptedException {
        if (limit == null) {
            return 0;
        }
        lock.lockInterruptibly();
        try {
            while (true) {
                long estimate = Math.max(limit.itemEstimate(), (long) learned);
                boolean fits = used + estimate <= limit.bytes();
                if (fits || held >= ledger.inFlight()) {
                    beyond += fits ? 0 : 1;
                    add(estimate);
                    return estimate;
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Gives back what was reserved for an item that never came.
    void cancel(long estimate) {
        if (estimate != 0) {
            change(-estimate);
        }
    }

    /// Corrects the weight of an item.
    void weigh(Envelope item, long bytes) {
        long difference = bytes - item.bytes;
        item.bytes = bytes;
        if (limit != null) {
            change(difference);
        }
    }

    /// Forgets an item of which nothing more comes.
    void release(Envelope item) {
        if (limit != null) {
            weigh(item, 0);
        }
    }

    /// Forgets an item that was delivered, and learns from its weight.
    void delivered(Envelope item) {
        if (limit != null) {
            double each = (double) item.bytes / item.lineage.origins();
            lock.lock();
            try {
                learned = learned == 0 ? each : learned + LEARNING_RATE * (each - learned);
            } finally {
                lock.unlock();
            }
            weigh(item, 0);
        }
    }

    /// Counts an item that waits in a group for others; negative when it goes on.
    void hold(long items) {
        if (limit != null) {
            lock.lock();
            try {
                held += items;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void change(long bytes) {
        lock.lock();
        try {
            add(bytes);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void add(long bytes) {
        used += bytes;
        peak = Math.max(peak, used);
    }

    BudgetStats stats() {
        if (limit == null) {
            return BudgetStats.NONE;
        }
        lock.lock();
        try {
            return new BudgetStats(limit.bytes(), used, peak, beyond);
        } finally {
            lock.unlock();
        }
    }
}
