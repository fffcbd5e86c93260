package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspdl.pipeline.internal.checkpoint.RunState.AggregateState;
import org.jspdl.pipeline.internal.checkpoint.RunState.StateAt;
import org.jspecify.annotations.Nullable;

/// The emissions of one gatherer whose state can be written, as far as they are not settled: from which state each was
/// made and which it left. Guarded by the ledger's lock.
///
/// An emission follows from the state before it and from its members alone, so a resumed run can make a late one again
/// while the gatherer goes on from a later state.
public final class EmissionLog {
    final String stage;
    private final ArrayDeque<Emission> chain = new ArrayDeque<>();
    private final List<Emission> again = new ArrayList<>();
    /// The state that the last emission left behind which all are settled.
    private StateAt settled;

    /// @param from what an earlier run has left; the state of the first epoch's start for a new run
    public EmissionLog(String stage, AggregateState from) {
        this.stage = stage;
        this.settled = from.goesOn();
        from.again().forEach(left -> again.add(new Emission(left.before(), left.group())));
    }

    /// Everything that a gatherer emitted during one call.
    public static final class Emission {
        public final StateAt before;
        /// The number of its group in the table of the earlier run that has left it; [NodeTable#NONE] for one
        /// of this run.
        public final int restored;
        /// What it was made from; null for one that an earlier run has left.
        final Lineage.@Nullable Group members;
        private final @Nullable StateAt after;
        private Lineage.@Nullable Split split;

        private Emission(StateAt before, int restored) {
            this.before = before;
            this.restored = restored;
            this.members = null;
            this.after = null;
        }

        private Emission(StateAt before, Lineage.Group members, StateAt after, Lineage.@Nullable Split split) {
            this.before = before;
            this.restored = NodeTable.NONE;
            this.members = members;
            this.after = after;
            this.split = split;
        }

        /// The state behind it; known of an emission of this run.
        public StateAt left() {
            return Objects.requireNonNull(after);
        }

        /// Whether nothing of it comes any more; an emission of nothing is settled at once.
        private boolean isSettled() {
            return split == null ? members != null : split.isWhole();
        }

        private boolean isKept(Set<Lineage.Split> kept) {
            return isSettled() || kept.contains(split);
        }
    }

    /// The emissions that an earlier run has left, to be made again by the stage.
    public List<Emission> left() {
        return List.copyOf(again);
    }

    /// Where the gatherer goes on.
    StateAt goesOn() {
        return settled;
    }

    /// Records an emission.
    ///
    /// @param split what it was divided into; null for an emission of nothing, whose members are settled
    void add(StateAt before, Lineage.Group members, StateAt after, Lineage.@Nullable Split split) {
        prune();
        chain.add(new Emission(before, members, after, split));
    }

    /// Records that an emission of an earlier run was made again; `split` is null if nothing came of it.
    void made(Emission emission, Lineage.@Nullable Split split) {
        emission.split = split;
        if (split == null) {
            again.remove(emission);
        }
    }

    private void prune() {
        while (!chain.isEmpty() && chain.peekFirst().isSettled()) {
            settled = chain.removeFirst().left();
        }
        again.removeIf(Emission::isSettled);
    }

    /// Where a gatherer goes on, and which emissions before that are to be made again.
    record Left(StateAt goesOn, List<Emission> again) {}

    /// Goes back to the state behind which nothing was settled, and names the emissions before it that are not.
    ///
    /// @param kept what was divided and must be divided in the same way again, because a part of it is settled or
    ///     a later stage needs it
    Left state(Set<Lineage.Split> kept) {
        prune();
        List<Emission> list = List.copyOf(chain);
        int last = list.size() - 1;
        while (last >= 0 && !list.get(last).isKept(kept)) {
            last--;
        }
        List<Emission> left = new ArrayList<>(again);
        list.subList(0, last + 1).stream()
                .filter(emission -> !emission.isSettled())
                .forEach(left::add);
        return new Left(last < 0 ? settled : list.get(last).left(), left);
    }
}
