package org.jspdl.data.http.pace;

import java.util.concurrent.locks.ReentrantLock;

/// How many retries are left, over all reads of a storage: each request earns a share of one, and so does time. A retry
/// that succeeds earns two, so that many reads which waited for a storage do not wait for each other once it is well.
///
/// When nearly everything fails, what is sent falls to the share of a request that time earns, however many reads wait;
/// a storage in trouble is not pushed further down. Thread-safe.
public final class RetryBudget {
    private static final double RESERVE = 50;
    private static final double EARNED_PER_SECOND = 10;
    private static final double EARNED_BY_SUCCESS = 2;

    private final double perRequest;
    private final ReentrantLock lock = new ReentrantLock();
    private double tokens = RESERVE;
    private long earnedAt;

    /// @param now of [System#nanoTime], as everywhere here
    public RetryBudget(double perRequest, long now) {
        this.perRequest = perRequest;
        this.earnedAt = now;
    }

    public void requested() {
        lock.lock();
        try {
            tokens = Math.min(RESERVE, tokens + perRequest);
        } finally {
            lock.unlock();
        }
    }

    /// A retry was answered well.
    public void retrySucceeded() {
        lock.lock();
        try {
            tokens = Math.min(RESERVE, tokens + EARNED_BY_SUCCESS);
        } finally {
            lock.unlock();
        }
    }

    /// Whether a retry may be sent now; it is paid for then.
    public boolean takeRetry(long now) {
        lock.lock();
        try {
            tokens = Math.min(RESERVE, tokens + (now - earnedAt) / 1e9 * EARNED_PER_SECOND);
            earnedAt = now;
            if (tokens < 1) {
                return false;
            }
            tokens--;
            return true;
        } finally {
            lock.unlock();
        }
    }
}
