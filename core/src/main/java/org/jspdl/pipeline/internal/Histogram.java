package org.jspdl.pipeline.internal;

import java.time.Duration;
import java.util.List;
import org.jspdl.stats.Latency;

/// Counts of durations in eight steps to each power of two nanoseconds, up to 2^44 (about five hours).
///
/// Written by one thread at a time; a reader may miss the latest counts.
final class Histogram {
    private static final int STEPS = 8;
    private static final int POWERS = 42;

    private final int[] counts = new int[STEPS * POWERS];
    private long max;

    void record(long nanos) {
        counts[indexOf(nanos)]++;
        if (nanos > max) {
            max = nanos;
        }
    }

    private static int indexOf(long nanos) {
        if (nanos < STEPS) {
            return (int) Math.max(0, nanos);
        }
        int power = 63 - Long.numberOfLeadingZeros(nanos);
        int index = (power - 2) * STEPS + (int) ((nanos >>> (power - 3)) & (STEPS - 1));
        return Math.min(index, STEPS * POWERS - 1);
    }

    /// The middle of a step, in nanoseconds.
    private static long valueOf(int index) {
        if (index < STEPS) {
            return index;
        }
        int power = index / STEPS + 2;
        long step = 1L << (power - 3);
        return (1L << power) + (index % STEPS) * step + step / 2;
    }

    /// The percentiles of all of `histograms` together.
    static Latency latency(List<Histogram> histograms) {
        long[] sum = new long[STEPS * POWERS];
        long total = 0;
        long max = 0;
        for (Histogram histogram : histograms) {
            max = Math.max(max, histogram.max);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += histogram.counts[i];
                total += histogram.counts[i];
            }
        }
        if (total == 0) {
            return Latency.NONE;
        }
        return new Latency(
                percentile(sum, total, 0.5, max),
                percentile(sum, total, 0.9, max),
                percentile(sum, total, 0.99, max),
                Duration.ofNanos(max));
    }

    private static Duration percentile(long[] counts, long total, double share, long max) {
        long rank = (long) Math.ceil(total * share);
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Duration.ofNanos(Math.min(valueOf(i), max));
            }
        }
        return Duration.ofNanos(max);
    }
}
