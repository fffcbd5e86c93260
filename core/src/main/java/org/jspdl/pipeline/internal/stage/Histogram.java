package org.jspdl.pipeline.internal.stage;

import java.util.List;
import org.jspdl.stats.Latency;

/// Counts of durations, in the steps of [Latency].
///
/// Written by one thread at a time; a reader may miss the latest counts. A stage may have ten thousand of these, so the
/// steps are allocated eight at a time as they are needed: calls of one stage take about equally long.
public final class Histogram {
    private static final int OCTAVE = 8;

    private final long[][] octaves = new long[Latency.BUCKETS / OCTAVE][];
    private long max;

    public void record(long nanos) {
        int bucket = Latency.bucketOf(nanos);
        long[] octave = octaves[bucket / OCTAVE];
        if (octave == null) {
            octave = new long[OCTAVE];
            octaves[bucket / OCTAVE] = octave;
        }
        octave[bucket % OCTAVE]++;
        if (nanos > max) {
            max = nanos;
        }
    }

    /// All of `histograms` together.
    public static Latency latency(List<Histogram> histograms) {
        long[] sum = new long[Latency.BUCKETS];
        long max = 0;
        for (Histogram histogram : histograms) {
            max = Math.max(max, histogram.max);
            for (int i = 0; i < sum.length; i++) {
                long[] octave = histogram.octaves[i / OCTAVE];
                sum[i] += octave == null ? 0 : octave[i % OCTAVE];
            }
        }
        return Latency.of(sum, max);
    }
}
