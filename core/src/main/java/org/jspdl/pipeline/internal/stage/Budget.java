package org.jspdl.pipeline.internal.stage;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.stats.BudgetStats;
import org.jspecify.annotations.Nullable;

/// The weight of the items in flight, kept below a limit by making sources wait.
///
/// An item enters with an estimate, declared or learned from those before it of the same source, which is corrected
/// when a stage weighs it. Until the first of a source was weighed, no more are admitted than it takes for that. When
/// the run could not go on otherwise ([ProgressRule]), one more item is admitted, and counted if it is beyond the
/// limit. The lock comes after those of links and stages.
public final class Budget {
    /// How quickly a learned estimate, the heaviest of late, forgets: a share of it for each item.
    private static final int FORGETTING = 64;
    /// Stands for an item that is not wanted any more.
    static final long UNWANTED = -1;
    /// The weight of an item that was released.
    private static final long RELEASED = -1;

    private final @Nullable ByteBudget limit;
    private final @Nullable ProgressRule rule;
    private final Confinement confinement = new Confinement();
    private final EpochRest rest = new EpochRest();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<WorkerSlot> waiting = new LinkedHashSet<>();
    /// Whether any source waits; written under the lock.
    private volatile boolean awaited;
    /// The source that is admitted beyond the limit, until it has noticed.
    private @Nullable WorkerSlot granted;
    private final List<SourceWeight> sources = new ArrayList<>();
    private final List<Runnable> onWait = new ArrayList<>();
    private long used;
    private long peak;
    private long beyond;

    public Budget(@Nullable ByteBudget limit) {
        this.limit = limit;
        this.rule = limit == null ? null : new ProgressRule(this::reconsider);
    }

    /// What is known of the items of one source; guarded by the lock.
    private static final class SourceWeight {
        /// How many items it takes until the first is weighed.
        final long untilWeighed;
        boolean known;
        /// Items that were admitted while nothing was known, and are not settled.
        long unknown;
        long heaviest;

        SourceWeight(long untilWeighed) {
            this.untilWeighed = untilWeighed;
        }
    }

    /// Adds a source; its number is the count of sources before it.
    ///
    /// @param untilWeighed how many of its items it takes until the first is weighed; [Long#MAX_VALUE] if none is
    public void addSource(long untilWeighed) {
        sources.add(new SourceWeight(untilWeighed));
    }

    /// Adds who is told when a source begins to wait, with the lock held. Called before the run starts.
    public void onWait(Runnable told) {
        onWait.add(told);
    }

    /// Whether a source waits for an item to fit, and not for the consumer.
    public boolean isAwaited() {
        return awaited && !confinement.bounds();
    }

    /// Bounds what is in flight by `items` items like the heaviest that was delivered, too; the largest number for
    /// no other bound than the limit. From here on what is delivered counts until the consumer has counted it.
    ///
    /// @param received items of this run that the consumer has counted
    public void confine(int items, long received) {
        lock.lock();
        try {
            boolean released = confinement.confine(items, received);
            if (awaited) {
                changed.signalAll();
                if (released) {
                    onWait.forEach(Runnable::run); // who was told before may have found that nobody waits in earnest
                    grantIfStalled();
                }
            }
        } finally {
            lock.unlock();
        }
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
    /// @param source   the number of the source
    /// @param of       the epoch of the item
    /// @param slot     its slot, whose thread calls
    /// @param unwanted whether no item is wanted; who makes it true calls [#wake]
    long admit(int source, long of, WorkerSlot slot, BooleanSupplier unwanted) throws InterruptedException {
        if (limit == null) {
            return 0;
        }
        SourceWeight weight = sources.get(source);
        lock.lockInterruptibly();
        try {
            if (!fits(weight, of)) {
                await(weight, of, slot, unwanted);
            }
            if (unwanted.getAsBoolean()) {
                return UNWANTED;
            }
            rest.admit(of, used, confinement.whole());
            long estimate = estimate(weight, limit);
            weight.unknown += weight.known ? 0 : 1;
            beyond += used + estimate > limit.bytes() ? 1 : 0;
            add(estimate);
            return estimate;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until an item fits, or one is admitted all the same.
    private void await(SourceWeight weight, long of, WorkerSlot slot, BooleanSupplier unwanted)
            throws InterruptedException {
        BooleanSupplier goesOn = () -> fits(weight, of) || unwanted.getAsBoolean();
        waiting.add(slot);
        awaited = true;
        onWait.forEach(Runnable::run);
        slot.parksQuietly(goesOn);
        try {
            grantIfStalled();
            while (granted != slot && !goesOn.getAsBoolean()) {
                changed.await();
            }
        } finally {
            slot.resumes();
            waiting.remove(slot);
            awaited = !waiting.isEmpty();
            if (granted == slot) {
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
        if (granted == null && rule != null && !confinement.bounds()) {
            granted = rule.next(waiting);
            if (granted != null) {
                changed.signalAll();
            }
        }
    }

    private boolean fits(SourceWeight weight, long of) {
        return limit == null
                || ((weight.known || weight.unknown < weight.untilWeighed)
                        && used + rest.before(of, used, confinement.whole()) + estimate(weight, limit)
                                <= confinement.of(limit.bytes()));
    }

    /// Notes that what is in flight weighs `bytes` more, in an item of an epoch.
    private void add(long of, long bytes) {
        add(bytes);
        rest.add(of, bytes);
    }

    private static long estimate(SourceWeight weight, ByteBudget budget) {
        return Math.max(budget.itemEstimate(), weight.heaviest);
    }

    /// Releases what was reserved for an item that never came.
    void cancel(int source, long estimate) {
        if (limit != null) {
            lock.lock();
            try {
                SourceWeight weight = sources.get(source);
                weight.unknown -= weight.unknown > 0 ? 1 : 0;
                add(-estimate);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Corrects the weight of an item, and learns from it what items of its sources weigh.
    void weigh(Envelope item, long bytes) {
        long difference = bytes - item.bytes;
        item.bytes = bytes;
        if (limit == null) {
            return;
        }
        lock.lock();
        try {
            if (item.lineage.isOfWholeItems()) {
                long each = bytes / Math.max(1, item.lineage.origins());
                item.lineage.collect(origin -> learn(origin, each));
            }
            add(item.epoch, difference);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void learn(Lineage.Origin origin, long bytes) {
        SourceWeight weight = sources.get(origin.source);
        weight.known = true;
        weight.heaviest = Math.max(bytes, weight.heaviest - weight.heaviest / FORGETTING);
    }

    /// Forgets an item of which nothing more comes, delivered or not; harmless when repeated.
    public void release(Envelope item) {
        if (limit == null) {
            return;
        }
        lock.lock();
        try {
            if (item.bytes == RELEASED) {
                return;
            }
            if (item.lineage.isOfWholeItems()) {
                item.lineage.collect(origin -> {
                    SourceWeight weight = sources.get(origin.source);
                    weight.unknown -= weight.unknown > 0 ? 1 : 0;
                });
            }
            add(item.epoch, -item.bytes);
            item.bytes = RELEASED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Forgets an item that was delivered; where the consumer confines the run, once it has counted it.
    public void deliver(Envelope item) {
        if (limit != null) {
            lock.lock();
            try {
                confinement.deliver(item.bytes);
                release(item);
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
