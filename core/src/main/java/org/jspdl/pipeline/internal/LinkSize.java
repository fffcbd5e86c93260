package org.jspdl.pipeline.internal;

/// How many items a link may hold, which may change while it is used. Guarded by its link's lock, but for
/// [#worthWaking], which anybody may read.
final class LinkSize {
    private int buffer;
    private int producers;
    private int capacity;
    private volatile int worthWaking;

    /// @param buffer    finished items that may wait beyond one for each running function
    /// @param producers the most functions that hold a reservation while they run
    LinkSize(int buffer, int producers) {
        change(buffer, producers);
    }

    /// Takes other numbers; one below zero leaves that one as it is.
    void change(int newBuffer, int newProducers) {
        buffer = newBuffer < 0 ? buffer : newBuffer;
        producers = newProducers < 0 ? producers : newProducers;
        capacity = Math.addExact(buffer, producers);
        worthWaking = producers == 1 ? Math.max(1, capacity / 2) : 1;
    }

    int buffer() {
        return buffer;
    }

    /// Items that are held, and results that are still to come, at most.
    int capacity() {
        return capacity;
    }

    /// From how much room on a waiting producer is woken: a single one sleeps on until there is room for several
    /// items.
    int worthWaking() {
        return worthWaking;
    }
}
