package org.jspdl.media.internal.resample;

import java.util.Arrays;

/// For every output pixel of an axis, which samples of a plane it is the sum of, with weights that sum to one.
///
/// A subsampled plane is enlarged and reduced in one step: its weights are those of the full-resolution filter applied
/// to the decoder's own interpolation, so the result equals decoding at full resolution first. Mutable, so that a table
/// can be rebuilt without allocating; used by one thread at a time.
final class FilterTaps {
    private final FilterWindows windows = new FilterWindows();
    private ResampleAxis axis = new ResampleAxis(0, 0, 0, 0, 0, 0, false);
    private Upsampling upsampling = Upsampling.NONE;
    private ResampleFilter filter = ResampleFilter.BILINEAR;
    private Precision precision = Precision.FINE;
    private int samples;
    private int[] first = new int[0];
    private int[] count = new int[0];
    private short[] weights = new short[0];
    private double[] exact = new double[0];
    private int stride;
    private int lowest;
    private int end;
    private int most;

    boolean is(ResampleAxis axis, int samples, Upsampling upsampling, ResampleFilter filter, Precision precision) {
        return this.samples == samples
                && this.precision == precision
                && this.upsampling == upsampling
                && this.filter == filter
                && this.axis.equals(axis);
    }

    /// The first sample of output pixel `i`.
    int first(int i) {
        return first[i];
    }

    /// How many samples output pixel `i` is the sum of: at least one.
    int count(int i) {
        return count[i];
    }

    /// Whether weights are for [WideSwarSum], in units of `1 / 2^14`, rather than for [SwarSum], in 1/256 and not
    /// negative.
    boolean isWide() {
        return precision.isWide();
    }

    /// The weight of sample `first(i) + k`.
    long weight(int i, int k) {
        return weights[i * stride + k];
    }

    /// The first sample that any output pixel needs.
    int lowest() {
        return lowest;
    }

    /// One past the last sample that any output pixel needs.
    int end() {
        return end;
    }

    /// The most samples that one output pixel is the sum of.
    int most() {
        return most;
    }

    /// Makes this the table for `axis` over a plane of `samples` samples.
    void build(ResampleAxis axis, int samples, Upsampling upsampling, ResampleFilter filter, Precision precision) {
        this.precision = precision;
        this.axis = axis;
        this.samples = samples;
        this.upsampling = upsampling;
        this.filter = filter;
        windows.begin(axis, filter);
        stride = Math.min(2 * (int) Math.min(Math.ceil(windows.support()), samples) + 4, samples + 4);
        int outputs = axis.count();
        if (first.length < outputs) {
            first = new int[outputs];
            count = new int[outputs];
        }
        if (weights.length < outputs * stride) {
            weights = new short[outputs * stride];
        }
        if (exact.length < stride) {
            exact = new double[stride];
        }
        lowest = Integer.MAX_VALUE;
        end = 0;
        most = 0;
        for (int i = 0; i < outputs; i++) {
            windows.at(i);
            pixel(i);
        }
    }

    private void pixel(int i) {
        int low = windows.low();
        int high = windows.high();
        int from = upsampling.lowest(low, samples);
        int to = upsampling.highest(high - 1, samples) + 1;
        Arrays.fill(exact, 0, to - from, 0);
        for (int k = low; k < high; k++) {
            upsampling.spread(k, windows.weight(k), from, samples, exact);
        }
        quantize(i, from, to - from);
    }

    /// Rounds the exact weights so that they sum to one, carrying each rounding error to the next, and drops what
    /// is too small to be seen at the ends: a sum of one row less is a good part of the work.
    private void quantize(int i, int from, int n) {
        int base = i * stride;
        int unit = precision.isWide() ? 1 << WideSwarSum.BITS : 256;
        int begin = 0;
        int last = n - 1;
        double negligible = precision.negligible() / Math.max(1, n / 4);
        for (; begin < last && exact[begin] < negligible && !precision.isWide(); begin++) {
            exact[begin + 1] += exact[begin];
        }
        for (; last > begin && exact[last] < negligible && !precision.isWide(); last--) {
            exact[last - 1] += exact[last];
        }
        double carry = 0;
        int used = 0;
        for (int k = begin; k <= last; k++) {
            double wanted = exact[k] * unit + carry;
            long weight = Math.round(wanted);
            carry = wanted - weight;
            weights[base + k - begin] = (short) weight;
            used = weight == 0 ? used : k - begin + 1;
        }
        first[i] = from + begin;
        count[i] = used;
        lowest = Math.min(lowest, first[i]);
        end = Math.max(end, first[i] + used);
        most = Math.max(most, used);
    }
}
