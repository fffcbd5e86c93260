package org.jspdl.observe.text;

import java.time.Duration;
import java.util.Locale;

/// Numbers as people read them.
public final class Figures {
    private static final int MOST_PLACES = 6;
    private static final long LONG_SECONDS = 600;

    private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};
    /// Beyond it, a double has no place for decimals.
    private static final double EXACT = 1e9;
    private static final int GROUP = 3;

    private Figures() {}

    /// `1,234`.
    public static String count(long number) {
        return number > -POWERS[GROUP] && number < POWERS[GROUP]
                ? Long.toString(number)
                : grouped(
                        new StringBuilder(Long.toString(number)),
                        Long.toString(number).length());
    }

    /// `1234.50`: a number with so many decimals, 6 at most, rounded half up. Written digit by digit: a format is
    /// parsed at each call, and a live view writes a hundred numbers a second in code that is not compiled yet.
    public static String decimal(double number, int places) {
        if (!Double.isFinite(number)) {
            return "?";
        }
        if (Math.abs(number) >= EXACT) {
            return String.format(Locale.ROOT, "%." + places + "f", number);
        }
        long scaled = Math.round(Math.abs(number) * POWERS[places]);
        StringBuilder digits = new StringBuilder(16);
        digits.append(number < 0 && scaled > 0 ? "-" : "").append(scaled / POWERS[places]);
        if (places > 0) {
            digits.append('.');
            long rest = scaled % POWERS[places];
            for (int i = places - 1; i >= 0; i--) {
                digits.append((char) ('0' + rest / POWERS[i] % 10));
            }
        }
        return digits.toString();
    }

    /// @param end where the whole digits end
    private static String grouped(StringBuilder digits, int end) {
        int first = digits.charAt(0) == '-' ? 1 : 0;
        for (int i = end - GROUP; i > first; i -= GROUP) {
            digits.insert(i, ',');
        }
        return digits.toString();
    }

    private static String groupedDecimal(double number, int places) {
        String digits = decimal(number, places);
        int dot = digits.indexOf('.');
        int end = dot < 0 ? digits.length() : dot;
        return end <= GROUP || !Double.isFinite(number) ? digits : grouped(new StringBuilder(digits), end);
    }

    /// `1 batch`, `1,234 batches`.
    public static String counted(long number, String one, String several) {
        return count(number) + " " + (number == 1 ? one : several);
    }

    /// `1,234` of something, `12.3` if there are few, or `0.042` if it takes longer than a second.
    public static String rate(double perSecond) {
        if (perSecond > 0 && perSecond < 0.95) {
            int places = 1 - (int) Math.floor(Math.log10(perSecond));
            return decimal(perSecond, Math.min(places, MOST_PLACES));
        }
        return perSecond < 100 ? decimal(perSecond, 1) : groupedDecimal(perSecond, 0);
    }

    /// `12.3 MiB`.
    public static String bytes(long bytes) {
        return groupedDecimal(bytes / 1048576.0, 1) + " MiB";
    }

    /// `850 us`, `1.25 ms`, `3.10 s` or `12 min 05 s`.
    public static String time(Duration duration) {
        if (duration.toSeconds() >= LONG_SECONDS) {
            return remaining(duration.toMillis() / 1e3);
        }
        double micros = duration.toNanos() / 1e3;
        if (micros < 1_000) {
            return decimal(micros, 0) + " us";
        }
        return micros < 1e6 ? decimal(micros / 1e3, 2) + " ms" : decimal(micros / 1e6, 2) + " s";
    }

    /// `42 %`.
    public static String share(double part) {
        return decimal(100 * part, 0) + " %";
    }

    /// `4 s`, `2 min 05 s` or `3 h 12 min`.
    public static String remaining(double seconds) {
        long whole = Math.round(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        return whole < 3600
                ? whole / 60 + " min " + twoDigits(whole % 60) + " s"
                : whole / 3600 + " h " + twoDigits(whole % 3600 / 60) + " min";
    }

    private static String twoDigits(long number) {
        return number < 10 ? "0" + number : Long.toString(number);
    }
}
