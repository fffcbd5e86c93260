package org.jspdl.internal;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Locale;

/// Checks arguments where they are given. Messages name the argument and the value.
public final class Arguments {
    /// Longer times are as good as this one, and would overflow a count of nanoseconds.
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private Arguments() {}

    /// `value`, which is from 1 to `most`.
    public static int inRange(String argument, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "%s must be from 1 to %,d but was %,d", argument, most, value));
        }
        return value;
    }

    /// `value`, which is at least 1.
    public static long atLeastOne(String argument, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(argument + " must be at least 1 but was " + value);
        }
        return value;
    }

    /// `value`, which is at least 0.
    public static long notNegative(String argument, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(argument + " must not be negative but was " + value);
        }
        return value;
    }

    /// Checks that `rank` is one of `worldSize` ranks.
    public static void rank(int rank, int worldSize) {
        if (worldSize < 1 || rank < 0 || rank >= worldSize) {
            throw new IllegalArgumentException(
                    "rank must be in [0, worldSize) but rank was " + rank + " and worldSize " + worldSize);
        }
    }

    /// `value`, which is not negative; at most 100 years.
    public static Duration notNegative(String argument, Duration value) {
        if (requireNonNull(value, argument).isNegative()) {
            throw new IllegalArgumentException(argument + " must not be negative but was " + value);
        }
        return bounded(value);
    }

    /// `value`, which is above 0; at most 100 years.
    public static Duration positive(String argument, Duration value) {
        if (!requireNonNull(value, argument).isPositive()) {
            throw new IllegalArgumentException(argument + " must be positive but was " + value);
        }
        return bounded(value);
    }

    private static Duration bounded(Duration value) {
        return value.compareTo(FOREVER) > 0 ? FOREVER : value;
    }

    /// `name`, which is not blank.
    public static String name(String argument, String name) {
        if (requireNonNull(name, argument).isBlank()) {
            throw new IllegalArgumentException(argument + " must not be blank but was '" + name + "'");
        }
        return name;
    }
}
