package org.jspdl.service;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Chooses who is asked: of those that don't rest, the one with the fewest requests under way. So a slow worker gets
/// fewer. If all rest, whoever would rest for the shortest time is asked early: it may be the only one that is back.
/// Thread-safe.
final class Workers {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Worker> all = new ArrayList<>();
    private int turn;

    Workers(List<URI> addresses) {
        long now = System.nanoTime();
        addresses.stream().distinct().forEach(address -> all.add(new Worker(address, now)));
    }

    int size() {
        return all.size();
    }

    List<URI> addresses() {
        return all.stream().map(worker -> worker.address).toList();
    }

    /// Takes the best worker but `others`, unless all rest. Given back by one of [#answered], [#failed], [#gaveUp].
    @Nullable
    Worker take(Set<Worker> others) {
        lock.lock();
        try {
            Worker best = null;
            long now = System.nanoTime();
            turn = (turn + 1) % all.size();
            for (int i = 0; i < all.size(); i++) {
                Worker each = all.get((turn + i) % all.size());
                if (!others.contains(each) && each.spareFrom - now <= 0 && isBetter(each, best, now)) {
                    best = each;
                }
            }
            if (best != null) {
                best.inFlight++;
            }
            return best;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isBetter(Worker one, @Nullable Worker than, long now) {
        if (than == null) {
            return true;
        }
        long rest = Math.max(0, one.restsUntil - now) - Math.max(0, than.restsUntil - now);
        return rest == 0 ? one.inFlight < than.inFlight : rest < 0;
    }

    /// Waits until some worker but `others` rests no more, `deadline`, or until [#wake] is called after `ended`.
    void await(long deadline, Set<Worker> others, BooleanSupplier ended) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long now = System.nanoTime();
            long soonest = deadline - now;
            for (Worker each : all) {
                if (!others.contains(each)) {
                    soonest = Math.min(soonest, each.spareFrom - now);
                }
            }
            if (!ended.getAsBoolean()) {
                waitOnce(soonest);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Lets whoever waits look again.
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Whoever waits looks again at who rests, so one wait is enough.
    @SuppressWarnings("WaitNotInLoop")
    private void waitOnce(long nanos) throws InterruptedException {
        if (nanos > 0) {
            changed.awaitNanos(nanos);
        }
    }

    /// It gave a good piece.
    void answered(Worker worker) {
        lock.lock();
        try {
            worker.inFlight--;
            worker.failures = 0;
            worker.trouble = "";
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// It is not needed any more: another was faster.
    void gaveUp(Worker worker) {
        lock.lock();
        try {
            worker.inFlight--;
        } finally {
            lock.unlock();
        }
    }

    /// It gave nothing, or nothing good.
    ///
    /// @param atLeast nanoseconds for which it is left alone
    void failed(Worker worker, String trouble, long atLeast) {
        lock.lock();
        try {
            worker.inFlight--;
            worker.failed(trouble, atLeast);
        } finally {
            lock.unlock();
        }
    }

    /// It was asked what it serves, and it is not what is wanted.
    void noted(URI address, String trouble) {
        lock.lock();
        try {
            for (Worker each : all) {
                if (each.address.equals(address)) {
                    each.failed(trouble, 0);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// What is wrong with each worker, for people.
    String troubles() {
        lock.lock();
        try {
            return String.join(
                    "; ",
                    all.stream()
                            .map(worker -> worker.address + ": "
                                    + (worker.trouble.isEmpty() ? "did not answer in time" : worker.trouble))
                            .toList());
        } finally {
            lock.unlock();
        }
    }
}
