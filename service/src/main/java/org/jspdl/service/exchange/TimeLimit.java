package org.jspdl.service.exchange;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Ends what takes too long, by interrupting the thread that does it, which closes the connection that it reads or
/// writes: a loader that stands still would keep a turn of others, and the memory of what is sent. Thread-safe.
public final class TimeLimit implements AutoCloseable {
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(
            1, Thread.ofVirtual().name("jspdl-serve-watch").factory());

    /// Watches nothing yet.
    public TimeLimit() {
        watch.setRemoveOnCancelPolicy(true);
    }

    /// Interrupts the calling thread after `nanos`, unless what this returns is closed before.
    public Watched begin(long nanos) {
        Watched watched = new Watched(Thread.currentThread());
        watched.due = watch.schedule(watched::expire, nanos, TimeUnit.NANOSECONDS);
        return watched;
    }

    @Override
    public void close() {
        watch.shutdownNow();
        watch.close();
    }

    /// Something that has a limit.
    public static final class Watched implements AutoCloseable {
        private final Thread doing;
        private final ReentrantLock lock = new ReentrantLock();
        private volatile @Nullable Future<?> due;
        private boolean ended;
        private boolean expired;

        Watched(Thread doing) {
            this.doing = doing;
        }

        private void expire() {
            lock.lock();
            try {
                if (!ended) {
                    expired = true;
                    doing.interrupt();
                }
            } finally {
                lock.unlock();
            }
        }

        /// Whether it took too long.
        public boolean isExpired() {
            lock.lock();
            try {
                return expired;
            } finally {
                lock.unlock();
            }
        }

        /// On the thread that did it: it is not interrupted from here on.
        @Override
        public void close() {
            lock.lock();
            try {
                ended = true;
                Future<?> expiry = due;
                if (expiry != null) {
                    expiry.cancel(false);
                }
                if (expired) {
                    Thread.interrupted();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
