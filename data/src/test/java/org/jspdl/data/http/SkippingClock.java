package org.jspdl.data.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspdl.data.http.pace.RetryClock;

/// A clock whose pauses take no time but count as if they had.
final class SkippingClock implements RetryClock {
    private final AtomicLong skipped = new AtomicLong();
    private final LongConsumer paused;

    /// @param paused told after each pause how many nanoseconds were skipped so far
    SkippingClock(LongConsumer paused) {
        this.paused = paused;
    }

    long skipped() {
        return skipped.get();
    }

    @Override
    public long nanos() {
        return System.nanoTime() + skipped.get();
    }

    @Override
    public void pause(long nanos, BooleanSupplier cut) {
        paused.accept(skipped.addAndGet(nanos));
    }
}
