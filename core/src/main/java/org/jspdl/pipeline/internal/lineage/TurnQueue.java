package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspdl.pipeline.internal.lineage.Lineage.Drawn;
import org.jspecify.annotations.Nullable;

/// What steps behind a live mix have dropped ahead of the consumer: filtered or skipped items, and remainders. It is
/// settled once the consumer has received something of a later draw, or the end of the epoch. Guarded by the ledger's
/// lock.
final class TurnQueue {
    private final MixProgress mix;
    private final PriorityQueue<Held> held =
            new PriorityQueue<>(Comparator.comparingLong(Held::epoch).thenComparingLong(Held::draw));

    /// @param draw    the last draw that it was made from
    /// @param failure what counts its failure; null if it was dropped otherwise
    record Held(
            long epoch,
            long draw,
            Lineage lineage,
            @Nullable FailureCount failure) {}

    TurnQueue(MixProgress mix) {
        this.mix = mix;
    }

    /// Takes what was dropped; false if it was not made from a draw of the mix, and is settled at once.
    boolean holds(Lineage lineage, @Nullable FailureCount failure) {
        Drawn last = lineage.lastDraw(mix);
        return last != null && held.add(new Held(last.first().epoch, last.draw, lineage, failure));
    }

    /// Takes out what was drawn before the last draw of `delivered`.
    List<Held> before(Lineage delivered) {
        if (held.isEmpty()) {
            return List.of();
        }
        Drawn last = delivered.lastDraw(mix);
        return last == null ? List.of() : until(last.first().epoch, last.draw);
    }

    /// Takes out what belongs to `epoch` and those before it.
    List<Held> through(long epoch) {
        mix.delivered(epoch);
        return until(epoch + 1, 0);
    }

    private List<Held> until(long epoch, long draw) {
        List<Held> due = new ArrayList<>();
        for (Held first = held.peek();
                first != null && (first.epoch < epoch || (first.epoch == epoch && first.draw < draw));
                first = held.peek()) {
            due.add(first);
            held.remove();
        }
        return due;
    }
}
