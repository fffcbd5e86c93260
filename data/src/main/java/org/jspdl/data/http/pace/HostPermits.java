package org.jspdl.data.http.pace;

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/// How many requests to a host may run at once: fewer after it has said that there are too many, more again while it
/// answers well ("additive increase, multiplicative decrease", as TCP does it). Thread-safe.
///
/// Requests that were sent together are told together, so what they say counts once: a decrease is followed by the next
/// after as many answers as there were permits, no sooner.
public final class HostPermits extends Semaphore {
    private static final long serialVersionUID = 1L;
    private static final double KEPT = 0.7;

    private final int most;
    private final ReentrantLock adapting = new ReentrantLock();
    private double limit;
    private int granted;
    private long deaf;

    /// @param most no more requests run at once
    public HostPermits(int most) {
        super(most);
        this.most = most;
        this.limit = most;
        this.granted = most;
    }

    /// A request was answered well.
    public void answered() {
        if (granted == most) {
            return; // as most of the time; a stale look costs one step
        }
        adapting.lock();
        try {
            deaf--;
            set(Math.min(most, limit + 1 / limit));
        } finally {
            adapting.unlock();
        }
    }

    /// The host said that there are too many requests.
    public void throttled() {
        adapting.lock();
        try {
            if (--deaf < 0) {
                deaf = granted;
                set(Math.max(1, limit * KEPT));
            }
        } finally {
            adapting.unlock();
        }
    }

    private void set(double newLimit) {
        limit = newLimit;
        int now = (int) limit;
        if (now > granted) {
            release(now - granted);
        } else if (now < granted) {
            reducePermits(granted - now);
        }
        granted = now;
    }

    /// How many there are at the moment.
    public int limit() {
        adapting.lock();
        try {
            return granted;
        } finally {
            adapting.unlock();
        }
    }
}
