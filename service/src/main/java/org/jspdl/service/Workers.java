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
    /// How long to wait for workers while there are none.
    private static final long NOBODY = 200_000_000;

    private final Addresses where;
    private int turn;

    Workers(Addresses where) {
        this.where = where;
        update();
    }

    /// Looks for workers that came and those that left, if it is time to. Blocks while names are looked up.
    void look() {
        if (where.areDue()) {
            update();
        }
    }

    /// Whether names are to be looked up; then [#update] is called.
    boolean areDue() {
        return where.areDue();
    }

    /// Workers whose address is gone are asked no more; those that are asked just now may answer.
    void update() {
        List<URI> found = where.find();
        if (found.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            long now = System.nanoTime();
            List<URI> known = all.stream().map(worker -> worker.address).toList();
            all.removeIf(worker -> !found.contains(worker.address));
            found.stream()
                    .distinct()
                    .filter(address -> !known.contains(address))
                    .forEach(address -> all.add(new Worker(address, now)));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return all.size();
        } finally {
            lock.unlock();
        }
    }

    List<URI> addresses() {
        lock.lock();
        try {
            return all.stream().map(worker -> worker.address).toList();
        } finally {
            lock.unlock();
        }
    }

    /// Takes the best worker but `others`, unless all rest. Given back by one of [#answered], [#failed], [#gaveUp].
    @Nullable
    Worker take(Set<Worker> others) {
        lock.lock();
        try {
            Worker best = null;
            long now = System.nanoTime();
            turn = all.isEmpty() ? 0 : (turn + 1) % all.size();
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
            long soonest = all.isEmpty() ? Math.min(NOBODY, deadline - now) : deadline - now;
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
            List<String> each = new ArrayList<>(all.stream()
                    .map(worker -> worker.address + ": "
                            + (worker.trouble.isEmpty() ? "did not answer in time" : worker.trouble))
                    .toList());
            if (!where.trouble().isEmpty()) {
                each.add(where.trouble());
            }
            return String.join("; ", each);
        } finally {
            lock.unlock();
        }
    }
}
