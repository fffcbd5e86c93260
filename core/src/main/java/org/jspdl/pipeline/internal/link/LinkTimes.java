package org.jspdl.pipeline.internal.link;

/// How long a link had nothing ready, and how long it had no room. Guarded by its link's lock.
final class LinkTimes {
    private boolean empty = true;
    private boolean full;
    private long emptySince = System.nanoTime();
    private long emptyNanos;
    private long fullSince;
    private long fullNanos;

    /// Records how many items are ready, of `buffer` that may wait. The clock is read only when that changes
    /// something.
    void ready(int items, int buffer) {
        if (empty != (items == 0)) {
            empty = !empty;
            if (empty) {
                emptySince = System.nanoTime();
            } else {
                emptyNanos += System.nanoTime() - emptySince;
            }
        }
        if (full != (items >= buffer)) {
            full = !full;
            if (full) {
                fullSince = System.nanoTime();
            } else {
                fullNanos += System.nanoTime() - fullSince;
            }
        }
    }

    /// Nanoseconds without anything ready, up to `now`.
    long empty(long now) {
        return Math.max(0, emptyNanos + (empty ? now - emptySince : 0));
    }

    /// Nanoseconds without room, up to `now`.
    long full(long now) {
        return Math.max(0, fullNanos + (full ? now - fullSince : 0));
    }
}
