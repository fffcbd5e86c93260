package org.jspdl.stats;

import java.time.Duration;

/// What went through one link: the bounded hand-off after the stage it is named for.
///
/// @param name      the stage that puts into the link
/// @param consumer  the stage that takes from the link; empty if that is the run's consumer
/// @param ordered   whether items pass in the order of the stage's inputs
/// @param capacity  the most finished items the link holds
/// @param size      how many it holds at this moment
/// @param passed    items taken out
/// @param empty     time during which nothing was ready to be taken, this moment included
/// @param full      time during which the link had no room for another item, this moment included
public record LinkStats(
        String name,
        String consumer,
        boolean ordered,
        int capacity,
        int size,
        long passed,
        Duration empty,
        Duration full) {

    /// The part of the time during which something was ready to be taken, between 0 and 1; 0 for a link that was
    /// idle throughout.
    public double occupancy(Duration elapsed) {
        return elapsed.isZero() ? 0 : Math.clamp(1 - (double) empty.toNanos() / elapsed.toNanos(), 0.0, 1.0);
    }

    /// The part of the time during which there was no room, between 0 and 1.
    public double fullness(Duration elapsed) {
        return elapsed.isZero() ? 0 : Math.clamp((double) full.toNanos() / elapsed.toNanos(), 0.0, 1.0);
    }

    /// What happened here and not in `earlier`, a snapshot of the same link.
    public LinkStats since(LinkStats earlier) {
        return new LinkStats(
                name,
                consumer,
                ordered,
                capacity,
                size,
                passed - earlier.passed,
                empty.minus(earlier.empty),
                full.minus(earlier.full));
    }
}
