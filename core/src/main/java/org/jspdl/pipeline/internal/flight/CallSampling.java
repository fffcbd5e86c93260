package org.jspdl.pipeline.internal.flight;

/// Chooses the calls of one stage that become events, before anything is made for them.
///
/// Calls that may be long are all chosen, since an event costs a fraction of a percent of them; of short ones at most
/// [#PER_SECOND] a second are. Safe for use by any thread: a race between two of them chooses one call more.
public final class CallSampling {
    /// How many short calls of a stage are chosen in a second, at most.
    static final int PER_SECOND = 100;

    private static final long INTERVAL_NANOS = 1_000_000_000L / PER_SECOND;
    private static final long LONG_NANOS = 200_000;

    private volatile long last = System.nanoTime() - INTERVAL_NANOS;

    /// Whether a call that begins about `now`, by [System#nanoTime], and may take `expected` nanoseconds is chosen.
    public boolean chooses(long now, long expected) {
        if (expected >= LONG_NANOS) {
            return true;
        }
        if (now - last < INTERVAL_NANOS) {
            return false;
        }
        last = now;
        return true;
    }
}
