package org.jspdl.media.internal.resample;

/// How exactly weighted sums are made.
public enum Precision {
    /// Weights of 14 bits, all of them, of any sign.
    EXACT(0),
    /// Weights of 8 bits that are not negative; an outermost weight below 8 % moves to its neighbor.
    FINE(0.08),
    /// As `FINE`, but below 15 %.
    COARSE(0.15);

    private final double negligible;

    Precision(double negligible) {
        this.negligible = negligible;
    }

    /// A weight at the end of a sum that is below this moves to its neighbor: one row less is a good part of the
    /// work.
    double negligible() {
        return negligible;
    }

    /// Whether weights are for [WideSwarSum], in units of `1 / 2^14`, rather than for [SwarSum], in 1/256 and not
    /// negative.
    boolean isWide() {
        return this == EXACT;
    }
}
