package org.jspdl.media.internal.helper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Helpers for any number of callers, each of which takes one and keeps it until it is lost.
///
/// One helper more than were taken is started ahead, so that a lost one is replaced at once; after losses, one more for
/// each of the last seconds, up to a limit. Safe for use by any number of threads. Closing ends all processes, also
/// those that are taken: whoever waits for one is told that it was lost.
public final class HelperPool implements AutoCloseable {
    private static final int MOST_SPARES = 8;
    private static final long REMEMBERED = TimeUnit.SECONDS.toNanos(5);
    private static final int MOST_FAILED_STARTS = 3;

    private final HelperCommand command;
    private final long deadlineNanos;
    private final ScheduledThreadPoolExecutor clock;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Helper> spares = new ArrayDeque<>();
    private final Set<Helper> alive = new HashSet<>();
    private final Deque<Long> losses = new ArrayDeque<>();
    private int starting;
    private int waiting;
    private int failedStarts;
    private boolean closed;
    private @Nullable Exception failure;
    private long started;
    private long crashed;
    private long overran;
    private long mostWait;

    /// A pool that has started nothing yet.
    ///
    /// @param deadlineNanos how long a call may take, in nanoseconds
    public HelperPool(HelperCommand command, long deadlineNanos) {
        this.command = command;
        this.deadlineNanos = deadlineNanos;
        clock = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("jspdl-helper-deadlines").factory());
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /// Runs `check` after some time, unless the pool is closed by then.
    void later(Runnable check, long nanos) {
        lock.lock();
        try {
            if (!closed) {
                var _ = clock.schedule(check, nanos, TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /// A helper that is ready, which the caller owns.
    ///
    /// @param replacing whether the caller lost one before, so that its waiting counts
    /// @throws IllegalStateException if none can be started, or the pool is closed
    public Helper take(boolean replacing) {
        long begin = System.nanoTime();
        lock.lock();
        try {
            waiting++;
            try {
                while (true) {
                    startMissing();
                    Helper spare = spares.poll();
                    if (spare != null) {
                        if (replacing) {
                            mostWait = Math.max(mostWait, System.nanoTime() - begin);
                        }
                        return spare;
                    }
                    check();
                    changed.awaitUninterruptibly();
                }
            } finally {
                waiting--;
                startMissing();
            }
        } finally {
            lock.unlock();
        }
    }

    private void check() {
        if (closed) {
            throw new IllegalStateException("the decoder is closed");
        }
        if (failedStarts >= MOST_FAILED_STARTS) {
            throw new IllegalStateException(
                    "the process that decodes could not be started " + failedStarts
                            + " times; to see why, run: "
                            + String.join(" ", command.words(Path.of("/dev/null"))),
                    failure);
        }
    }

    private void startMissing() {
        if (closed || failedStarts >= MOST_FAILED_STARTS) {
            return;
        }
        long now = System.nanoTime();
        while (!losses.isEmpty() && now - losses.peek() > REMEMBERED) {
            losses.poll();
        }
        int wanted = waiting + Math.min(MOST_SPARES, 1 + losses.size());
        while (spares.size() + starting < wanted) {
            starting++;
            started++;
            Thread.ofVirtual().name("jspdl-helper-start").start(this::startOne);
        }
    }

    private void startOne() {
        Helper helper = null;
        Exception failed = null;
        boolean ready = false;
        try {
            helper = Helper.start(this, command);
            if (keep(helper)) {
                ready = helper.awaitReady();
            }
        } catch (IOException | RuntimeException failure) {
            failed = failure;
        }
        if (!ready && helper != null) {
            helper.close();
        }
        lock.lock();
        try {
            starting--;
            if (ready && helper != null && !closed) {
                failedStarts = 0;
                spares.add(helper);
                helper = null;
            } else if (!ready && !closed) {
                failedStarts++;
                failure = failed;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (helper != null) {
            helper.close();
        }
    }

    /// Whether `helper` is one of this pool, rather than started too late.
    private boolean keep(Helper helper) {
        lock.lock();
        try {
            return !closed && alive.add(helper);
        } finally {
            lock.unlock();
        }
    }

    void closed(Helper helper) {
        lock.lock();
        try {
            alive.remove(helper);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Takes back a helper that is as good as new, for whoever takes one next.
    public void giveBack(Helper helper) {
        helper.trim();
        boolean late;
        lock.lock();
        try {
            late = closed;
            if (!late) {
                spares.push(helper);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (late) {
            helper.close();
        }
    }

    /// Closes a helper that was lost; another one is started.
    public void lost(Helper helper, HelperLostException why) {
        helper.close();
        lock.lock();
        try {
            losses.add(System.nanoTime());
            if (why.overran()) {
                overran++;
            } else {
                crashed++;
            }
            startMissing();
        } finally {
            lock.unlock();
        }
    }

    /// What was seen so far.
    public HelperStats stats() {
        lock.lock();
        try {
            return new HelperStats(started, crashed, overran, mostWait);
        } finally {
            lock.unlock();
        }
    }

    /// The processes there are, by number.
    public Set<Long> processes() {
        lock.lock();
        try {
            Set<Long> ids = new HashSet<>();
            alive.forEach(helper -> ids.add(helper.processId()));
            return ids;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        Set<Helper> left;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            alive.forEach(Helper::kill);
            left = new HashSet<>(spares);
            spares.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(Helper::close);
        clock.shutdown();
        awaitStarts();
    }

    private void awaitStarts() {
        lock.lock();
        try {
            while (starting > 0) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
