package org.jspdl.data.http.pace;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.storage.StorageOptions;
import org.jspecify.annotations.Nullable;

/// Sends a read that is slower than most a second time, and takes what comes first ("hedged requests", Dean and
/// Barroso, "The Tail at Scale", 2013). Thread-safe.
///
/// Each read earns a share of a second request, so that there are never more than that share of all. Both run on
/// virtual threads of their own; when one has the answer the other is interrupted, which closes its connection, and
/// waited for: memory that it writes to is released afterwards.
public final class Hedge {
    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(5);
    private static final double MOST_SAVED = 20;
    private static final double KEPT_FOR_STALLED = 5;

    private final double share;
    private final ReadTimes times;
    private final LongAdder retries;
    private final LongAdder hedged;
    private final ReentrantLock earning = new ReentrantLock();
    private double earned;

    /// One way to read something.
    @FunctionalInterface
    public interface Way<T extends Answer> {
        /// Reads it; answers an interrupt.
        T read() throws IOException;
    }

    /// @param retries how often any request was repeated: a read meanwhile is no healthy one
    /// @param hedged  counts second requests
    public Hedge(StorageOptions.Hedging options, LongAdder retries, LongAdder hedged) {
        this.share = options.share();
        this.times = new ReadTimes(options.quantile());
        this.retries = retries;
        this.hedged = hedged;
    }

    private void earn() {
        earning.lock();
        try {
            earned = Math.min(MOST_SAVED, earned + share);
        } finally {
            earning.unlock();
        }
    }

    /// @param isLate whether the read is not yet twice as slow as healthy ones: what is left is kept for those
    private boolean spend(boolean isLate) {
        earning.lock();
        try {
            if (earned < (isLate ? 1 + KEPT_FOR_STALLED : 1)) {
                return false;
            }
            earned--;
            return true;
        } finally {
            earning.unlock();
        }
    }

    /// Reads something of `bytes` bytes.
    ///
    /// @param first  called on the thread of the caller, or another that has ended when this returns
    /// @param second the same with memory of its own
    /// @throws IOException what `first` threw, if neither way led to it
    public <T extends Answer> T read(long bytes, Way<T> first, Way<T> second) throws IOException {
        if (share == 0) {
            return first.read();
        }
        earn();
        long late = times.late(bytes);
        long begun = System.nanoTime();
        long before = retries.sum();
        T read = late == Long.MAX_VALUE
                ? first.read()
                : new Race<>(first, second).run(Math.max(late, SHORTEST), this::spend, hedged);
        if (retries.sum() == before) {
            times.took(bytes, System.nanoTime() - begun);
        }
        return read;
    }

    /// Whether another request may be sent, which is paid for then.
    @FunctionalInterface
    private interface Permission {
        boolean get(boolean isLate);
    }

    /// One read and maybe its second request.
    private static final class Race<T extends Answer> {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final Way<T> first;
        private final Way<T> second;
        private @Nullable T winner;
        private @Nullable Throwable firstFailure;
        private int running;

        Race(Way<T> first, Way<T> second) {
            this.first = first;
            this.second = second;
        }

        T run(long nanos, Permission another, LongAdder hedged) throws IOException {
            Thread one = start(first, true);
            @Nullable Thread two = null;
            boolean interrupted = false;
            lock.lock();
            try {
                for (int late = 1; !decided() && two == null; late++) {
                    for (long left = nanos; !decided() && left > 0; ) {
                        left = changed.awaitNanos(left);
                    }
                    if (!decided() && another.get(late == 1)) {
                        hedged.increment();
                        two = start(second, false);
                    }
                }
                while (!decided()) {
                    changed.await();
                }
            } catch (InterruptedException interrupt) {
                interrupted = true;
            } finally {
                lock.unlock();
            }
            interrupted |= end(one);
            interrupted |= two != null && end(two);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return result(interrupted);
        }

        /// A second way that failed is none; the first goes on.
        private boolean decided() {
            return winner != null || (firstFailure != null && running == 0);
        }

        private T result(boolean interrupted) throws IOException {
            T read = winner;
            if (read != null) {
                return read;
            }
            if (interrupted) {
                throw new InterruptedIOException("the read was interrupted");
            }
            switch (firstFailure) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IOException(firstFailure);
            }
        }

        private Thread start(Way<T> way, boolean isFirst) {
            running++;
            return Thread.ofVirtual().name("jspdl-storage-read").start(() -> run(way, isFirst));
        }

        private void run(Way<T> way, boolean isFirst) {
            @Nullable T read = null;
            @Nullable Throwable failure = null;
            try {
                read = way.read();
            } catch (Throwable failed) {
                failure = failed;
            }
            lock.lock();
            try {
                running--;
                if (winner == null) {
                    winner = read;
                } else if (read != null) {
                    read.discard();
                }
                if (isFirst) {
                    firstFailure = failure;
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /// Ends a thread; whether this one was interrupted meanwhile.
        private static boolean end(Thread thread) {
            boolean interrupted = false;
            thread.interrupt();
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
            return interrupted;
        }
    }

    /// What was read.
    public interface Answer {
        /// It came too late: releases what it holds.
        void discard();
    }
}
