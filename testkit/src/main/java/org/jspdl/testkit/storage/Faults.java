package org.jspdl.testkit.storage;

import java.time.Duration;

/// What goes wrong at a server, how often, and after how long it answers at all. Immutable.
///
/// Shares are of requests, from 0 to 1. Which requests meet which fault is decided by the seed, the object, the range
/// and how often it was asked for before, so that a run can be repeated whatever its threads do; a request that is
/// repeated has new luck.
///
/// @param seed        decides who meets what
/// @param latency     the wait before every answer
/// @param tail        share of answers that wait for `tailLatency` instead
/// @param tailLatency how long those wait
/// @param unavailable share answered by 503
/// @param retryAfter  what 503 says in `Retry-After`, in whole seconds; zero for not at all
/// @param reset       share whose connection is reset in the middle of the body
/// @param truncated   share whose connection ends in the middle of the body, in order
/// @param wrongRange  share that get other bytes than they asked for, honestly labelled
/// @param slow        share whose body drips at `slowBytesPerSecond`
public record Faults(
        long seed,
        Duration latency,
        double tail,
        Duration tailLatency,
        double unavailable,
        Duration retryAfter,
        double reset,
        double truncated,
        double wrongRange,
        double slow,
        int slowBytesPerSecond) {
    private static final Faults NONE =
            new Faults(0, Duration.ZERO, 0, Duration.ZERO, 0, Duration.ZERO, 0, 0, 0, 0, 1 << 20);

    /// What happens to one answer.
    enum Fate {
        SERVED,
        UNAVAILABLE,
        RESET,
        TRUNCATED,
        WRONG_RANGE,
        SLOW
    }

    /// A server that answers at once and well.
    public static Faults none() {
        return NONE;
    }

    /// A server that answers well, `latency` after each request.
    public static Faults latency(Duration latency) {
        return new Faults(0, latency, 0, Duration.ZERO, 0, Duration.ZERO, 0, 0, 0, 0, 1 << 20);
    }

    /// These, decided by another seed.
    public Faults seed(long other) {
        return new Faults(
                other,
                latency,
                tail,
                tailLatency,
                unavailable,
                retryAfter,
                reset,
                truncated,
                wrongRange,
                slow,
                slowBytesPerSecond);
    }

    /// These, with some answers much later than the others.
    public Faults tail(double share, Duration wait) {
        return new Faults(
                seed,
                latency,
                share,
                wait,
                unavailable,
                retryAfter,
                reset,
                truncated,
                wrongRange,
                slow,
                slowBytesPerSecond);
    }

    /// These, with some requests answered by 503, and `Retry-After` if it is not zero.
    public Faults unavailable(double share, Duration after) {
        return new Faults(
                seed, latency, tail, tailLatency, share, after, reset, truncated, wrongRange, slow, slowBytesPerSecond);
    }

    /// These, with some connections reset.
    public Faults reset(double share) {
        return new Faults(
                seed,
                latency,
                tail,
                tailLatency,
                unavailable,
                retryAfter,
                share,
                truncated,
                wrongRange,
                slow,
                slowBytesPerSecond);
    }

    /// These, with some bodies cut short.
    public Faults truncated(double share) {
        return new Faults(
                seed,
                latency,
                tail,
                tailLatency,
                unavailable,
                retryAfter,
                reset,
                share,
                wrongRange,
                slow,
                slowBytesPerSecond);
    }

    /// These, with some wrong ranges.
    public Faults wrongRange(double share) {
        return new Faults(
                seed,
                latency,
                tail,
                tailLatency,
                unavailable,
                retryAfter,
                reset,
                truncated,
                share,
                slow,
                slowBytesPerSecond);
    }

    /// These, with some bodies that drip.
    public Faults slow(double share, int bytesPerSecond) {
        return new Faults(
                seed,
                latency,
                tail,
                tailLatency,
                unavailable,
                retryAfter,
                reset,
                truncated,
                wrongRange,
                share,
                bytesPerSecond);
    }

    /// What happens to the request that `key` and `attempt` name.
    Fate fate(long key, int attempt) {
        double luck = Seeded.share(seed * 31 + key * 7 + attempt);
        double[] shares = {unavailable, reset, truncated, wrongRange, slow};
        Fate[] fates = {Fate.UNAVAILABLE, Fate.RESET, Fate.TRUNCATED, Fate.WRONG_RANGE, Fate.SLOW};
        for (int i = 0; i < shares.length; i++) {
            if (luck < shares[i]) {
                return fates[i];
            }
            luck -= shares[i];
        }
        return Fate.SERVED;
    }

    Duration pause(long key, int attempt) {
        return Seeded.share(~seed + key * 13 + attempt) < tail ? tailLatency : latency;
    }
}
