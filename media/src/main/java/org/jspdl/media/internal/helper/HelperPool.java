package org.jspdl.media.internal.helper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Helpers for any number of callers, each of which takes one for a call.
///
/// Some helpers more than are taken at once are started ahead, so that a lost one is replaced at once: many for a
/// minute after a loss, then they are ended again. At most two for each processor start at once. What makes starting
/// fast ([StartCache]) is made when the first has started. A pool can have the first calls wait until it has spares: a
/// helper that is lost while they start, beside the work, is replaced late. Safe for use by any number of threads.
/// Closing ends all processes, also those that are taken: whoever waits for one is told that it was lost.
public final class HelperPool implements AutoCloseable {
    private static final int MOST_SPARES = 8;
    private static final long REMEMBERED = TimeUnit.SECONDS.toNanos(60);
    private static final int MOST_FAILED_STARTS = 3;
    /// At most this many start at once, so that each gets its share of a busy machine.
    private static final int MOST_AT_ONCE = 2 * Runtime.getRuntime().availableProcessors();

    private final HelperCommand command;
    private final StartCache cache;
    private final long deadlineNanos;
    private final int leastSpares;
    private final int sparesAtStart;
    private final ScheduledThreadPoolExecutor clock;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Helper> spares = new ArrayDeque<>();
    private final Set<Helper> alive = new HashSet<>();
    private boolean primed;
    private long losses;
    /// When the last one was lost; at first, when the pool was made.
    private long lastLoss;
    private int starting;
    private int waiting;
    private int taken;
    /// The most that were taken at once since it was last looked at.
    private int mostTaken;
    private boolean hasTrained;
    private boolean training;
    private @Nullable Process trained;
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
    /// @param leastSpares   how many are ready ahead while none is lost
    public HelperPool(HelperCommand command, long deadlineNanos, int leastSpares) {
        this(command, deadlineNanos, leastSpares, 0);
    }

    /// As the other, with more spares in the first minute.
    ///
    /// @param sparesAtStart how many there are before the first call gets a helper
    public HelperPool(HelperCommand command, long deadlineNanos, int leastSpares, int sparesAtStart) {
        this.command = command;
        this.cache = command.cache();
        this.deadlineNanos = deadlineNanos;
        this.leastSpares = leastSpares;
        this.sparesAtStart = sparesAtStart;
        primed = sparesAtStart == 0;
        clock = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("jspdl-helper-deadlines").factory());
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        lastLoss = System.nanoTime();
        if (sparesAtStart > leastSpares) {
            later(this::endUnneeded, REMEMBERED);
        }
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
    /// @throws IllegalStateException if none can be started, or the pool is closed
    public Helper take() {
        long begin = System.nanoTime();
        lock.lock();
        try {
            waiting++;
            try {
                while (true) {
                    startMissing();
                    Helper spare = isPrimed() ? spares.poll() : null;
                    if (spare != null) {
                        taken++;
                        mostTaken = Math.max(mostTaken, taken);
                        if (losses > 0) {
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

    /// Whether the spares of the beginning are there, for all that wait, or no more of them come.
    private boolean isPrimed() {
        primed = primed || starting == 0 || spares.size() >= waiting + sparesAtStart;
        return primed;
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
        int wanted = waiting + sparesWanted();
        while (spares.size() + starting < wanted && starting < MOST_AT_ONCE) {
            starting++;
            started++;
            Thread.ofVirtual().name("jspdl-helper-start").start(this::startOne);
        }
    }

    private int sparesWanted() {
        if (System.nanoTime() - lastLoss >= REMEMBERED) {
            return leastSpares;
        }
        return losses > 0 ? MOST_SPARES : Math.max(leastSpares, sparesAtStart);
    }

    /// Ends spares that were started for a loss that is forgotten. Those that are between two calls of a caller
    /// look like spares, too.
    private void endUnneeded() {
        List<Helper> unneeded = new ArrayList<>();
        lock.lock();
        try {
            int wanted = mostTaken - taken + sparesWanted();
            mostTaken = taken;
            while (!closed && spares.size() > wanted) {
                unneeded.add(spares.removeLast());
            }
        } finally {
            lock.unlock();
        }
        unneeded.forEach(Helper::close);
    }

    private void startOne() {
        Helper helper = null;
        Exception failed = null;
        boolean ready = false;
        try {
            helper = Helper.start(this, command, cache);
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
                trainOnce();
            } else if (!ready && !closed) {
                failedStarts++;
                failure = failed;
            }
            startMissing();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (helper != null) {
            helper.close();
        }
    }

    private void trainOnce() {
        if (!hasTrained && cache.isMissing()) {
            hasTrained = true;
            training = true;
            Thread.ofVirtual().name("jspdl-helper-cache").start(this::train);
        }
    }

    private void train() {
        try (SharedMemory memory = SharedMemory.create()) {
            cache.make(command.words(memory.path()), this::keep);
        } catch (IOException | UncheckedIOException unwritable) {
            // Helpers take longer to start.
        } finally {
            lock.lock();
            try {
                trained = null;
                training = false;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void keep(Process process) {
        lock.lock();
        try {
            trained = process;
            if (closed) {
                end(process);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends a process and those that it has started.
    private static void end(Process process) {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
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
    public void release(Helper helper) {
        helper.trim();
        boolean late;
        lock.lock();
        try {
            taken--;
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

    /// Closes a helper that was left in the middle of a call for a reason that is not its own.
    public void discard(Helper helper) {
        helper.close();
        lock.lock();
        try {
            taken--;
            startMissing();
        } finally {
            lock.unlock();
        }
    }

    /// Closes a helper that was lost; another one is started.
    public void lost(Helper helper, HelperLostException why) {
        helper.close();
        lock.lock();
        try {
            taken--;
            losses++;
            lastLoss = System.nanoTime();
            later(this::endUnneeded, REMEMBERED);
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
            if (trained != null) {
                end(trained);
            }
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
            while (starting > 0 || training) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
