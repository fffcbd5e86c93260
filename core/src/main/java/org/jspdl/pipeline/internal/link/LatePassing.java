package org.jspdl.pipeline.internal.link;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Lets results pass a late one in input order: when some have waited behind it for long enough, the consumer has
/// nothing else to take, and no more of them fit.
///
/// Nobody looks all the time. An alarm is set when there is no more room, and looks at the link when it rings; where
/// there is room again by then, the next lack of room sets another.
public final class LatePassing {
    /// Sets alarms.
    public interface Clock {
        /// Has `ring` called at `due`, as of [System#nanoTime], and again after as many nanoseconds as it says;
        /// [Long#MAX_VALUE] for never. Waits for nothing.
        void ring(long due, LongSupplier ring);
    }

    private final long after;
    private final BooleanSupplier isFull;
    private final Clock clock;
    private final AtomicBoolean isSet = new AtomicBoolean();

    @SuppressWarnings("NullAway.Init") // the link gives what is its own, before the run starts
    private LinkQueue queue;

    @SuppressWarnings("NullAway.Init")
    private ReentrantLock lock;

    @SuppressWarnings("NullAway.Init")
    private LinkWaiters waiters;

    private Runnable update = () -> {};

    /// @param after  how many nanoseconds results wait before they pass
    /// @param isFull whether no more results fit; asked under the lock of the link
    public LatePassing(long after, BooleanSupplier isFull, Clock clock) {
        this.after = after;
        this.isFull = isFull;
        this.clock = clock;
    }

    /// Names what belongs to the link; called once, before the run starts.
    ///
    /// @param changed tells the link that the queue has changed, under its lock
    void of(LinkQueue ofLink, ReentrantLock ofQueue, LinkWaiters ofBoth, Runnable changed) {
        queue = ofLink;
        lock = ofQueue;
        waiters = ofBoth;
        update = changed;
        queue.defers();
    }

    /// Hears that results wait behind a late one and nothing is ready, under the lock of the link.
    void overtaken() {
        if (isFull.getAsBoolean()) {
            noRoom();
        }
    }

    /// Hears that nothing more fits, by anybody, with any locks held.
    public void noRoom() {
        if (isSet.compareAndSet(false, true)) {
            clock.ring(System.nanoTime(), this::ring);
        }
    }

    /// Looks at the link, on the thread of the alarms; how long until the next look.
    private long ring() {
        long again;
        lock.lock();
        try {
            again = look();
            waiters.signalAll();
        } finally {
            lock.unlock();
        }
        waiters.tellOfItems();
        waiters.tellOfRoom();
        return again;
    }

    private long look() {
        // before it looks: who lacks room from now on sets another alarm
        isSet.set(false);
        while (isFull.getAsBoolean()) {
            OptionalLong since = queue.overtakenSince();
            if (since.isEmpty()) {
                return Long.MAX_VALUE;
            }
            long left = after - (System.nanoTime() - since.getAsLong());
            if (left > 0) {
                isSet.set(true);
                return left;
            }
            queue.passLate();
            update.run();
        }
        return Long.MAX_VALUE;
    }
}
