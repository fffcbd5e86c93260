package org.jspdl.pipeline.internal.stage;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.stats.BudgetStats;
import org.jspecify.annotations.Nullable;

/// The weight of the items in flight, kept below a limit by making sources wait.
///
/// An item enters with an estimate, declared or learned from those before it, which is corrected when a stage weighs
/// it. When the run could not go on otherwise ([ProgressRule]), one more item is admitted beyond the limit and counted.
/// The lock comes after those of links and stages.
public final class Budget {
    /// How quickly the learned estimate follows: the weight of a new item in the mean.
    private static final double LEARNING_RATE = 0.05;
    /// Stands for an item that is not wanted any more.
    static final long UNWANTED = -1;

    private final @Nullable ByteBudget limit;
    private final @Nullable ProgressRule rule;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<WorkerSlot> waiting = new LinkedHashSet<>();
    /// Whether any source waits; written under the lock.
    private volatile boolean awaited;
    /// The source that is admitted beyond the limit, until it has noticed.
    private @Nullable WorkerSlot granted;
    private double learned;
    private long used;
    private long peak;
    private long beyond;

    public Budget(@Nullable ByteBudget limit) {
        this.limit = limit;
        this.rule = limit == null ? null : new ProgressRule(this::reconsider);
    }

    boolean isUnlimited() {
        return limit == null;
    }

    /// What finds out whether the run is stalled; null without a limit.
    @Nullable
    public ProgressRule rule() {
        return rule;
    }

    /// Waits until one more item fits and reserves its estimated weight, which is returned; [#UNWANTED] if
    /// meanwhile none is wanted any more.
    ///
    /// @param source   the slot of the source, whose thread calls
    /// @param unwanted whether no item is wanted; who makes it true calls [#wake]
    long admit(WorkerSlot source, BooleanSupplier unwanted) throws InterruptedException {
        if (limit == null) {
            return 0;
        }
        lock.lockInterruptibly();
        try {
            boolean fits = fits();
            if (!fits) {
                fits = await(source, unwanted);
            }
            if (unwanted.getAsBoolean()) {
                return UNWANTED;
            }
            beyond += fits ? 0 : 1;
            long estimate = estimate(limit);
            add(estimate);
            return estimate;
        } finally {
            lock.unlock();
        }
    }

    /// Whether an item fits at last; false if one is admitted all the same.
    private boolean await(WorkerSlot source, BooleanSupplier unwanted) throws InterruptedException {
        waiting.add(source);
        awaited = true;
        source.parksQuietly(() -> fits() || unwanted.getAsBoolean());
        try {
            grantIfStalled();
            while (granted != source && !fits() && !unwanted.getAsBoolean()) {
                changed.await();
            }
            return granted != source;
        } finally {
            source.resumes();
            waiting.remove(source);
            awaited = !waiting.isEmpty();
            if (granted == source) {
                granted = null;
            }
        }
    }

    /// Has sources that wait look again whether they are to go on.
    void wake() {
        if (awaited) {
            change(0);
        }
    }

    /// Looks whether the run can go on only if one more item is admitted.
    public void reconsider() {
        if (awaited) {
            lock.lock();
            try {
                grantIfStalled();
            } finally {
                lock.unlock();
            }
        }
    }

    private void grantIfStalled() {
        if (granted == null && rule != null) {
            granted = rule.next(waiting);
            if (granted != null) {
                changed.signalAll();
            }
        }
    }

    private boolean fits() {
        return limit == null || used + estimate(limit) <= limit.bytes();
    }

    private long estimate(ByteBudget budget) {
        return Math.max(budget.itemEstimate(), (long) learned);
    }

    /// Releases what was reserved for an item that never came.
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
    public void release(Envelope item) {
        if (limit != null) {
            weigh(item, 0);
        }
    }

    /// Forgets an item that was delivered, and learns from its weight.
    public void delivered(Envelope item) {
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

    public BudgetStats stats() {
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
