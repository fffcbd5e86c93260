package org.jspdl.pipeline;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A place where functions under test wait until the test lets them go on.
///
/// Waiting is bounded everywhere, so that a test that goes wrong fails instead of hanging.
public final class Gate {
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int arrivals;
    private int inside;
    private int mostInside;
    private long permits;
    private int interrupted;

    /// Arrives, and returns `item` when the gate is open or a permit is there.
    public <T> T pass(T item) throws InterruptedException {
        lock.lock();
        try {
            arrivals++;
            inside++;
            mostInside = Math.max(mostInside, inside);
            changed.signalAll();
            try {
                await("permission to pass", () -> permits > 0);
                permits--;
                return item;
            } catch (InterruptedException stop) {
                interrupted++;
                throw stop;
            } finally {
                inside--;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// As [#pass], but an interrupt does not end the wait; it is counted and otherwise ignored.
    public <T> T passIgnoringInterrupts(T item) {
        while (true) {
            try {
                return pass(item);
            } catch (InterruptedException ignored) {
                // pass() has counted it
            }
        }
    }

    /// Waits until `count` calls have come in all.
    public void awaitArrivals(int count) {
        locked(() -> awaitUninterruptibly(count + " arrivals", () -> arrivals >= count));
    }

    /// Waits until nobody is inside.
    public void awaitEmpty() {
        locked(() -> awaitUninterruptibly("an empty gate", () -> inside == 0));
    }

    /// Waits until `count` calls have been interrupted.
    public void awaitInterrupts(int count) {
        locked(() -> awaitUninterruptibly(count + " interrupts", () -> interrupted >= count));
    }

    /// Lets everybody pass from now on.
    public void open() {
        locked(() -> permits = Long.MAX_VALUE / 2);
    }

    /// Lets `count` calls pass.
    public void letPass(int count) {
        locked(() -> permits += count);
    }

    /// Calls so far.
    public int arrivals() {
        lock.lock();
        try {
            return arrivals;
        } finally {
            lock.unlock();
        }
    }

    /// The most calls that were inside at once.
    public int mostInside() {
        lock.lock();
        try {
            return mostInside;
        } finally {
            lock.unlock();
        }
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitUninterruptibly(String what, java.util.function.BooleanSupplier condition) {
        try {
            await(what, condition);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + what + " at " + this, stop);
        }
    }

    private void await(String what, java.util.function.BooleanSupplier condition) throws InterruptedException {
        long left = PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (left <= 0) {
                throw new AssertionError("waited " + PATIENCE.toSeconds() + " s in vain for " + what + " at " + this);
            }
            left = changed.awaitNanos(left);
        }
    }

    @Override
    public String toString() {
        return "Gate[" + arrivals + " arrivals, " + inside + " inside, at most " + mostInside + ", " + interrupted
                + " interrupted]";
    }
}
