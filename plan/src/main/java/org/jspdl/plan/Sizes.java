package org.jspdl.plan;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Numbers of bytes as plans write them: a whole number and a unit.
final class Sizes {
    private static final Pattern FORM = Pattern.compile("(\\d{1,15}) ?(B|KiB|MiB|GiB|TiB|kB|MB|GB|TB)");

    private Sizes() {}

    /// Units of 1,024 before those of 1,000, each from the largest to the smallest.
    private static Map<String, Long> units() {
        Map<String, Long> units = new LinkedHashMap<>();
        units.put("TiB", 1L << 40);
        units.put("GiB", 1L << 30);
        units.put("MiB", 1L << 20);
        units.put("KiB", 1L << 10);
        units.put("TB", 1_000_000_000_000L);
        units.put("GB", 1_000_000_000L);
        units.put("MB", 1_000_000L);
        units.put("kB", 1_000L);
        units.put("B", 1L);
        return units;
    }

    /// The bytes that `text` says; empty if it says none, or more than a `long` holds.
    static Optional<Long> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long unit = units().getOrDefault(matcher.group(2), 1L);
        long number = Long.parseLong(matcher.group(1));
        return number > Long.MAX_VALUE / unit ? Optional.empty() : Optional.of(number * unit);
    }

    /// `bytes` in the first unit of which they are a whole number.
    static String format(long bytes) {
        for (Map.Entry<String, Long> unit : units().entrySet()) {
            if (bytes > 0 && bytes % unit.getValue() == 0) {
                return bytes / unit.getValue() + unit.getKey();
            }
        }
        return bytes + "B";
    }
}
