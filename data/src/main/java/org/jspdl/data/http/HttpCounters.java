package org.jspdl.data.http;

import java.util.concurrent.atomic.LongAdder;
import org.jspdl.data.storage.StorageStats;

/// Counts for [StorageStats]. Thread-safe.
final class HttpCounters {
    final LongAdder reads = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder throttled = new LongAdder();
    final LongAdder hedged = new LongAdder();
    final LongAdder damaged = new LongAdder();
    final LongAdder bytes = new LongAdder();

    StorageStats snapshot() {
        return new StorageStats(
                reads.sum(), requests.sum(), retries.sum(), hedged.sum(), throttled.sum(), damaged.sum(), bytes.sum());
    }
}
