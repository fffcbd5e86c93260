package org.jspdl.media.internal.resample;

/// How one axis of a picture maps to one axis of the output: the samples of `[boxStart, boxStart + boxLength)` are
/// resized to `scaled` pixels, of which `count` from `start` on are wanted, in reverse order when flipped.
///
/// @param length    samples of the picture on this axis at full resolution
/// @param boxStart  where the box begins, in such samples
/// @param boxLength how long the box is, in such samples
/// @param scaled    how many pixels the box is resized to
/// @param start     the first wanted pixel
/// @param count     how many are wanted, all within `scaled`
/// @param flipped  whether the last wanted pixel comes first
public record ResampleAxis(
        int length, double boxStart, double boxLength, int scaled, int start, int count, boolean flipped) {
    // Written out, since they run for each picture from the first on: those that a record gets are made at run
    // time.
    @Override
    public boolean equals(Object other) {
        return other instanceof ResampleAxis that
                && length == that.length
                && Double.compare(boxStart, that.boxStart) == 0
                && Double.compare(boxLength, that.boxLength) == 0
                && scaled == that.scaled
                && start == that.start
                && count == that.count
                && flipped == that.flipped;
    }

    @Override
    public int hashCode() {
        int hash = 31 * length + Double.hashCode(boxStart);
        hash = 31 * hash + Double.hashCode(boxLength);
        hash = 31 * hash + scaled;
        hash = 31 * hash + start;
        hash = 31 * hash + count;
        return 31 * hash + Boolean.hashCode(flipped);
    }

    /// This axis over a picture that was decoded at `1 / reduce` of its size.
    public ResampleAxis reduced(int reduce) {
        return reduce == 1
                ? this
                : new ResampleAxis(
                        (length + reduce - 1) / reduce,
                        boxStart / reduce,
                        boxLength / reduce,
                        scaled,
                        start,
                        count,
                        flipped);
    }

    /// This axis seen from its other end: over a picture whose samples lie in the opposite order.
    public ResampleAxis reversed() {
        return new ResampleAxis(
                length, length - boxStart - boxLength, boxLength, scaled, scaled - start - count, count, !flipped);
    }

    /// This axis with the wanted pixels in ascending order.
    public ResampleAxis unflipped() {
        return flipped ? new ResampleAxis(length, boxStart, boxLength, scaled, start, count, false) : this;
    }

    /// One past the last sample that the wanted pixels may depend on, for filters that reach this many output
    /// pixels and planes that are subsampled by 2, decoded at `1 / reduce` of their size.
    public int end(int reach, int reduce) {
        double last = boxStart + (start + count) * ratio();
        double wanted = last + reach * Math.max(ratio(), reduce) + 4.0 * reduce;
        double boxEnd = Math.ceil(boxStart + boxLength) + 4.0 * reduce;
        return (int) Math.clamp(Math.ceil(Math.min(wanted, boxEnd)), 1, length);
    }

    /// The first sample that the wanted pixels may depend on, likewise.
    public int begin(int reach, int reduce) {
        double first = boxStart + start * ratio();
        double wanted = first - reach * Math.max(ratio(), reduce) - 4.0 * reduce;
        double boxBegin = Math.floor(boxStart) - 4.0 * reduce;
        return (int) Math.clamp(Math.floor(Math.max(wanted, boxBegin)), 0, length - 1);
    }

    /// Checks that a picture has as many samples as the axis is long: of another one, a part would be shown.
    ///
    /// @throws IllegalStateException if not
    void check(String what, int samples) {
        if (samples != length) {
            throw new IllegalStateException(
                    "a picture of " + samples + " " + what + " was decoded where there should be " + length);
        }
    }

    /// Source samples to one output pixel.
    public double ratio() {
        return boxLength / scaled;
    }
}
