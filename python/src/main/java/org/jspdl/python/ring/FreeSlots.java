package org.jspdl.python.ring;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// The slots that nobody has: the one put in last is taken out first, so that those below it are not needed for long
/// and their memory can go back to the system. Used under a lock of the caller's.
public final class FreeSlots {
    /// A slot that was not taken while so many were, and for so long, is not needed.
    static final int TAKEN = 32;

    static final long NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LongSupplier clock;
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

    /// Takes the slot that was put in last; there must be one.
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
        slots[size++] = slot;
    }

    /// Takes one of those that nobody has needed for a while and that may have memory, for [#putBelow] to put in
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

    /// Puts a slot that was not needed below all others.
    ///
    /// @param emptied whether its memory went back
    public void putBelow(int slot, boolean emptied) {
        used[slot] = !emptied;
        System.arraycopy(slots, 0, slots, 1, size);
        slots[0] = slot;
        size++;
        idle++;
        idleBefore++;
    }
}
