package org.jspdl.data.http.pace;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspdl.data.storage.StorageOptions;

/// How long to wait before a retry: any time up to a bound that doubles ("full jitter"), and at least what the server
/// asked for.
public final class Backoff {
    /// More than any deadline.
    private static final Duration LONGEST = Duration.ofDays(1);

    private Backoff() {}

    /// Nanoseconds before the `retry`-th retry, counted from 1. Near the deadline the waits become shorter, so that
    /// the last attempt is made close to it.
    ///
    /// @param asked what the server asked for; zero if it did not
    /// @param left  nanoseconds until the deadline
    public static long nanos(StorageOptions.Retries options, int retry, Duration asked, long left) {
        double doubled = options.firstPause().toNanos() * Math.pow(2, Math.min(retry - 1, 40));
        long bound = (long) Math.min((double) options.longestPause().toNanos(), doubled);
        if (asked.isZero()) {
            return ThreadLocalRandom.current().nextLong(Math.clamp(left, 1, bound));
        }
        // those who were told the same moment do not come back together
        return asked.toNanos() + ThreadLocalRandom.current().nextLong(bound);
    }

    /// What `Retry-After` says: seconds, or a date; zero if it says nothing. A date counts from the one that the
    /// same server says it is: whatever the clock of this machine says, the wait is the one that was meant.
    ///
    /// @param date what the `Date` of the response says; `now` counts where it says nothing
    public static Duration retryAfter(String header, String date, Instant now) {
        if (header.isEmpty()) {
            return Duration.ZERO;
        }
        try {
            Duration wait = header.chars().allMatch(c -> c >= '0' && c <= '9')
                    ? Duration.ofSeconds(Long.parseLong(header))
                    : Duration.between(date(date).orElse(now), date(header).orElse(Instant.MIN));
            return wait.isNegative() ? Duration.ZERO : wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
        } catch (ArithmeticException | NumberFormatException _) {
            return Duration.ZERO;
        }
    }

    private static Optional<Instant> date(String header) {
        try {
            return Optional.of(ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }
}
