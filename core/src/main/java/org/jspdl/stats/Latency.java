package org.jspdl.stats;

import java.time.Duration;

/// How long calls took: percentiles with an error of at most 7 %, from a histogram of eight steps to each power of
/// two.
///
/// @param p50 half of the calls took at most this long; zero before the first call
/// @param p90 nine of ten calls took at most this long
/// @param p99 99 of 100 calls took at most this long
/// @param max the longest call
public record Latency(Duration p50, Duration p90, Duration p99, Duration max) {
    /// No calls.
    public static final Latency NONE = new Latency(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
}
