package org.jspdl.data.http.pace;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Tells reads that they are late, on a virtual thread for all of them: a timer for each read costs as much as a small
/// read does. Thread-safe.
final class HedgeWatch implements AutoCloseable {
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(5);
    /// Looks at nothing before the thread sleeps until it is woken.
    private static final int IDLE_LOOKS = 200;

    private final Set<Late> reads = ConcurrentHashMap.newKeySet();
    private final ReentrantLock starting = new ReentrantLock();
    private volatile @Nullable Thread thread;
    private volatile boolean closed;
    /// When the thread looks again, of [System#nanoTime]; nobody needs to wake it for what is due later.
    private volatile long nextLook;

    /// What may be late.
    interface Late {
        /// When it is, of [System#nanoTime]; the largest long if never.
        long due();

        /// It is.
        void late();
    }

    void add(Late read) {
        reads.add(read);
        Thread watching = thread;
        if (watching == null) {
            start();
        } else if (read.due() - nextLook < 0) {
            LockSupport.unpark(watching);
        }
    }

    void remove(Late read) {
        reads.remove(read);
    }

    private void start() {
        starting.lock();
        try {
            if (thread == null && !closed) {
                nextLook = System.nanoTime();
                thread = Thread.ofVirtual().name("jspdl-storage-hedges").start(this::watch);
            }
        } finally {
            starting.unlock();
        }
    }

    private void watch() {
        int idle = 0;
        while (!closed) {
            // While it looks, and until it has said when it looks again, whoever comes wakes it.
            long now = System.nanoTime();
            nextLook = now + Long.MAX_VALUE / 2;
            long wait = Long.MAX_VALUE / 2;
            for (Late read : reads) {
                if (read.due() != Long.MAX_VALUE && read.due() - now <= 0) {
                    read.late();
                }
                if (read.due() != Long.MAX_VALUE) {
                    wait = Math.min(wait, read.due() - now);
                }
            }
            idle = reads.isEmpty() ? idle + 1 : 0;
            if (idle > 0 && idle < IDLE_LOOKS) {
                wait = SOON;
            }
            nextLook = now + wait;
            LockSupport.parkNanos(wait);
        }
    }

    @Override
    public void close() {
        @Nullable Thread watching;
        starting.lock();
        try {
            closed = true;
            watching = thread;
        } finally {
            starting.unlock();
        }
        if (watching != null) {
            LockSupport.unpark(watching);
            join(watching);
        }
    }

    private static void join(Thread watching) {
        boolean interrupted = Thread.interrupted();
        while (watching.isAlive()) {
            try {
                watching.join();
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
