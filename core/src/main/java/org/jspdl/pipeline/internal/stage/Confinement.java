package org.jspdl.pipeline.internal.stage;

/// What a consumer lets be in flight whose own items take memory: a number of items like the heaviest that was
/// delivered. What was delivered counts until the consumer has counted it. Used under the lock of a [Budget].
final class Confinement {
    /// How many items may be in flight as long as the consumer says nothing else.
    private static final int NONE = Integer.MAX_VALUE;

    private int items = NONE;
    private boolean begun;
    private long delivered;
    private long heaviest;
    /// The weight of what was delivered and not counted by the consumer.
    private long uncounted;
    /// Whether the consumer lets less in than the limit; read without the lock, too.
    private volatile boolean bounds;

    /// The consumer has room for so many, and has counted so many of those that were delivered; whether less was
    /// let in before than the limit has it, and is no more.
    boolean confine(int room, long received) {
        if (room < 0) {
            throw new IllegalArgumentException("at least 0 items may be in flight, but they were to be " + room);
        }
        boolean before = bounds;
        items = room;
        begun = true;
        uncounted = received >= delivered ? 0 : uncounted;
        bounds = room != NONE || uncounted > 0;
        return before && !bounds;
    }

    /// Notes that an item was delivered.
    void deliver(long bytes) {
        delivered++;
        heaviest = Math.max(heaviest, bytes);
        if (begun && bytes > 0) {
            uncounted += bytes;
            bounds = true;
        }
    }

    boolean bounds() {
        return bounds;
    }

    /// What is let in, of what the limit has.
    long of(long limit) {
        boolean all = heaviest == 0 || items > limit / heaviest;
        return (all ? limit : items * heaviest) - uncounted;
    }

    /// What the consumer takes for one of its items; 0 if it does not say what it has room for.
    long whole() {
        return begun ? heaviest : 0;
    }
}
