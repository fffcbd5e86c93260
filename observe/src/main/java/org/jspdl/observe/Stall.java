package org.jspdl.observe;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspdl.stats.RemoteRequest;

/// A time for which the consumer waited for a batch, and its causes: what happened to the item of the batch that came
/// last.
///
/// @param batch   which batch of the run, counted from 0
/// @param at      when it came, from the start of the run
/// @param stalled how long the consumer had waited
/// @param causes  what happened meanwhile, longest first; together as long as the stall
public record Stall(long batch, Duration at, Duration stalled, List<Cause> causes) {
    /// Causes of a smaller part of the stall are not shown.
    private static final double WORTH_TELLING = 0.02;

    /// A part of a stall.
    ///
    /// @param kind  what the item was doing
    /// @param stage where
    /// @param time  how long, within the stall
    /// @param item  what the item says that it is ([Object#toString]), such as a file; of [Kind#HELD_BACK] the item
    ///     before it that took most of the time by itself, if one did. Empty where it was not asked, because it was
    ///     neither worked on for a millisecond nor awaited from the source, or says nothing
    /// @param request what another machine was asked for meanwhile, for the longest part of the time; empty if
    ///     nothing was, or the watch has no log of requests. That of a source may have been for another item
    public record Cause(Kind kind, String stage, Duration time, String item, Optional<RemoteRequest> request) {
        /// A part in which no request is known.
        public Cause(Kind kind, String stage, Duration time, String item) {
            this(kind, stage, time, item, Optional.empty());
        }

        /// A part in which no item is named.
        public Cause(Kind kind, String stage, Duration time) {
            this(kind, stage, time, "");
        }

        @Override
        public String toString() {
            String what = switch (kind) {
                case WORKING -> "in '" + stage + "'" + (item.isEmpty() ? "" : " of " + item);
                case QUEUED -> "queued for '" + stage + "'";
                case HELD_BACK ->
                    "in '" + stage + "' of items before it" + (item.isEmpty() ? "" : ", mostly of " + item);
                case NOT_READ -> "in '" + stage + "'" + (item.isEmpty() ? "" : " for " + item);
            };
            return millis(time) + " " + what + request.map(this::asked).orElse("");
        }

        private String asked(RemoteRequest sent) {
            String text = item.contains(sent.location()) ? sent.text() : sent.toString();
            return " (" + (kind == Kind.NOT_READ ? "meanwhile " : "") + text + ")";
        }
    }

    /// What happened to the item.
    public enum Kind {
        /// A function worked on it.
        WORKING,
        /// It was queued for the stage.
        QUEUED,
        /// The source had not emitted it yet.
        NOT_READ,
        /// The source was not asked for it yet: the stage worked on items before it, and no more fit into the
        /// queues.
        HELD_BACK
    }

    @Override
    public String toString() {
        String text = causesText();
        return "batch " + batch + " stalled " + millis(stalled) + (text.isEmpty() ? "" : ": " + text);
    }

    /// The larger causes, as words.
    String causesText() {
        return causes.stream()
                .filter(cause -> cause.time.toNanos() >= WORTH_TELLING * stalled.toNanos())
                .map(Cause::toString)
                .collect(Collectors.joining(", "));
    }

    private static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
    }
}
