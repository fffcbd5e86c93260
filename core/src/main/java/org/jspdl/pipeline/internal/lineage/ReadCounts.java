package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayDeque;
import org.jspdl.pipeline.internal.checkpoint.SourceCounts;
import org.jspdl.pipeline.internal.lineage.Lineage.Split;
import org.jspecify.annotations.Nullable;

/// Counts the items of each source by what became of them. Guarded by the ledger's lock.
final class ReadCounts {
    /// What becomes of an item.
    enum Outcome {
        /// Its last output was handed to the consumer.
        DELIVERED,
        /// It was filtered, skipped, or part of a dropped remainder.
        DROPPED,
        /// Its epoch was left, so that it does not come; it is not counted, because how many were read by then
        /// depends on how far the run had read ahead.
        LEFT
    }

    /// Of one source.
    static final class OfSource {
        private final SourceCounts before;
        private long delivered;
        private long dropped;

        OfSource(SourceCounts before) {
            this.before = before;
        }

        void settled(Outcome outcome) {
            switch (outcome) {
                case DELIVERED -> delivered++;
                case DROPPED -> dropped++;
                case LEFT -> {}
            }
        }

        SourceCounts now() {
            return before.isKnown()
                    ? new SourceCounts(before.delivered() + delivered, before.dropped() + dropped)
                    : before;
        }
    }

    private record Divided(Lineage parent, Outcome outcome) {}

    /// What is settled at present.
    private Outcome outcome = Outcome.DROPPED;

    private final ArrayDeque<Divided> divided = new ArrayDeque<>();

    void settling(Outcome now) {
        outcome = now;
    }

    Outcome outcome() {
        return outcome;
    }

    /// Notes that nothing more comes of a divided item: whether it was delivered does not depend on which of its
    /// parts was settled last.
    void whole(Split split) {
        boolean hasParts = split.emitted > 0 && split.skippedBy == null;
        Outcome of = split.left ? Outcome.LEFT : hasParts ? Outcome.DELIVERED : Outcome.DROPPED;
        divided.addLast(new Divided(split.parent, of));
    }

    /// Takes out a divided item to settle, as what it has become; null if there is none.
    @Nullable
    Lineage nextDivided() {
        Divided next = divided.pollLast();
        if (next == null) {
            return null;
        }
        outcome = next.outcome;
        return next.parent;
    }
}
