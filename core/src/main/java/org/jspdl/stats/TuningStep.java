package org.jspdl.stats;

import java.time.Duration;
import java.util.Locale;

/// One decision of a run's tuner.
///
/// @param at        when, from the start of the run
/// @param kind      what was decided
/// @param stage     the stage that changes; empty if none does
/// @param what      `concurrency` or `buffer`; empty if nothing changes
/// @param from      the value before
/// @param to        the value after
/// @param predicted throughput after the change as part of that before, by the model; 0 if nothing was predicted
/// @param measured  throughput after the change as part of that before, as it was measured; 0 if nothing was
/// @param why       the reason, for a person
public record TuningStep(
        Duration at,
        Kind kind,
        String stage,
        String what,
        int from,
        int to,
        double predicted,
        double measured,
        String why) {

    /// What a tuner decides.
    public enum Kind {
        /// A change is made, to be measured.
        TRIED,
        /// The change stays.
        KEPT,
        /// The change is undone.
        REVERTED,
        /// A change is made at once, because a budget is nearly used up.
        YIELDED,
        /// Nothing is expected to help any more.
        SETTLED,
        /// The work has changed, so the tuner begins again.
        WOKEN
    }

    @Override
    public String toString() {
        String change = stage.isEmpty() ? "" : " " + what + " of '" + stage + "' from " + from + " to " + to;
        return kind.name().toLowerCase(Locale.ROOT) + change + ": " + why;
    }
}
