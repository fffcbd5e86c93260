package org.jspdl.pipeline.resume;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// A numbered sample that somebody must close.
final class Held implements AutoCloseable {
    private final long number;
    private final Count count;
    private final AtomicBoolean closed = new AtomicBoolean();

    Held(long number, Count count) {
        this.number = number;
        this.count = count;
        count.open.incrementAndGet();
    }

    /// How many samples and shards are or were open.
    static final class Count {
        private final AtomicLong open = new AtomicLong();
        private final AtomicLong opened = new AtomicLong();

        long open() {
            return open.get();
        }

        /// How often a shard was opened.
        long opened() {
            return opened.get();
        }

        void shardOpened() {
            opened.incrementAndGet();
        }
    }

    /// The number of a sample, which is closed.
    long take() {
        close();
        return number;
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            count.open.decrementAndGet();
        }
    }
}
