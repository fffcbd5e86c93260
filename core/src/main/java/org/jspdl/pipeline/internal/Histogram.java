package org.jspdl.pipeline.internal;

import java.util.List;
import org.jspdl.stats.Latency;

/// Counts of durations, in the steps of [Latency].
///
/// Written by one thread at a time; a reader may miss the latest counts.
final class Histogram {
    private final long[] counts = new long[Latency.BUCKETS];
    private long max;

    void record(long nanos) {
        counts[Latency.bucketOf(nanos)]++;
        if (nanos > max) {
            max = nanos;
        }
    }

    /// All of `histograms` together.
    static Latency latency(List<Histogram> histograms) {
        long[] sum = new long[Latency.BUCKETS];
        long max = 0;
        for (Histogram histogram : histograms) {
            max = Math.max(max, histogram.max);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += histogram.counts[i];
            }
        }
        return Latency.of(sum, max);
    }
}
