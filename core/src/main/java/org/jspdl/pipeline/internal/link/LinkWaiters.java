package org.jspdl.pipeline.internal.link;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// The threads that wait for a link's items or room, and who is told of them without waiting.
///
/// Waiting and waking are done with the link's lock held; who waits may be read without it.
final class LinkWaiters {
    private final ReentrantLock lock;
    private final Condition itemsCame;
    private final Condition roomCame;
    private final BooleanSupplier itemsToWakeFor;
    private final BooleanSupplier roomToWakeFor;
    private volatile int takers;
    /// The consumer stays parked while fewer items than this are queued.
    private volatile int takersWakeAt = 1;
    private volatile int reservers;
    private Runnable onItems = () -> {};
    private Runnable onRoom = () -> {};

    /// @param available what could be taken now, read without a lock
    /// @param room      the room that a waiting producer would be told of, read without a lock
    LinkWaiters(ReentrantLock lock, IntSupplier available, IntSupplier room) {
        this.lock = lock;
        this.itemsToWakeFor = () -> available.getAsInt() >= takersWakeAt;
        this.roomToWakeFor = () -> room.getAsInt() > 0;
        this.itemsCame = lock.newCondition();
        this.roomCame = lock.newCondition();
    }

    /// Names who is told of new items and of new room; called once, before the run starts.
    void listeners(Runnable items, Runnable room) {
        onItems = items;
        onRoom = room;
    }

    /// Waits until it is signalled, or for no reason: the caller looks again. All who take from a link wait for
    /// equally many items, or there is one of them.
    ///
    /// @param items how many there must be to be signalled
    /// @param nanos how long at most; [Long#MAX_VALUE] for no limit, which spares a virtual thread the timer
    /// @param waiter  the caller's; null if it is none of the run's threads
    @SuppressWarnings("WaitNotInLoop")
    void awaitItems(int items, long nanos, @Nullable Waiter waiter) throws InterruptedException {
        takersWakeAt = items;
        takers++;
        try {
            if (waiter != null) {
                waiter.parks(itemsToWakeFor);
            }
            if (nanos == Long.MAX_VALUE) {
                itemsCame.await();
            } else {
                long _ = itemsCame.awaitNanos(nanos);
            }
        } finally {
            if (waiter != null) {
                waiter.resumes();
            }
            takers--;
        }
    }

    /// Waits until it is signalled, or for no reason: the caller looks again.
    @SuppressWarnings("WaitNotInLoop")
    void awaitRoom(@Nullable Waiter waiter) throws InterruptedException {
        reservers++;
        try {
            if (waiter != null) {
                waiter.parks(roomToWakeFor);
            }
            roomCame.await();
        } finally {
            if (waiter != null) {
                waiter.resumes();
            }
            reservers--;
        }
    }

    /// Whether somebody waits for items.
    boolean hasTakers() {
        return takers > 0;
    }

    /// Wakes as many as there are items for, if these are enough.
    void signalItems(int available) {
        for (int i = available < takersWakeAt ? 0 : Math.min(takers, available); i > 0; i--) {
            itemsCame.signal();
        }
    }

    /// Wakes as many as there is room for.
    void signalRoom(int room) {
        for (int i = Math.min(reservers, room); i > 0; i--) {
            roomCame.signal();
        }
    }

    void signalAllForItems() {
        itemsCame.signalAll();
    }

    void signalAll() {
        itemsCame.signalAll();
        roomCame.signalAll();
    }

    /// Tells those who wait for items and those who listen; called without the lock.
    void announceItems(int available) {
        if (takers > 0 && available >= takersWakeAt) {
            lock.lock();
            try {
                signalItems(available);
            } finally {
                lock.unlock();
            }
        }
        onItems.run();
    }

    /// Tells those who wait for room and those who listen; called without the lock.
    void announceRoom(int room) {
        if (reservers > 0 && room > 0) {
            lock.lock();
            try {
                signalRoom(room);
            } finally {
                lock.unlock();
            }
        }
        onRoom.run();
    }

    /// Tells those who listen of items; called without the lock.
    void tellOfItems() {
        onItems.run();
    }

    /// Tells those who listen of room; called without the lock.
    void tellOfRoom() {
        onRoom.run();
    }
}
