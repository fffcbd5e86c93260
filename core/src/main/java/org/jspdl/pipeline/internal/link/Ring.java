package org.jspdl.pipeline.internal.link;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Items in the order of their sequence, of which only those next in turn come out. Guarded by its link's lock.
///
/// Reservations bound how far ahead an item can be, so there is always a place for it.
final class Ring {
    private @Nullable Envelope[] places;
    private long head;
    /// Of this sequence and those that follow nothing is taken.
    private long end = Long.MAX_VALUE;

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

    /// Ends the ring before `sequence`: the items from there on, which leave the ring.
    List<Envelope> endAt(long sequence) {
        List<Envelope> beyond = new ArrayList<>();
        end = Math.min(end, sequence);
        for (long at = Math.max(head, end); at < head + places.length; at++) {
            Envelope item = places[place(at)];
            if (item != null) {
                beyond.add(item);
                places[place(at)] = null;
            }
        }
        return beyond;
    }

    /// Whether the ring ends before `sequence`.
    boolean isBeyondEnd(long sequence) {
        return sequence >= end;
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
