package org.jspdl.plan.internal;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Numbers of bytes as plans write them: a whole number and a unit.
public final class ByteSizes {
    private static final Pattern FORM = Pattern.compile("(\\d{1,15}) ?(B|KiB|MiB|GiB|TiB|kB|MB|GB|TB)");

    private ByteSizes() {}

    private static Map<String, Long> units() {
        return Map.of(
                "B", 1L,
                "KiB", 1L << 10,
                "MiB", 1L << 20,
                "GiB", 1L << 30,
                "TiB", 1L << 40,
                "kB", 1_000L,
                "MB", 1_000_000L,
                "GB", 1_000_000_000L,
                "TB", 1_000_000_000_000L);
    }

    /// The bytes that `text` says; empty if it says none, or more than a `long` holds.
    public static Optional<Long> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long unit = units().getOrDefault(matcher.group(2), 1L);
        long number = Long.parseLong(matcher.group(1));
        return number > Long.MAX_VALUE / unit ? Optional.empty() : Optional.of(number * unit);
    }
}
