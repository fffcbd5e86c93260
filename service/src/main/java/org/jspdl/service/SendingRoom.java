package org.jspdl.service;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Room for pieces that are being sent. When it is full, whoever has been receiving for the longest is cut off, if that
/// is longer than a while: a loader that does not read holds no memory that others need. Thread-safe.
final class SendingRoom {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    /// Who sends, since when, of [System#nanoTime]; the first began first.
    private final Map<Thread, Long> sending = new LinkedHashMap<>();
    private final int places;
    private final long grace;
    private int cut;

    /// @param grace what sending may take while others wait
    SendingRoom(int places, Duration grace) {
        this.places = places;
        this.grace = grace.toNanos();
    }

    /// Waits for a place, for which the caller's thread is interrupted once others need it. Left by [#leave].
    ///
    /// @return whether there was one within `patience`
    boolean enter(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (sending.size() + cut >= places) {
                long now = System.nanoTime();
                long wait = Math.min(deadline - now, cutOff(now));
                if (deadline - now <= 0) {
                    return false;
                }
                left.awaitNanos(wait);
            }
            sending.put(Thread.currentThread(), System.nanoTime());
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Cuts off the first that has sent for too long, unless one is already.
    ///
    /// @return nanoseconds until there may be another
    private long cutOff(long now) {
        Iterator<Map.Entry<Thread, Long>> all = sending.entrySet().iterator();
        if (cut > 0 || !all.hasNext()) {
            return grace;
        }
        Map.Entry<Thread, Long> first = all.next();
        long rest = first.getValue() + grace - now;
        if (rest <= 0) {
            all.remove();
            cut++;
            first.getKey().interrupt();
            return grace;
        }
        return rest;
    }

    /// The caller sends no more.
    ///
    /// @return whether it was cut off; then its thread has been interrupted
    boolean leave() {
        lock.lock();
        try {
            boolean wasCut = sending.remove(Thread.currentThread()) == null;
            if (wasCut) {
                cut--;
            }
            left.signalAll();
            return wasCut;
        } finally {
            lock.unlock();
        }
    }
}
