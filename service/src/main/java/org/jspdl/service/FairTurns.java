package org.jspdl.service;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// So many turns at once, dealt fairly among those who ask: a turn goes to who holds the fewest of those that wait, and
/// of several to who has waited longest for one. So a loader that asks for a hundred pieces at once delays another by
/// one. Nobody holds all turns, if there are more than two, so that a loader that takes its pieces slowly leaves some
/// to others. Thread-safe.
final class FairTurns {
    private final ReentrantLock lock = new ReentrantLock();
    private final int mostOfOne;
    /// Those who wait, the one that was served longest ago first; none without requests.
    private final Map<String, Deque<Request>> waiting = new LinkedHashMap<>();
    private final Map<String, Integer> held = new HashMap<>();
    private int free;

    /// A request that waits.
    private static final class Request {
        private final Condition changed;
        private boolean hasTurn;

        Request(Condition changed) {
            this.changed = changed;
        }
    }

    FairTurns(int turns) {
        this.free = turns;
        this.mostOfOne = turns <= 2 ? turns : turns - Math.max(1, turns / 4);
    }

    /// Takes a turn for `asker`, and waits for it at most so long; given back by [#release].
    ///
    /// @return whether there was one in time
    boolean take(String asker, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        Request mine = new Request(lock.newCondition());
        try {
            waiting.computeIfAbsent(asker, _ -> new ArrayDeque<>()).addLast(mine);
            deal();
            long left = nanos;
            while (!mine.hasTurn && left > 0) {
                left = mine.changed.awaitNanos(left);
            }
            return mine.hasTurn;
        } catch (InterruptedException ending) {
            if (mine.hasTurn) {
                giveBack(asker);
            }
            throw ending;
        } finally {
            if (!mine.hasTurn) {
                forget(asker, mine);
            }
            lock.unlock();
        }
    }

    /// Gives back a turn that `asker` took.
    void release(String asker) {
        lock.lock();
        try {
            giveBack(asker);
        } finally {
            lock.unlock();
        }
    }

    private void giveBack(String asker) {
        free++;
        held.computeIfPresent(asker, (_, turns) -> turns == 1 ? null : turns - 1);
        deal();
    }

    private void deal() {
        while (free > 0) {
            String next = next();
            if (next == null) {
                return;
            }
            Deque<Request> requests = requireNonNull(waiting.remove(next));
            Request first = requests.removeFirst();
            if (!requests.isEmpty()) {
                waiting.put(next, requests); // behind the others
            }
            free--;
            held.merge(next, 1, Integer::sum);
            first.hasTurn = true;
            first.changed.signal();
        }
    }

    /// Whose turn it is; null if nobody waits who may have one.
    private @Nullable String next() {
        String best = null;
        int least = mostOfOne;
        for (String asker : waiting.keySet()) {
            int turns = held.getOrDefault(asker, 0);
            if (turns < least) {
                least = turns;
                best = asker;
            }
        }
        return best;
    }

    private void forget(String asker, Request request) {
        Deque<Request> requests = waiting.get(asker);
        if (requests != null) {
            for (Iterator<Request> each = requests.iterator(); each.hasNext(); ) {
                if (each.next() == request) {
                    each.remove();
                    break;
                }
            }
            if (requests.isEmpty()) {
                waiting.remove(asker);
            }
        }
    }

    /// Requests that wait.
    int waiting() {
        lock.lock();
        try {
            return waiting.values().stream().mapToInt(Deque::size).sum();
        } finally {
            lock.unlock();
        }
    }
}
