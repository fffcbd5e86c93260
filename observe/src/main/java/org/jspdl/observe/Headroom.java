package org.jspdl.observe;

import java.util.Locale;

/// How much faster training could be with perfect data loading.
///
/// @param loaded batches per second with the pipeline
/// @param kept   batches per second of the same consumer with batches from memory
public record Headroom(double loaded, double kept) {
    /// How many batches are kept to be fed again.
    static final int KEPT = 8;

    /// The part of the consumer's time that perfect loading would save, between 0 and 1.
    public double share() {
        return kept <= loaded ? 0 : 1 - loaded / kept;
    }

    @Override
    public String toString() {
        String verdict = share() < 0.05
                ? "loading is fast enough"
                : share() < 0.1 ? "there is little to gain" : "faster loading is worth it";
        return String.format(
                Locale.ROOT,
                "%.1f batches/s, %.1f batches/s from memory: headroom %.0f %% of the time; %s",
                loaded,
                kept,
                100 * share(),
                verdict);
    }
}
