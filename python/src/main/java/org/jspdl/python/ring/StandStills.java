package org.jspdl.python.ring;

import java.util.function.LongSupplier;

/// How long the loader has stood still since the trainer waited last, and how many batches it could have made
/// meanwhile: so many more lying ready would have spared the trainer its wait. Used under a lock of the caller's.
///
/// What happens once, as at the start, or now and then, as with validation, is no habit of the trainer's: only a wait
/// that comes at most [#NEAR] batches behind another such one counts.
final class StandStills {
    static final int NEAR = 16;

    private final LongSupplier clock;
    private boolean full;
    private long fullSince;
    private long stood;
    private boolean begun;
    private long madeAt;
    private long making;
    private long taken;
    private long lastWait = -NEAR - 1;

    /// @param clock nanoseconds, from anywhere
    StandStills(LongSupplier clock) {
        this.clock = clock;
    }

    /// The loader has made a batch. How long that took is known if nothing kept it meanwhile.
    void made() {
        long now = clock.getAsLong();
        if (begun) {
            making = now - madeAt;
        }
        begun = true;
        madeAt = now;
    }

    /// The loader does something else, or nothing, before it makes the next.
    void pause() {
        begun = false;
    }

    /// The loader has no room for another batch.
    void full() {
        if (!full) {
            full = true;
            fullSince = clock.getAsLong();
            pause();
        }
    }

    /// The trainer has taken a batch.
    ///
    /// @param room whether there is room for another one now
    void took(boolean room) {
        taken++;
        if (full && room) {
            full = false;
            stood += clock.getAsLong() - fullSince;
        }
    }

    /// The trainer waits: how many batches the loader could have made in the time that it stood still, if the
    /// trainer has waited so before, not long ago.
    int makeable() {
        long could = making > 0 ? Math.min(stood / making, Integer.MAX_VALUE) : 0;
        stood = 0;
        if (could == 0) {
            return 0;
        }
        boolean habit = taken - lastWait <= NEAR;
        lastWait = taken;
        return habit ? (int) could : 0;
    }
}
