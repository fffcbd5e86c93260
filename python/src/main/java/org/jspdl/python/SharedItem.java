package org.jspdl.python;

import java.util.concurrent.atomic.AtomicInteger;

/// An item that several trainers see: let go of when the last of them has let go of it. Thread-safe.
final class SharedItem {
    private final Runnable letGo;
    private final AtomicInteger holders = new AtomicInteger(1);

    /// Held once, by the caller.
    ///
    /// @param letGo runs when nobody holds the item any more
    SharedItem(Runnable letGo) {
        this.letGo = letGo;
    }

    /// Holds it once more.
    ///
    /// @throws IllegalStateException if it was let go of already
    void hold() {
        if (holders.getAndIncrement() < 1) {
            throw new IllegalStateException("the item was let go of before another trainer held it");
        }
    }

    /// Holds it once less.
    void release() {
        int left = holders.decrementAndGet();
        if (left == 0) {
            letGo.run();
        } else if (left < 0) {
            throw new IllegalStateException("the item was let go of more often than it was held");
        }
    }
}
