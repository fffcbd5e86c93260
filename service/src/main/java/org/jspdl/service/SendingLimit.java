package org.jspdl.service;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// Ends the sending of what a loader takes too slowly, by interrupting the thread that sends, which closes its
/// connection: a loader that stands still would keep a turn of others, and the memory of what is sent. Thread-safe.
final class SendingLimit implements AutoCloseable {
    private final LongUnaryOperator most;
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(
            1, Thread.ofVirtual().name("jspdl-serve-watch").factory());

    /// @param most nanoseconds that so many bytes may take
    SendingLimit(LongUnaryOperator most) {
        this.most = most;
        watch.setRemoveOnCancelPolicy(true);
    }

    /// Interrupts the calling thread if it takes too long to send so many bytes, unless what this returns is closed
    /// before.
    Sending begin(long bytes) {
        Sending sending = new Sending(Thread.currentThread());
        sending.due = watch.schedule(sending::expire, most.applyAsLong(bytes), TimeUnit.NANOSECONDS);
        return sending;
    }

    @Override
    public void close() {
        watch.shutdownNow();
        watch.close();
    }

    /// Something that is sent.
    static final class Sending implements AutoCloseable {
        private final Thread sender;
        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable Future<?> due;
        private boolean ended;
        private boolean expired;

        Sending(Thread sender) {
            this.sender = sender;
        }

        private void expire() {
            lock.lock();
            try {
                if (!ended) {
                    expired = true;
                    sender.interrupt();
                }
            } finally {
                lock.unlock();
            }
        }

        /// Whether it took too long.
        boolean isExpired() {
            lock.lock();
            try {
                return expired;
            } finally {
                lock.unlock();
            }
        }

        /// On the thread that has sent: it is not interrupted from here on.
        @Override
        public void close() {
            lock.lock();
            try {
                ended = true;
                if (due != null) {
                    due.cancel(false);
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
