package org.jspdl.observe;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/// One stage alone, at several concurrencies.
///
/// @param name        the stage's name
/// @param placement   where its function runs
/// @param concurrency what the recipe asks for
/// @param calls       how often it is called for each batch
/// @param levels      what was measured, the least concurrency first; never empty
public record StageProfile(String name, String placement, int concurrency, double calls, List<Level> levels) {

    /// One concurrency.
    ///
    /// @param rate items per second
    /// @param p50  half of the calls took up to this long
    /// @param p99  99 of 100 calls took up to this long
    /// @param cpu  processor time of the process for one item
    public record Level(int concurrency, double rate, Duration p50, Duration p99, Duration cpu) {}

    /// The most items per second at any concurrency.
    public double mostItems() {
        return levels.stream().mapToDouble(Level::rate).max().orElseThrow();
    }

    /// Batches per second that the stage could keep up with, at its best.
    public double batchesPerSecond() {
        return mostItems() / Math.max(1e-9, calls);
    }

    /// CPU time for each batch, at the concurrency that costs least.
    public Duration cpuPerBatch() {
        Duration least =
                levels.stream().map(Level::cpu).min(Comparator.naturalOrder()).orElseThrow();
        return Duration.ofNanos((long) (least.toNanos() * calls));
    }

    /// The least concurrency that keeps up with `batches` per second, with a tenth to spare; if
    /// none does, the least that comes within a tenth of the highest rate.
    public int recommended(double batches) {
        double needed = Math.min(1.1 * batches * calls, 0.9 * mostItems());
        return levels.stream()
                .filter(level -> level.rate() >= needed)
                .mapToInt(Level::concurrency)
                .findFirst()
                .orElseThrow();
    }
}
