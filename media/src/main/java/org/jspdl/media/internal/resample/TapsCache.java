package org.jspdl.media.internal.resample;

/// Tables of one kind (say, luma rows) that were built before; a table in the way of another is rebuilt in place.
final class TapsCache {
    // A table is some 6 KB, and each thread that decodes has four such caches; photographs of one camera need one
    // table.
    private static final int BITS = 4;
    private static final int SIZE = 1 << BITS;

    private final FilterTaps[] tables = new FilterTaps[SIZE];

    TapsCache() {
        for (int i = 0; i < SIZE; i++) {
            tables[i] = new FilterTaps();
        }
    }

    /// The table for these parameters, valid until the next call.
    FilterTaps get(ResampleAxis axis, int samples, Upsampling upsampling, ResampleFilter filter, Precision precision) {
        int hash = ((axis.hashCode() * 31 + samples) * 31 + upsampling.ordinal()) * 31 + filter.ordinal();
        FilterTaps taps = tables[(hash * 0x9E3779B9) >>> (Integer.SIZE - BITS)];
        if (!taps.is(axis, samples, upsampling, filter, precision)) {
            taps.build(axis, samples, upsampling, filter, precision);
        }
        return taps;
    }
}
