package org.jspdl.observe;

import java.util.Locale;

/// What data loading could still gain.
///
/// @param loaded deliveries per second that the consumer takes from the pipeline
/// @param kept   deliveries per second that the same consumer takes from memory
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
                : share() < 0.1 ? "there is little to gain" : "faster loading is worth the work";
        return String.format(
                Locale.ROOT,
                "%.1f deliveries a second, %.1f from memory: perfect loading would save %.0f %% of the time; %s",
                loaded,
                kept,
                100 * share(),
                verdict);
    }
}
