package org.jspdl.pipeline.internal.link;

/// How many items a link may hold, which may change while it is used. Guarded by its link's lock, but for what is worth
/// waking others for, which anybody may ask.
final class LinkSize {
    private int buffer;
    private int producers;
    private int capacity;
    private int gathered = 1;
    private int growsTo;
    private volatile int worthWaking;
    private volatile int worthAnnouncing;

    /// @param buffer    finished items that may wait beyond one for each running function
    /// @param producers the most functions that hold a reservation while they run
    LinkSize(int buffer, int producers) {
        change(buffer, producers);
    }

    /// Takes other numbers; one below zero leaves that one as it is.
    void change(int newBuffer, int newProducers) {
        buffer = newBuffer < 0 ? buffer : newBuffer;
        growsTo = newBuffer < 0 ? growsTo : 0;
        producers = newProducers < 0 ? producers : newProducers;
        capacity = Math.addExact(buffer, producers);
        worthWaking = producers == 1 ? Math.max(1, capacity / 2) : 1;
        worthAnnouncing = Math.max(1, Math.min(gathered, buffer / 2));
    }

    /// Lets the buffer grow to so many items, unless it is given another size before.
    void growsTo(int items) {
        growsTo = items;
    }

    /// Takes the size that [#growsTo] has named.
    void grow() {
        change(growsTo > buffer ? growsTo : -1, -1);
    }

    /// Says how many items the consumer gathers before it does anything.
    void gathered(int items) {
        gathered = items;
        change(-1, -1);
    }

    int buffer() {
        return buffer;
    }

    /// Items that are held, and results that are still to come, at most.
    int capacity() {
        return capacity;
    }

    /// Room to tell a waiting producer of: a single one sleeps on until there is room for several items.
    int roomToAnnounce(int room) {
        return room >= worthWaking ? room : 0;
    }

    /// How many items a taker that can use so many waits for: no more than leave room for others meanwhile.
    int worthTaking(int items) {
        return Math.max(1, Math.min(items, buffer / 2));
    }

    /// Whether so many items are worth telling a consumer of between two calls: one that gathers items sleeps on
    /// until there are several.
    boolean isWorthAnnouncing(int items) {
        return items >= worthAnnouncing;
    }
}
