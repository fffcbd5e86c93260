package org.jspdl.observe;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// How long the consumer waited for one delivery, and for what: the way of the item that came last into it, followed
/// backwards.
///
/// @param delivery which delivery of the run, counted from 0
/// @param at       when it came, from the start of the run
/// @param waited   how long the consumer had waited
/// @param causes   what went on meanwhile, longest first; together as long as the wait
public record Wait(long delivery, Duration at, Duration waited, List<Cause> causes) {
    /// Parts of a wait that are shorter than this part of it go without saying.
    private static final double WORTH_TELLING = 0.02;

    /// A part of a wait.
    ///
    /// @param kind  what the item was doing
    /// @param stage where
    /// @param time  how long, within the wait
    public record Cause(Kind kind, String stage, Duration time) {
        @Override
        public String toString() {
            String what = switch (kind) {
                case WORKED_ON -> "in '" + stage + "'";
                case WAITED -> "waiting for '" + stage + "'";
                case NOT_YET_READ -> "before it came from '" + stage + "'";
            };
            return millis(time) + " " + what;
        }
    }

    /// What the item that was waited for was doing.
    public enum Kind {
        /// A function worked on it.
        WORKED_ON,
        /// It had been through the stage before and waited for this one's turn.
        WAITED,
        /// The source had not yielded it yet.
        NOT_YET_READ
    }

    @Override
    public String toString() {
        String parts = causes.stream()
                .filter(cause -> cause.time.toNanos() >= WORTH_TELLING * waited.toNanos())
                .map(Cause::toString)
                .collect(Collectors.joining(", "));
        return "delivery " + delivery + " was waited for " + millis(waited) + (parts.isEmpty() ? "" : ": " + parts);
    }

    private static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
    }
}
