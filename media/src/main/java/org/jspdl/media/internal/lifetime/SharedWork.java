package org.jspdl.media.internal.lifetime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Numbered pieces of work, done by the caller and by threads that this owns, or that were lent to it.
///
/// Any number of threads may call [#run] at once: each does its own work, and the threads help where they are idle.
public final class SharedWork implements AutoCloseable {
    private final int helpers;
    private final Executor threads;
    private final @Nullable ExecutorService owned;

    private SharedWork(int threads, Executor executor, @Nullable ExecutorService owned) {
        helpers = threads - 1;
        this.threads = executor;
        this.owned = owned;
    }

    /// Work by the caller and by threads that this owns, `threads` altogether.
    public static SharedWork owning(int threads) {
        ExecutorService owned = Executors.newFixedThreadPool(
                Math.max(1, threads - 1),
                Thread.ofPlatform().name("jspdl-images-", 1).daemon().factory());
        return new SharedWork(threads, owned, owned);
    }

    /// Work by the caller and by threads of an executor that belongs to somebody else, at most `threads`
    /// altogether.
    public static SharedWork lent(Executor executor, int threads) {
        return new SharedWork(threads, executor, null);
    }

    /// Work by the caller alone.
    public static SharedWork alone() {
        return new SharedWork(1, Runnable::run, null);
    }

    /// How many threads work at most, the caller's among them.
    public int threads() {
        return helpers + 1;
    }

    /// Does the pieces 0 to `count - 1`, each once and in this order as far as one thread sees; returns when none
    /// is under way.
    ///
    /// After a piece has failed no other begins. What the first of them threw is thrown, which does not depend on
    /// the number of threads.
    public void run(int count, IntConsumer piece) {
        Round round = new Round(count, piece);
        List<Helper> called = new ArrayList<>();
        for (int i = 0; i < Math.min(helpers, count - 1); i++) {
            called.add(new Helper(round));
        }
        try {
            called.forEach(threads::execute);
        } catch (RejectedExecutionException closed) {
            if (owned != null) {
                round.stopped.set(true);
                called.forEach(Helper::dismiss);
                throw new IllegalStateException("the batches are closed", closed);
            }
        }
        round.work();
        called.forEach(Helper::dismiss);
        round.rethrow();
    }

    /// One call of [#run].
    private record Round(
            int count, IntConsumer piece, AtomicInteger next, AtomicBoolean stopped, Map<Integer, Throwable> failures) {
        Round(int count, IntConsumer piece) {
            this(count, piece, new AtomicInteger(), new AtomicBoolean(), new ConcurrentSkipListMap<>());
        }

        void work() {
            while (!stopped.get()) {
                int index = next.getAndIncrement();
                if (index >= count) {
                    return;
                }
                try {
                    piece.accept(index);
                } catch (Throwable failure) {
                    failures.put(index, failure);
                    stopped.set(true);
                }
            }
        }

        void rethrow() {
            List<Throwable> inOrder = List.copyOf(failures.values());
            if (inOrder.isEmpty()) {
                return;
            }
            Throwable first = inOrder.getFirst();
            inOrder.stream().skip(1).filter(other -> other != first).forEach(first::addSuppressed);
            switch (first) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                default -> throw new IllegalStateException(first);
            }
        }
    }

    /// A thread's part in a round, which may come too late for it.
    private record Helper(Round round, AtomicBoolean taken, CountDownLatch done) implements Runnable {
        Helper(Round round) {
            this(round, new AtomicBoolean(), new CountDownLatch(1));
        }

        @Override
        public void run() {
            if (taken.compareAndSet(false, true)) {
                try {
                    round.work();
                } finally {
                    done.countDown();
                }
            }
        }

        /// Keeps it from beginning, or waits until it is done: the memory that it writes belongs to the caller.
        void dismiss() {
            boolean interrupted = false;
            while (!taken.compareAndSet(false, true) && done.getCount() > 0) {
                try {
                    done.await();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        if (owned != null) {
            owned.close();
        }
    }
}
