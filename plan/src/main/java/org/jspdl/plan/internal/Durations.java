package org.jspdl.plan.internal;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Times as plans write them: a whole number and a unit.
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d{1,15}) ?(ns|us|ms|s|m|h)");

    private Durations() {}

    private static Map<String, ChronoUnit> units() {
        return Map.of(
                "ns", ChronoUnit.NANOS,
                "us", ChronoUnit.MICROS,
                "ms", ChronoUnit.MILLIS,
                "s", ChronoUnit.SECONDS,
                "m", ChronoUnit.MINUTES,
                "h", ChronoUnit.HOURS);
    }

    /// The time that `text` says; empty if it says none.
    public static Optional<Duration> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.ofNullable(units().get(matcher.group(2)))
                        .map(unit -> Duration.of(Long.parseLong(matcher.group(1)), unit))
                : Optional.empty();
    }
}
