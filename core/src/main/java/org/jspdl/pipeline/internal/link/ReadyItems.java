package org.jspdl.pipeline.internal.link;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a link has to give: items in their order, and marks between them. Guarded by its link's lock.
final class ReadyItems {
    private final ArrayDeque<Envelope> queue;
    private final LinkTimes times = new LinkTimes();
    private int items;

    ReadyItems(int expected) {
        queue = new ArrayDeque<>(expected + 1);
    }

    /// How many items there are, marks not counted.
    int items() {
        return items;
    }

    /// Whether a mark waits, at the head or behind items.
    boolean hasMark() {
        return queue.size() > items;
    }

    @Nullable
    Envelope head() {
        return queue.peekFirst();
    }

    void add(Envelope envelope, int buffer) {
        queue.addLast(envelope);
        count(envelope, 1, buffer);
    }

    /// Takes the head out.
    void remove(int buffer) {
        count(queue.removeFirst(), -1, buffer);
    }

    private void count(Envelope envelope, int change, int buffer) {
        if (!envelope.isMark()) {
            items += change;
            times.ready(items, buffer);
        }
    }

    /// Takes everything out, and returns the items.
    List<Envelope> removeAll(int buffer) {
        List<Envelope> left = new ArrayList<>(queue);
        left.removeIf(Envelope::isMark);
        queue.clear();
        items = 0;
        times.ready(0, buffer);
        return left;
    }

    /// Says that another number of items may wait from now on.
    void resized(int buffer) {
        times.ready(items, buffer);
    }

    /// How long there was nothing ready, and how long no room.
    LinkTimes times() {
        return times;
    }
}
