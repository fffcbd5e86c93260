package org.jspdl.observe.text;

import java.time.Duration;
import java.util.Locale;

/// Numbers as people read them.
public final class Figures {
    private static final int MOST_PLACES = 6;
    private static final long LONG_SECONDS = 600;

    private Figures() {}

    /// `1,234`.
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /// `1 batch`, `1,234 batches`.
    public static String counted(long number, String one, String several) {
        return count(number) + " " + (number == 1 ? one : several);
    }

    /// `1,234` of something, `12.3` if there are few, or `0.042` if it takes longer than a second.
    public static String rate(double perSecond) {
        if (perSecond > 0 && perSecond < 0.95) {
            int places = 1 - (int) Math.floor(Math.log10(perSecond));
            return String.format(Locale.ROOT, "%." + Math.min(places, MOST_PLACES) + "f", perSecond);
        }
        return String.format(Locale.ROOT, perSecond < 100 ? "%.1f" : "%,.0f", perSecond);
    }

    /// `12.3 MiB`.
    public static String bytes(long bytes) {
        return String.format(Locale.ROOT, "%,.1f MiB", bytes / 1048576.0);
    }

    /// `850 us`, `1.25 ms`, `3.10 s` or `12 min 05 s`.
    public static String time(Duration duration) {
        if (duration.toSeconds() >= LONG_SECONDS) {
            return remaining(duration.toMillis() / 1e3);
        }
        double micros = duration.toNanos() / 1e3;
        if (micros < 1_000) {
            return String.format(Locale.ROOT, "%.0f us", micros);
        }
        return micros < 1e6
                ? String.format(Locale.ROOT, "%.2f ms", micros / 1e3)
                : String.format(Locale.ROOT, "%.2f s", micros / 1e6);
    }

    /// `42 %`.
    public static String share(double part) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * part);
    }

    /// `4 s`, `2 min 05 s` or `3 h 12 min`.
    public static String remaining(double seconds) {
        long whole = Math.round(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        return whole < 3600
                ? String.format(Locale.ROOT, "%d min %02d s", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d h %02d min", whole / 3600, whole % 3600 / 60);
    }
}
