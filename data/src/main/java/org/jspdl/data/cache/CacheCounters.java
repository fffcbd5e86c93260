package org.jspdl.data.cache;

import java.util.concurrent.atomic.LongAdder;

/// Counts for [CacheStats]. Thread-safe.
final class CacheCounters {
    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder stored = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder evicted = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder damaged = new LongAdder();

    /// Counts a lookup.
    boolean found(boolean hit) {
        (hit ? hits : misses).increment();
        return hit;
    }

    CacheStats snapshot(long bytes, long budgetBytes) {
        return new CacheStats(
                hits.sum(),
                misses.sum(),
                stored.sum(),
                evicted.sum(),
                refused.sum(),
                failed.sum(),
                damaged.sum(),
                bytes,
                budgetBytes);
    }
}
