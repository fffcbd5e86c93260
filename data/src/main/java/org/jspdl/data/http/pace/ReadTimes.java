package org.jspdl.data.http.pace;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/// How long healthy reads of late took, by the size of what was read: sizes within a factor of four are alike.
/// Thread-safe.
public final class ReadTimes {
    private static final int CLASSES = 20;
    private static final int KEPT = 256;
    private static final int FEWEST = 32;
    private static final int AGAIN = 16;

    private final double quantile;
    private final Recent[] classes = new Recent[CLASSES];

    /// The reads of one class, the last ones in a ring, and the quantile of them as of a few reads ago.
    private static final class Recent {
        final ReentrantLock lock = new ReentrantLock();
        final long[] nanos = new long[KEPT];
        long count;
        volatile long late;

        Recent(long unknown) {
            late = unknown;
        }
    }

    /// @param unknown what reads are measured by of which too few are known
    ReadTimes(double quantile, long unknown) {
        this.quantile = quantile;
        Arrays.setAll(classes, _ -> new Recent(unknown));
    }

    private Recent recent(long bytes) {
        return classes[Math.min(CLASSES - 1, (64 - Long.numberOfLeadingZeros(bytes)) / 2)];
    }

    /// After how many nanoseconds a read of `bytes` is slower than healthy ones; the largest long while too few are
    /// known.
    long late(long bytes) {
        return recent(bytes).late;
    }

    /// A read that needed no retry took so long.
    void took(long bytes, long nanos) {
        Recent recent = recent(bytes);
        recent.lock.lock();
        try {
            recent.nanos[(int) (recent.count++ % KEPT)] = nanos;
            if (recent.count >= FEWEST && recent.count % AGAIN == 0) {
                long[] sorted = Arrays.copyOf(recent.nanos, (int) Math.min(KEPT, recent.count));
                Arrays.sort(sorted);
                recent.late = sorted[(int) Math.min(sorted.length - 1, (long) (sorted.length * quantile))];
            }
        } finally {
            recent.lock.unlock();
        }
    }
}
