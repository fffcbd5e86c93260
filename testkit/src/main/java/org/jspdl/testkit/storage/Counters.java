package org.jspdl.testkit.storage;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Counts for [ServerCounts]. Thread-safe.
final class Counters {
    final LongAdder connections = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder served = new LongAdder();
    final LongAdder faults = new LongAdder();
    final LongAdder bytes = new LongAdder();
    private final AtomicLong inFlight = new AtomicLong();
    private final AtomicLong mostInFlight = new AtomicLong();

    void arrived() {
        requests.increment();
        long now = inFlight.incrementAndGet();
        if (now > mostInFlight.get()) {
            mostInFlight.accumulateAndGet(now, Math::max);
        }
    }

    void left() {
        inFlight.decrementAndGet();
    }

    ServerCounts snapshot() {
        return new ServerCounts(
                connections.sum(), requests.sum(), served.sum(), faults.sum(), bytes.sum(), mostInFlight.get());
    }
}
