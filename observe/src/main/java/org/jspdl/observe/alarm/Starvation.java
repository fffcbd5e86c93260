package org.jspdl.observe.alarm;

import java.time.Duration;
import java.util.Locale;
import org.jspdl.stats.Bottleneck;

/// The trainer waits for data for more of its time than before, or no longer does.
///
/// @param kind       which of the two
/// @param at         when that was found, from the start of the run
/// @param waited     the part of the last window for which the consumer waited, from 0 to 1
/// @param before     the part of the time before the rise
/// @param bottleneck what limited the run in that window
public record Starvation(Kind kind, Duration at, double waited, double before, Bottleneck bottleneck) {
    /// What has happened.
    public enum Kind {
        /// It waits for more of its time.
        ROSE,
        /// It waits for about as much as before the rise.
        ENDED
    }

    @Override
    public String toString() {
        return kind == Kind.ROSE
                ? String.format(
                        Locale.ROOT,
                        "after %.0f s: the consumer waits for data for %.1f %% of the time, %.1f %% before. %s",
                        seconds(),
                        100 * waited,
                        100 * before,
                        bottleneck)
                : String.format(
                        Locale.ROOT,
                        "after %.0f s: the consumer waits for data for %.1f %% of the time again",
                        seconds(),
                        100 * waited);
    }

    private double seconds() {
        return at.toNanos() / 1e9;
    }
}
