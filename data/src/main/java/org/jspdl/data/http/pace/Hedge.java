package org.jspdl.data.http.pace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.storage.StorageOptions;
import org.jspecify.annotations.Nullable;

/// Sends a read that is slower than most a second time, and takes what comes first ("hedged requests", Dean and
/// Barroso, "The Tail at Scale", 2013); a third time if the second is as slow, where more than one is allowed.
/// Thread-safe.
///
/// Each read earns a share of a second request, or of as many as may follow it, so that there are never more than that
/// share of all. The first runs on
/// the thread of its caller, and costs no more than without a second; that runs on a virtual thread of its own. When
/// one has the answer the other is cancelled and waited for: memory that it writes to is released afterwards.
public final class Hedge implements AutoCloseable {
    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long NEVER = Long.MAX_VALUE;
    private static final double MOST_SAVED = 20;
    private static final double KEPT_FOR_STALLED = 5;

    private final double share;
    private final int most;
    private final ReadTimes times;
    private final LongAdder retries;
    private final LongAdder hedged;
    private final HedgeWatch watch = new HedgeWatch();
    private final ReentrantLock earning = new ReentrantLock();
    private double earned;

    /// One way to read something.
    @FunctionalInterface
    public interface Way<T extends Answer> {
        /// Reads it, unless it is cancelled meanwhile.
        T read(Cancellation cancellation) throws IOException;
    }

    /// @param retries how often any request was repeated: a read meanwhile is no healthy one
    /// @param hedged  counts second requests
    public Hedge(StorageOptions.Hedging options, LongAdder retries, LongAdder hedged) {
        this(options, 1, Long.MAX_VALUE, retries, hedged);
    }

    /// The same with a guess.
    ///
    /// @param most    requests that follow the first of a read
    /// @param unknown nanoseconds after which a read is taken to be slow while too few of its size are known
    public Hedge(StorageOptions.Hedging options, int most, long unknown, LongAdder retries, LongAdder hedged) {
        this.share = options.share();
        this.most = most;
        this.times = new ReadTimes(options.quantile(), unknown);
        this.retries = retries;
        this.hedged = hedged;
    }

    private void earn() {
        earning.lock();
        try {
            earned = Math.min(MOST_SAVED, earned + share * most);
        } finally {
            earning.unlock();
        }
    }

    /// @param justLate whether the read is not yet twice as slow as healthy ones: what is left is kept for those,
    ///     unless there is enough for all
    private boolean spend(boolean justLate) {
        earning.lock();
        try {
            if (earned < (justLate && share < 1 ? 1 + KEPT_FOR_STALLED : 1)) {
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
    /// @param first  called on the thread of the caller
    /// @param second the same with memory of its own, on another thread, which has left it when this returns
    /// @throws IOException what `first` threw, if neither way led to it
    public <T extends Answer> T read(long bytes, Way<T> first, Way<T> second) throws IOException {
        if (share == 0) {
            return first.read(new Cancellation());
        }
        earn();
        long late = times.late(bytes);
        long begun = System.nanoTime();
        long before = retries.sum();
        if (late == Long.MAX_VALUE) {
            T read = first.read(new Cancellation());
            took(bytes, begun, before);
            return read;
        }
        Race<T> race = race(first, second, begun, Math.max(late, SHORTEST));
        took(bytes, race.winnerBegun, before);
        return race.answer();
    }

    /// Without the time before the request that was answered: else each read that was late would have later ones
    /// wait longer.
    private void took(long bytes, long begun, long before) {
        if (retries.sum() == before) {
            times.took(bytes, System.nanoTime() - begun);
        }
    }

    private <T extends Answer> Race<T> race(Way<T> first, Way<T> second, long begun, long late) throws IOException {
        Race<T> race = new Race<>(second, begun, late);
        watch.add(race);
        try {
            race.run(first);
            return race;
        } finally {
            watch.remove(race);
        }
    }

    /// Ends the thread that watches; no read is sent a second time from here on.
    @Override
    public void close() {
        watch.close();
    }

    /// One read and maybe its second request.
    private final class Race<T extends Answer> implements HedgeWatch.Late {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final Cancellation firstEnds = new Cancellation();
        private final List<Cancellation> secondsEnd = new ArrayList<>();
        private final Way<T> second;
        private final long patience;
        private volatile long due;
        private boolean isLate;
        private int secondsRun;
        private @Nullable T winner;
        private long winnerBegun;

        /// @param begun    when the read began, of [System#nanoTime]
        /// @param patience how long after that it is late, and again late
        Race(Way<T> second, long begun, long patience) {
            this.second = second;
            this.winnerBegun = begun;
            this.due = begun + patience;
            this.patience = patience;
        }

        @Override
        public long due() {
            return due;
        }

        @Override
        public void late() {
            lock.lock();
            try {
                if (due == NEVER) {
                    return; // it has just ended
                }
                if (spend(!isLate)) {
                    hedged.increment();
                    Cancellation ends = new Cancellation();
                    secondsEnd.add(ends);
                    secondsRun++;
                    Thread.ofVirtual().name("jspdl-storage-read").start(() -> runSecond(ends));
                }
                isLate = true;
                due = secondsEnd.size() < most ? due + patience : NEVER;
            } finally {
                lock.unlock();
            }
        }

        void run(Way<T> first) throws IOException {
            @Nullable T read = null;
            @Nullable Throwable failure = null;
            try {
                read = first.read(firstEnds);
            } catch (Throwable failed) {
                failure = failed;
            }
            lock.lock();
            try {
                if (take(read) || secondsRun == 0) {
                    due = NEVER;
                }
                awaitSeconds();
                check(failure);
            } finally {
                lock.unlock();
            }
        }

        private void runSecond(Cancellation ends) {
            long begun = System.nanoTime();
            @Nullable T read = null;
            try {
                read = second.read(ends);
            } catch (Throwable failed) {
                // a second way that failed is none: the others go on
            }
            lock.lock();
            try {
                secondsRun--;
                if (take(read)) {
                    due = NEVER;
                    winnerBegun = begun;
                    firstEnds.cancel();
                }
                changed.signal();
            } finally {
                lock.unlock();
            }
        }

        /// Whether it is the first that was read.
        private boolean take(@Nullable T read) {
            if (read != null && winner != null) {
                read.discard();
                return false;
            }
            if (read != null) {
                winner = read;
            }
            return read != null;
        }

        /// Waits for what may come yet, and until nothing writes to memory any more.
        private void awaitSeconds() {
            boolean interrupted = false;
            while (secondsRun > 0) {
                if (winner != null || interrupted) {
                    due = NEVER;
                    secondsEnd.forEach(Cancellation::cancel);
                    changed.awaitUninterruptibly();
                    continue;
                }
                try {
                    changed.await();
                } catch (InterruptedException interrupt) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /// What was read, after [#run].
        T answer() {
            return Objects.requireNonNull(winner, "a race without a winner has thrown");
        }

        private void check(@Nullable Throwable failure) throws IOException {
            if (winner != null) {
                return;
            }
            switch (failure) {
                case IOException problem -> throw problem;
                case RuntimeException problem -> throw problem;
                case Error problem -> throw problem;
                case null, default -> throw new IOException(failure);
            }
        }
    }

    /// What was read.
    public interface Answer {
        /// It came too late: releases what it holds.
        void discard();
    }
}
