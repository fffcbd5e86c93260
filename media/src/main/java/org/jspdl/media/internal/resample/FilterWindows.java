package org.jspdl.media.internal.resample;

/// Which samples every output pixel of an axis is made of: those within the filter's reach of its center, and within
/// the box. Mutable and reused; used by one thread at a time.
final class FilterWindows {
    private ResampleAxis axis = new ResampleAxis(0, 0, 0, 0, 0, 0, false);
    private ResampleFilter filter = ResampleFilter.BILINEAR;
    private double ratio;
    private double spread;
    private double support;
    private int lowerBound;
    private int upperBound;

    private double[] weights = new double[16];
    private double center;
    private int low;
    private int high;

    /// Turns to an axis.
    void begin(ResampleAxis axis, ResampleFilter filter) {
        this.axis = axis;
        this.filter = filter;
        ratio = axis.ratio();
        spread = Math.max(ratio, 1);
        support = filter.radius() * spread;
        lowerBound = Math.max(0, (int) Math.floor(axis.boxStart()));
        upperBound = Math.min(axis.length(), (int) Math.ceil(axis.boxStart() + axis.boxLength()));
    }

    /// How far the filter reaches, in samples.
    double support() {
        return support;
    }

    /// Turns to output pixel `i`.
    void at(int i) {
        int pixel = axis.start() + (axis.flipped() ? axis.count() - 1 - i : i);
        center = axis.boxStart() + (pixel + 0.5) * ratio;
        low = Math.clamp((int) Math.floor(center - support + 0.5), lowerBound, upperBound - 1);
        high = Math.clamp((int) Math.floor(center + support + 0.5), low + 1, upperBound);
        weigh();
    }

    /// The first sample of this pixel.
    int low() {
        return low;
    }

    /// One past the last sample of this pixel.
    int high() {
        return high;
    }

    /// The weight of sample `k` of this pixel; all of them sum to one.
    double weight(int k) {
        return weights[k - low];
    }

    private void weigh() {
        int count = high - low;
        if (weights.length < count) {
            weights = new double[2 * count];
        }
        double sum = 0;
        for (int k = 0; k < count; k++) {
            weights[k] = filter.at((low + k + 0.5 - center) / spread);
            sum += weights[k];
        }
        double scale = 1 / sum;
        for (int k = 0; k < count; k++) {
            weights[k] = sum == 0 ? 1.0 / count : weights[k] * scale;
        }
    }
}
