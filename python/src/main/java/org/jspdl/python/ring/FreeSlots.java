package org.jspdl.python.ring;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// The slots that nobody has: the lowest is taken first, so that one which is needed for a moment, and for a part of a
/// batch, is not filled later, and the memory of the upper ones can go back to the system. Used under a lock of the
/// caller's.
public final class FreeSlots {
    /// A slot that was not taken while so many were, and for so long, is not needed.
    static final int TAKEN = 32;

    static final long NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LongSupplier clock;
    /// The highest first.
    private final int[] slots;
    /// Which slots may have memory of the system's.
    private final boolean[] used;

    private int size;
    private int least;
    /// How many were taken since a moment, and how many of the lowest were not: since then, and in the time before
    /// it.
    private int taken;

    private long since;
    private int idle;
    private int idleBefore;

    /// All of `count` slots, of which the lower are taken first.
    ///
    /// @param clock nanoseconds, from anywhere
    public FreeSlots(int count, LongSupplier clock) {
        this.clock = clock;
        this.slots = new int[count];
        this.used = new boolean[count];
        for (int slot = count - 1; slot >= 0; slot--) {
            slots[size++] = slot;
        }
        this.least = count;
        this.idle = count;
        this.since = clock.getAsLong();
    }

    /// How many there are.
    public int size() {
        return size;
    }

    /// The fewest that ever were.
    public int least() {
        return least;
    }

    /// Takes the lowest slot; there must be one.
    public int take() {
        int slot = slots[--size];
        used[slot] = true;
        taken++;
        least = Math.min(least, size);
        idle = Math.min(idle, size);
        return slot;
    }

    /// Puts a slot in.
    public void put(int slot) {
        var _ = insert(slot);
    }

    private int insert(int slot) {
        int at = size++;
        for (; at > 0 && slots[at - 1] < slot; at--) {
            slots[at] = slots[at - 1];
        }
        slots[at] = slot;
        return at;
    }

    /// Takes one of those that nobody has needed for a while and that may have memory, for [#putUnneeded] to put in
    /// again; negative if there is none.
    public int takeUnneeded() {
        long now = clock.getAsLong();
        if (taken >= TAKEN && now - since >= NANOS) {
            idleBefore = idle;
            idle = size;
            taken = 0;
            since = now;
        }
        for (int i = 0; i < Math.min(idle, idleBefore); i++) {
            int slot = slots[i];
            if (used[slot]) {
                idle--;
                idleBefore--;
                size--;
                System.arraycopy(slots, i + 1, slots, i, size - i);
                return slot;
            }
        }
        return -1;
    }

    /// Puts a slot that was not needed in again.
    ///
    /// @param emptied whether its memory went back
    public void putUnneeded(int slot, boolean emptied) {
        used[slot] = !emptied;
        int at = insert(slot);
        boolean allAbove = at == slots.length - 1 - slot; // else one of them may have been taken since, in its place
        idle += allAbove && at <= idle ? 1 : 0;
        idleBefore += allAbove && at <= idleBefore ? 1 : 0;
    }
}
