package org.jspdl.pipeline;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.stats.StageObserver;

/// Code of a user that throws an error the n-th time that it is called in one kind of place.
final class Trap implements StageObserver {
    static final String MESSAGE = "the trap has sprung";
    static final Trap NONE = new Trap("nowhere", 0);
    /// The kinds of places.
    static final List<String> PLACES = List.of(
            "function",
            "filter",
            "map",
            "key",
            "policy",
            "elements",
            "iterator",
            "promise",
            "weigher",
            "quarantine",
            "predicate",
            "started",
            "ended");

    private final String place;
    private final AtomicLong left;
    private volatile boolean sprung;

    Trap(String place, long calls) {
        this.place = place;
        this.left = new AtomicLong(calls);
    }

    boolean hasSprung() {
        return sprung;
    }

    /// Called by user code in a place.
    <T> T at(String where, T value) {
        if (where.equals(place) && left.getAndDecrement() == 0) {
            sprung = true;
            throw new AssertionError(MESSAGE + " in " + where);
        }
        return value;
    }

    /// `policy` with a quarantine and retries that may be the trap.
    FailurePolicy guarded(FailurePolicy policy) {
        return this == NONE
                ? policy
                : policy.quarantine(item -> at("quarantine", item))
                        .retry(2, java.time.Duration.ZERO, failure -> at("predicate", true));
    }

    @Override
    public void itemStarted(String stage, Object item) {
        at("started", item);
    }

    @Override
    public void itemEnded(String stage, long nanos, Outcome outcome) {
        at("ended", outcome);
    }

    @Override
    public String toString() {
        return "a trap in " + place;
    }
}
