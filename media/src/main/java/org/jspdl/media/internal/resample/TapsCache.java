package org.jspdl.media.internal.resample;

/// Tables of one kind (say, luma rows) that were built before; a table in the way of another is rebuilt in place.
final class TapsCache {
    private static final int SIZE = 64;

    private final FilterTaps[] tables = new FilterTaps[SIZE];

    TapsCache() {
        for (int i = 0; i < SIZE; i++) {
            tables[i] = new FilterTaps();
        }
    }

    /// The table for these parameters, valid until the next call.
    FilterTaps get(ResampleAxis axis, int samples, Upsampling upsampling, ResampleFilter filter, Precision precision) {
        int hash = ((axis.hashCode() * 31 + samples) * 31 + upsampling.ordinal()) * 31 + filter.ordinal();
        FilterTaps taps = tables[(hash * 0x9E3779B9) >>> 26];
        if (!taps.is(axis, samples, upsampling, filter, precision)) {
            taps.build(axis, samples, upsampling, filter, precision);
        }
        return taps;
    }
}
