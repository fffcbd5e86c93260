package org.jspdl.pipeline.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Items in the order of their sequence, of which only those next in turn come out. Guarded by its link's lock.
///
/// Reservations bound how far ahead an item can be, so there is always a place for it.
final class Ring {
    private @Nullable Envelope[] places;
    private long head;

    Ring(int capacity) {
        places = new Envelope[capacity];
    }

    void put(long sequence, Envelope item) {
        places[place(sequence)] = item;
    }

    /// The next item in turn, which leaves the ring; null if it has not come yet.
    @Nullable
    Envelope next() {
        int place = place(head);
        Envelope item = places[place];
        if (item != null) {
            places[place] = null;
            head++;
        }
        return item;
    }

    /// All items, which leave the ring, with null in the places between them.
    @Nullable
    Envelope[] removeAll() {
        @Nullable Envelope[] all = places;
        places = new Envelope[all.length];
        return all;
    }

    /// Makes places for `capacity` items; never fewer than there were, since reservations may have been given for
    /// them.
    void grow(int capacity) {
        if (capacity <= places.length) {
            return;
        }
        @Nullable Envelope[] more = Arrays.copyOf(new Envelope[0], capacity);
        for (long sequence = head; sequence < head + places.length; sequence++) {
            more[(int) (sequence % capacity)] = places[place(sequence)];
        }
        places = more;
    }

    private int place(long sequence) {
        return (int) (sequence % places.length);
    }
}
