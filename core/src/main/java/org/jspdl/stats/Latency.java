package org.jspdl.stats;

import java.time.Duration;
import java.util.Arrays;

/// How long calls took: a histogram of eight steps to each power of two nanoseconds, up to 2^44 (about five hours).
///
/// Percentiles are off by at most 7 %. Immutable.
public final class Latency {
    private static final int STEPS = 8;
    /// How many steps there are.
    public static final int BUCKETS = STEPS * 42;
    /// No calls.
    public static final Latency NONE = new Latency(new long[BUCKETS], 0);

    private final long[] counts;
    private final long calls;
    private final long maxNanos;

    private Latency(long[] counts, long maxNanos) {
        this.counts = counts;
        this.calls = Arrays.stream(counts).sum();
        this.maxNanos = maxNanos;
    }

    /// The latency of calls that were counted by [#bucketOf].
    ///
    /// @param counts   calls in each step; copied
    /// @param maxNanos the longest call
    public static Latency of(long[] counts, long maxNanos) {
        return new Latency(Arrays.copyOf(counts, BUCKETS), maxNanos);
    }

    /// The step that a call of `nanos` counts in.
    public static int bucketOf(long nanos) {
        if (nanos < STEPS) {
            return (int) Math.max(0, nanos);
        }
        int power = 63 - Long.numberOfLeadingZeros(nanos);
        int index = (power - 2) * STEPS + (int) ((nanos >>> (power - 3)) & (STEPS - 1));
        return Math.min(index, BUCKETS - 1);
    }

    /// The middle of a step, in nanoseconds.
    private static long middle(int bucket) {
        if (bucket < STEPS) {
            return bucket;
        }
        int power = bucket / STEPS + 2;
        long step = 1L << (power - 3);
        return (1L << power) + (bucket % STEPS) * step + step / 2;
    }

    /// Calls that were counted.
    public long calls() {
        return calls;
    }

    /// Half of the calls took at most this long; zero before the first call.
    public Duration p50() {
        return percentile(0.5);
    }

    /// Nine of ten calls took at most this long.
    public Duration p90() {
        return percentile(0.9);
    }

    /// 99 of 100 calls took at most this long.
    public Duration p99() {
        return percentile(0.99);
    }

    /// The longest call; of an interval, the longest since the run started.
    public Duration max() {
        return Duration.ofNanos(maxNanos);
    }

    /// This share of the calls, between 0 and 1, took at most this long.
    public Duration percentile(double share) {
        long rank = (long) Math.ceil(calls * share);
        long seen = 0;
        for (int i = 0; i < BUCKETS && rank > 0; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Duration.ofNanos(Math.min(middle(i), maxNanos));
            }
        }
        return Duration.ZERO;
    }

    /// The calls counted here and not in `earlier`, a snapshot of the same stage.
    public Latency since(Latency earlier) {
        long[] difference = new long[BUCKETS];
        for (int i = 0; i < BUCKETS; i++) {
            difference[i] = Math.max(0, counts[i] - earlier.counts[i]);
        }
        return new Latency(difference, maxNanos);
    }

    @Override
    public String toString() {
        return "Latency[p50 " + p50() + ", p90 " + p90() + ", p99 " + p99() + ", max " + max() + "]";
    }
}
