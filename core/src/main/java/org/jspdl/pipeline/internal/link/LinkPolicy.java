package org.jspdl.pipeline.internal.link;

/// How many items a link may hold, and when a sleeping thread is worth waking: every threshold of a link.
///
/// - A single producer wakes when half of the capacity is free: it makes several items before it sleeps again.
/// - A consumer of groups wakes when what it lacks has come, but at half of the buffer at the latest, so that the
///   producer has room meanwhile.
/// - A producer announces items between two calls when the consumer would wake for them: one wake-up serves several
///   items.
/// - The buffer grows when its producer is quick and the consumer empties it again and again: waking threads is then
///   the greater cost.
///
/// Changed under the link's lock. What is worth waking others for may be asked by anybody; [#produced] is for the
/// producer alone.
final class LinkPolicy {
    /// What is made in less time is no more than a name, or a view of something: kilobytes can't be copied
    /// meanwhile.
    private static final long QUICK_NANOS = 2_000;
    private static final int WINDOW = 64;
    /// So many of a window's items have to meet an empty link.
    private static final int EMPTY = WINDOW / 16;
    /// So many may take long, since anything can be interrupted.
    private static final int SLOW = WINDOW / 8;
    /// One after the other; a run's first items always meet an empty link.
    private static final int WINDOWS = 3;

    private int buffer;
    private int producers;
    private int capacity;
    private int gathers = 1;
    private int growsTo;
    private volatile int producerWakesAt;
    private volatile int announcedAt;

    private int items;
    private int empty;
    private int slow;
    private int windows;

    /// @param buffer    finished items that may wait beyond one for each running function
    /// @param producers the most functions that hold a reservation while they run
    LinkPolicy(int buffer, int producers) {
        resize(buffer, producers);
    }

    /// Takes other numbers; one below zero leaves that one as it is.
    void resize(int newBuffer, int newProducers) {
        buffer = newBuffer < 0 ? buffer : newBuffer;
        growsTo = newBuffer < 0 ? growsTo : 0;
        producers = newProducers < 0 ? producers : newProducers;
        capacity = Math.addExact(buffer, producers);
        producerWakesAt = producers == 1 ? Math.max(1, capacity / 2) : 1;
        announcedAt = consumerWakesAt(gathers);
    }

    /// Says how many items the consumer takes before it does anything.
    void gathers(int count) {
        gathers = count;
        announcedAt = consumerWakesAt(gathers);
    }

    /// Lets the buffer [grow][#grow] to so many items, unless it is resized before.
    void growsTo(int count) {
        growsTo = count;
    }

    /// Takes the size that [#growsTo] has named.
    void grow() {
        resize(growsTo > buffer ? growsTo : -1, -1);
    }

    int buffer() {
        return buffer;
    }

    /// Items that are held, and results that are still to come, at most.
    int capacity() {
        return capacity;
    }

    /// How many waiting producers to wake for so much room, at most.
    int producersToWake(int room) {
        return room >= producerWakesAt ? room : 0;
    }

    /// How many items a consumer that lacks `missing` waits for.
    int consumerWakesAt(int missing) {
        return Math.max(1, Math.min(missing, buffer / 2));
    }

    /// Whether so many items are worth telling the consumer of between two calls.
    boolean isWorthAnnouncing(int available) {
        return available >= announcedAt;
    }

    /// Takes note of an item; true once, when the link should grow.
    ///
    /// Consumers that are slow leave the link full: there, more room would gain nothing and put more items on their
    /// way.
    ///
    /// @param nanos    how long it took to make
    /// @param metEmpty whether everything before it was taken
    boolean produced(long nanos, boolean metEmpty) {
        if (windows >= WINDOWS) {
            return false;
        }
        slow += nanos < QUICK_NANOS ? 0 : 1;
        empty += metEmpty ? 1 : 0;
        if (++items < WINDOW) {
            return false;
        }
        windows = empty >= EMPTY && slow <= SLOW ? windows + 1 : 0;
        items = 0;
        empty = 0;
        slow = 0;
        return windows == WINDOWS;
    }
}
