package org.jspdl.pipeline.internal;

import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// Which source items an item was made from, so that it is known when each of them is settled.
abstract sealed class Lineage {

    /// The source item that an error message names.
    abstract Origin first();

    /// One item of a source: a node in the ledger's list of what is not settled.
    static final class Origin extends Lineage {
        final int source;
        final long epoch;
        final Position position;
        boolean settled;

        @Nullable
        Origin previous;

        @Nullable
        Origin next;

        Origin(int source, long epoch, Position position) {
            this.source = source;
            this.epoch = epoch;
            this.position = position;
        }

        @Override
        Origin first() {
            return this;
        }
    }

    /// Several items that became one.
    static final class Group extends Lineage {
        final Lineage[] members;

        Group(Lineage[] members) {
            this.members = members;
        }

        @Override
        Origin first() {
            return members[0].first();
        }
    }

    /// One of several items that one became.
    static final class Part extends Lineage {
        final Split split;
        final long ordinal;

        Part(Split split, long ordinal) {
            this.split = split;
            this.ordinal = ordinal;
        }

        @Override
        Origin first() {
            return split.parent.first();
        }
    }

    /// The division of one item into parts; guarded by the ledger's lock.
    static final class Split {
        final Lineage parent;
        long emitted;
        long settled;
        boolean ended;

        Split(Lineage parent) {
            this.parent = parent;
        }
    }
}
