package org.jspdl.plan;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Times as plans write them: a whole number and a unit.
final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d{1,15}) ?(ns|us|ms|s|m|h)");

    private Durations() {}

    /// From the largest unit to the smallest.
    private static Map<String, ChronoUnit> units() {
        Map<String, ChronoUnit> units = new LinkedHashMap<>();
        units.put("h", ChronoUnit.HOURS);
        units.put("m", ChronoUnit.MINUTES);
        units.put("s", ChronoUnit.SECONDS);
        units.put("ms", ChronoUnit.MILLIS);
        units.put("us", ChronoUnit.MICROS);
        units.put("ns", ChronoUnit.NANOS);
        return units;
    }

    /// The time that `text` says; empty if it says none.
    static Optional<Duration> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.ofNullable(units().get(matcher.group(2)))
                        .map(unit -> Duration.of(Long.parseLong(matcher.group(1)), unit))
                : Optional.empty();
    }

    /// `time` in the largest unit of which it is a whole number.
    static String format(Duration time) {
        for (Map.Entry<String, ChronoUnit> unit : units().entrySet()) {
            Duration one = unit.getValue().getDuration();
            if (!time.isZero() && one.multipliedBy(time.dividedBy(one)).equals(time)) {
                return time.dividedBy(one) + unit.getKey();
            }
        }
        return "0s";
    }
}
