package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspdl.pipeline.internal.checkpoint.Ordinals;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// Which source items an item was made from, so that it is known when each of them is settled.
public abstract sealed class Lineage {

    /// The source item that an error message names.
    public abstract Origin first();

    /// The number by which observers know the item; 0 if there are none.
    public abstract long number();

    /// How many source items it was made from; one of which several parts went into it counts as often.
    public abstract long origins();

    /// Whether it holds source items as a whole: alone, or several. A part of one does not.
    public abstract boolean isOfWholeItems();

    /// Passes on the source items it was made from, in order. Thousands of groups within each other are no reason
    /// for as many calls.
    public final void collect(Consumer<Origin> origins) {
        if (this instanceof Origin origin) {
            origins.accept(origin);
            return;
        }
        Deque<Lineage> left = new ArrayDeque<>();
        Lineage next = this;
        while (next != null) {
            if (next instanceof Origin origin) {
                origins.accept(origin);
            } else {
                next.pushParents(left);
            }
            next = left.pollLast();
        }
    }

    /// Pushes what it directly comes from, the last first; nothing for a source item.
    abstract void pushParents(Deque<Lineage> parents);

    /// Passes on the divisions that it directly comes from.
    abstract void forEachSplit(Consumer<Split> splits);

    /// A short text for the item: the first source item that it was made from, and what became of that.
    @Override
    public abstract String toString();

    /// One item of a source: a node in the ledger's list of what is not settled.
    public static final class Origin extends Lineage {
        public final int source;
        public final long epoch;
        public final Position position;
        public long number;
        boolean settled;

        @SuppressWarnings("NullAway.Init") // the ledger links it in at once
        Origin previous;

        @SuppressWarnings("NullAway.Init")
        Origin next;

        public Origin(int source, long epoch, Position position) {
            this.source = source;
            this.epoch = epoch;
            this.position = position;
        }

        @Override
        public Origin first() {
            return this;
        }

        @Override
        public long number() {
            return number;
        }

        @Override
        public long origins() {
            return 1;
        }

        @Override
        public boolean isOfWholeItems() {
            return true;
        }

        @Override
        void pushParents(Deque<Lineage> parents) {}

        @Override
        void forEachSplit(Consumer<Split> splits) {}

        @Override
        public String toString() {
            return source + ":" + epoch + ":" + position.index()
                    + (position.state().isEmpty() ? "" : ":" + position.state());
        }
    }

    /// Several items that became one.
    public static final class Group extends Lineage {
        final String stage;
        public final Lineage[] members;
        private final Origin first;
        private final long origins;
        private final boolean ofWholeItems;
        public long number;
        /// Its number in the table of an earlier run, once it was looked up.
        int restored = LineageNodes.UNKNOWN;

        public Group(String stage, Lineage[] members) {
            this(stage, members, members[0].first());
        }

        /// @param first the source item that an error message names
        public Group(String stage, Lineage[] members, Origin first) {
            this.stage = stage;
            this.members = members;
            this.first = first;
            long sum = 0;
            for (Lineage member : members) {
                sum += member.origins();
            }
            this.origins = sum;
            this.ofWholeItems = members.length > 0 && members[0].isOfWholeItems();
        }

        @Override
        public Origin first() {
            return first;
        }

        @Override
        public long number() {
            return number;
        }

        @Override
        public long origins() {
            return origins;
        }

        @Override
        public boolean isOfWholeItems() {
            return ofWholeItems;
        }

        @Override
        void pushParents(Deque<Lineage> parents) {
            for (int i = members.length - 1; i >= 0; i--) {
                parents.addLast(members[i]);
            }
        }

        @Override
        void forEachSplit(Consumer<Split> splits) {
            for (Lineage member : members) {
                member.forEachSplit(splits);
            }
        }

        @Override
        public String toString() {
            return members.length == 0 ? "[]" : "[" + members[0] + (members.length == 1 ? "]" : ",...]");
        }
    }

    /// One of several items that one became.
    public static final class Part extends Lineage {
        public final Split split;
        final long ordinal;

        Part(Split split, long ordinal) {
            this.split = split;
            this.ordinal = ordinal;
        }

        @Override
        public Origin first() {
            return split.first;
        }

        @Override
        public long number() {
            return split.parent.number();
        }

        @Override
        public long origins() {
            return split.parent.origins();
        }

        @Override
        public boolean isOfWholeItems() {
            return false;
        }

        @Override
        void pushParents(Deque<Lineage> parents) {
            parents.addLast(split.parent);
        }

        @Override
        void forEachSplit(Consumer<Split> splits) {
            splits.accept(split);
        }

        @Override
        public String toString() {
            return split.parent + ">" + split.stage + "#" + ordinal;
        }
    }

    /// An item that a seeded merge chose by its draw number.
    static final class Drawn extends Lineage {
        final Lineage item;
        final MixProgress draws;
        final long draw;

        Drawn(Lineage item, MixProgress draws, long draw) {
            this.item = item;
            this.draws = draws;
            this.draw = draw;
        }

        @Override
        public Origin first() {
            return item.first();
        }

        @Override
        public long number() {
            return item.number();
        }

        @Override
        public long origins() {
            return item.origins();
        }

        @Override
        public boolean isOfWholeItems() {
            return item.isOfWholeItems();
        }

        @Override
        void pushParents(Deque<Lineage> parents) {
            parents.addLast(item);
        }

        @Override
        void forEachSplit(Consumer<Split> splits) {
            item.forEachSplit(splits);
        }

        @Override
        public String toString() {
            return item.toString();
        }
    }

    /// A batch of which some elements were skipped in sub-chains. Their failures are settled with it, because they
    /// fail again if it comes again.
    public static final class Thinned extends Lineage {
        public final Lineage batch;
        final List<FailureCount> failures;

        public Thinned(Lineage batch, List<FailureCount> failures) {
            this.batch = batch;
            this.failures = failures;
        }

        @Override
        public Origin first() {
            return batch.first();
        }

        @Override
        public long number() {
            return batch.number();
        }

        @Override
        public long origins() {
            return batch.origins();
        }

        @Override
        public boolean isOfWholeItems() {
            return batch.isOfWholeItems();
        }

        @Override
        void pushParents(Deque<Lineage> parents) {
            parents.addLast(batch);
        }

        @Override
        void forEachSplit(Consumer<Split> splits) {
            batch.forEachSplit(splits);
        }

        @Override
        public String toString() {
            return batch.toString();
        }
    }

    /// An element of a batch that is taken apart and put together again.
    public static final class Element extends Lineage {
        public final ElementBatch batch;
        public final int index;

        public Element(ElementBatch batch, int index) {
            this.batch = batch;
            this.index = index;
        }

        @Override
        public Origin first() {
            return batch.whole().first();
        }

        @Override
        public long number() {
            return batch.whole().number();
        }

        @Override
        public long origins() {
            return 1;
        }

        @Override
        public boolean isOfWholeItems() {
            return batch.whole().isOfWholeItems();
        }

        @Override
        void pushParents(Deque<Lineage> parents) {
            parents.addLast(batch.whole());
        }

        @Override
        void forEachSplit(Consumer<Split> splits) {
            batch.whole().forEachSplit(splits);
        }

        @Override
        public String toString() {
            return batch.whole() + "@" + index;
        }
    }

    /// The division of one item into parts; guarded by the ledger's lock.
    public static final class Split {
        public final Lineage parent;
        final Origin first;
        final String stage;
        /// The parts that are settled, also those of an earlier run, which are not to come again.
        Ordinals settled = new Ordinals();
        long settledCount;
        long emitted;
        boolean ended;

        /// Its number in the table of an earlier run, once it was looked up.
        int restored = LineageNodes.UNKNOWN;

        @Nullable
        FailureCount skippedBy;

        Split(Lineage parent, String stage) {
            this.parent = parent;
            this.first = parent.first();
            this.stage = stage;
        }

        /// Whether every part has come and is settled.
        boolean isWhole() {
            return ended && settledCount == emitted;
        }
    }
}
