package org.jspdl.observe;

import java.util.concurrent.locks.LockSupport;

/// Work that only takes time.
public final class Pauses {
    private Pauses() {}

    /// StallTracker so long, at least; less only if the thread is interrupted, which it stays.
    public static void micros(long micros) {
        long end = System.nanoTime() + micros * 1_000;
        for (long left = micros * 1_000;
                left > 0 && !Thread.currentThread().isInterrupted();
                left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
