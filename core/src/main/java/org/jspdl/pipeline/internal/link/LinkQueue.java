package org.jspdl.pipeline.internal.link;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspdl.stats.LinkStats;
import org.jspecify.annotations.Nullable;

/// What a link holds: items that are ready in their order, with marks between them, and in input order the items that
/// wait for one before them. Guarded by its link's lock.
///
/// In input order an item takes the place of its sequence in a ring, which grows with what waits behind a late item.
/// Reservations bound how far ahead an item can be. Of a sequence that brings no item, a tombstone takes the place.
final class LinkQueue {
    private static final Envelope TOMBSTONE = Envelope.end();
    /// More results than wait for one that is late.
    private static final long MOST_TURNS = 1 << 17;

    /// Marks that need no room. More take what there is for items, so that a source without any does not run ahead
    /// of its consumer through all epochs.
    static final int FREE_MARKS = 64;

    private final LinkPolicy policy;
    private final ArrayDeque<Envelope> ready;
    private int items;
    /// Places of results that are still to come, or that wait for one before them.
    private int reserved;
    private @Nullable Envelope @Nullable [] ring;
    private long head;
    /// Places of the ring that are taken, by results that wait for one before them.
    private int held;
    /// When the results in the ring came; null unless late ones may be passed.
    private long @Nullable [] came;
    /// Of this sequence and those that follow nothing is taken.
    private long end = Long.MAX_VALUE;
    /// Whether items come in another order than that of their sequences, in which all come.
    private boolean inTurns;

    private boolean empty = true;
    private boolean full;
    private long emptySince = System.nanoTime();
    private long emptyNanos;
    private long fullSince;
    private long fullNanos;

    /// @param ordered whether items become ready in the order of their sequence
    LinkQueue(LinkPolicy policy, boolean ordered) {
        this.policy = policy;
        this.ready = new ArrayDeque<>(policy.capacity() + 1);
        this.ring = ordered ? new Envelope[policy.capacity()] : null;
    }

    boolean isOrdered() {
        return ring != null;
    }

    /// How many items are ready, marks not counted.
    int items() {
        return items;
    }

    /// How many marks are ready.
    int marks() {
        return ready.size() - items;
    }

    /// Room that is neither taken nor reserved.
    int room() {
        int room = policy.capacity()
                - reserved
                - items
                + (ring == null ? 0 : policy.beyond(items))
                - Math.max(0, marks() - FREE_MARKS);
        // the one that all wait for may come behind others
        return inTurns && items == 0 && reserved == held ? Math.max(1, room) : room;
    }

    /// Takes items in another order than that of their sequences, of which none is left out. Called before the
    /// first is put, in input order.
    void takesTurns() {
        inTurns = true;
    }

    /// Whether a mark waits, at the head or behind items.
    boolean hasMark() {
        return ready.size() > items;
    }

    @Nullable
    Envelope head() {
        return ready.peekFirst();
    }

    void reserve() {
        reserved++;
    }

    void unreserve() {
        reserved--;
    }

    /// Takes an item into the room that was reserved for it; false if it is not taken, and the room is free again.
    boolean put(Envelope item) {
        if (ring == null || item.sequence < head) { // which was passed, and is there now
            reserved--;
            add(item);
        } else if (item.sequence >= end) {
            reserved--;
            return false;
        } else {
            putInTurn(item.sequence, item);
        }
        return true;
    }

    /// Releases the room reserved for the item of this sequence, of which nothing came.
    void drop(long sequence) {
        if (ring == null || sequence >= end || sequence < head) {
            reserved--;
        } else {
            putInTurn(sequence, TOMBSTONE);
        }
    }

    private void putInTurn(long sequence, Envelope item) {
        if (inTurns && sequence - head > MOST_TURNS) {
            throw neverCame();
        }
        @Nullable Envelope[] places = ringUpTo(sequence - head + 1);
        places[place(places, sequence)] = item;
        held++;
        if (came != null) {
            came[place(places, sequence)] = System.nanoTime();
        }
        moveOn(places);
    }

    /// Has pass on what waits for nothing any more.
    private void moveOn(@Nullable Envelope[] places) {
        for (int at = place(places, head); places[at] != null; at = place(places, head)) {
            Envelope next = places[at];
            places[at] = null;
            head++;
            held--;
            reserved--;
            if (next != null && next != TOMBSTONE) {
                add(next);
            }
        }
    }

    /// Lets results that are late be [passed][#passLate]. Called before the first is put, in input order.
    void defers() {
        came = new long[Objects.requireNonNull(ring).length];
    }

    /// Since when results have waited behind one that is not there, as of [System#nanoTime]; empty if none does, or
    /// others are ready, or late ones may not be passed.
    OptionalLong overtakenSince() {
        if (came == null || ring == null || !isOvertaken()) {
            return OptionalLong.empty();
        }
        long now = System.nanoTime();
        long longest = 0;
        for (int at = 0; at < ring.length; at++) {
            if (ring[at] != null) {
                longest = Math.max(longest, now - came[at]);
            }
        }
        return OptionalLong.of(now - longest);
    }

    /// Whether nothing is ready, but results wait behind one that is not there and may be passed.
    boolean isOvertaken() {
        return held > 0 && items == 0 && came != null;
    }

    /// Lets what waits pass the late result that is next; that takes its turn when it comes.
    void passLate() {
        head++;
        moveOn(Objects.requireNonNull(ring));
    }

    /// The ring, with so many places at least.
    private @Nullable Envelope[] ringUpTo(long count) {
        @Nullable Envelope[] places = Objects.requireNonNull(ring);
        if (count <= places.length) {
            return places;
        }
        @Nullable Envelope[] more = new @Nullable Envelope[Math.toIntExact(Math.max(count, 2L * places.length))];
        for (long sequence = head; sequence < head + places.length; sequence++) {
            more[place(more, sequence)] = places[place(places, sequence)];
        }
        if (came != null) {
            long[] moreCame = new long[more.length];
            for (long sequence = head; sequence < head + places.length; sequence++) {
                moreCame[place(more, sequence)] = came[place(places, sequence)];
            }
            came = moreCame;
        }
        ring = more;
        return more;
    }

    private static int place(@Nullable Envelope[] places, long sequence) {
        return (int) (sequence % places.length);
    }

    /// Whether items come in turns.
    boolean isInTurns() {
        return inTurns;
    }

    /// Takes the places back that were kept for what nobody wants any more, before a mark.
    ///
    /// @throws IllegalStateException if a result waits for one that never came
    private void endTurns() {
        for (Envelope item : Objects.requireNonNull(ring)) {
            if (item != null && item != TOMBSTONE) {
                throw neverCame();
            }
        }
        while (held > 0) {
            passLate();
        }
    }

    private IllegalStateException neverCame() {
        return new IllegalStateException(held + " results wait for number " + head + ", of which nothing came");
    }

    /// Adds a mark, or an item that needs no room.
    void add(Envelope envelope) {
        if (inTurns && envelope.isMark() && held > 0 && end == Long.MAX_VALUE) {
            endTurns();
        }
        ready.addLast(envelope);
        if (!envelope.isMark()) {
            items++;
            measure();
        }
    }

    /// Takes the head out.
    void remove() {
        if (!ready.removeFirst().isMark()) {
            items--;
            measure();
        }
    }

    /// Takes nothing from `sequence` on; the items from there on that have come leave the queue. In completion
    /// order it does nothing.
    List<Envelope> endAt(long sequence) {
        List<Envelope> beyond = new ArrayList<>();
        if (ring != null) {
            end = Math.min(end, sequence);
            removeFrom(ring, Math.max(head, end), beyond);
        }
        return beyond;
    }

    /// Takes the items of `epoch` and before out; room that was reserved for results is kept in turn.
    List<Envelope> removeThrough(long epoch) {
        List<Envelope> removed = new ArrayList<>();
        ready.removeIf(each -> !each.isMark() && each.epoch <= epoch && removed.add(each));
        items -= removed.size();
        for (int at = 0; ring != null && at < ring.length; at++) {
            Envelope item = ring[at];
            if (item != null && item != TOMBSTONE && item.epoch <= epoch) {
                removed.add(item);
                ring[at] = TOMBSTONE;
            }
        }
        measure();
        return removed;
    }

    /// Takes everything out, and returns the items.
    List<Envelope> removeAll() {
        List<Envelope> left = new ArrayList<>(ready);
        left.removeIf(Envelope::isMark);
        ready.clear();
        items = 0;
        measure();
        if (ring != null) {
            removeFrom(ring, head, left);
        }
        return left;
    }

    private void removeFrom(@Nullable Envelope[] places, long first, List<Envelope> removed) {
        for (long sequence = first; sequence < head + places.length; sequence++) {
            int at = place(places, sequence);
            Envelope item = places[at];
            places[at] = null;
            if (item != null) {
                reserved--;
                held--;
                if (item != TOMBSTONE) {
                    removed.add(item);
                }
            }
        }
    }

    /// Follows another size of the link. The ring never shrinks, since reservations may have been given for its
    /// places.
    void resized() {
        if (ring != null) {
            ringUpTo(policy.capacity());
        }
        measure();
    }

    /// Notes when the queue runs empty or full. The clock is read only then.
    private void measure() {
        if (empty != (items == 0)) {
            empty = !empty;
            if (empty) {
                emptySince = System.nanoTime();
            } else {
                emptyNanos += System.nanoTime() - emptySince;
            }
        }
        if (full != (items >= policy.buffer())) {
            full = !full;
            if (full) {
                fullSince = System.nanoTime();
            } else {
                fullNanos += System.nanoTime() - fullSince;
            }
        }
    }

    /// What went through the link `name`.
    LinkStats stats(String name, String consumer, long passed, long now) {
        return new LinkStats(
                name,
                consumer,
                isOrdered(),
                policy.capacity(),
                items,
                passed,
                Duration.ofNanos(emptyNanos(now)),
                Duration.ofNanos(fullNanos(now)));
    }

    /// Nanoseconds without anything ready, up to `now`.
    private long emptyNanos(long now) {
        return Math.max(0, emptyNanos + (empty ? now - emptySince : 0));
    }

    /// Nanoseconds without room, up to `now`.
    private long fullNanos(long now) {
        return Math.max(0, fullNanos + (full ? now - fullSince : 0));
    }
}
