package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspdl.pipeline.internal.checkpoint.Ordinals;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// Which source items an item was made from, so that it is known when each of them is settled.
public abstract sealed class Lineage {

    // Thousands of items within each other are no reason for as many calls: what follows walks from one to the
    // next.

    /// The item that it directly comes from, if that is one and stands for it: it is neither a source item nor a
    /// group.
    abstract Lineage parent();

    /// What it comes from that is no drawn or thinned item, no part and no element: a source item or a group.
    private Lineage root() {
        Lineage root = this;
        while (root.parent() != root) {
            root = root.parent();
        }
        return root;
    }

    /// The source item that an error message names.
    public final Origin first() {
        return root() instanceof Group group ? group.first : (Origin) root();
    }

    /// The number by which observers know the item; 0 if there are none.
    public final long number() {
        return root() instanceof Group group ? group.number : ((Origin) root()).number;
    }

    /// How many source items it was made from; one of which several parts went into it counts as often.
    public final long origins() {
        Lineage of = this;
        while (of.parent() != of && !(of instanceof Element)) {
            of = of.parent();
        }
        return of instanceof Group group ? group.origins : 1;
    }

    /// Whether it holds source items as a whole: alone, or several. A part of one does not.
    public final boolean isOfWholeItems() {
        Lineage of = this;
        while (of.parent() != of && !(of instanceof Part)) {
            of = of.parent();
        }
        return of instanceof Group group ? group.ofWholeItems : of instanceof Origin;
    }

    /// Passes on the source items it was made from, in order.
    public final void collect(Consumer<Origin> origins) {
        walk(next -> {
            if (next instanceof Origin origin) {
                origins.accept(origin);
                return false;
            }
            return true;
        });
    }

    /// Passes on the divisions that it directly comes from.
    final void forEachSplit(Consumer<Split> splits) {
        walk(next -> {
            if (next instanceof Part part) {
                splits.accept(part.split);
                return false;
            }
            return true;
        });
    }

    /// The last draw of a mix that it was made from; null if there is none.
    final @Nullable Drawn lastDraw(MixProgress of) {
        Drawn[] last = new Drawn[1];
        walk(next -> {
            if (next instanceof Drawn drawn && drawn.draws == of) {
                last[0] = last[0] == null || drawn.draw > last[0].draw ? drawn : last[0];
                return false;
            }
            return true;
        });
        return last[0];
    }

    /// Looks at it and at what it comes from, in order, as far as `goesOn` says.
    private void walk(Predicate<Lineage> goesOn) {
        if (!goesOn.test(this)) {
            return;
        }
        Deque<Lineage> left = new ArrayDeque<>();
        pushParents(left);
        for (Lineage next = left.pollLast(); next != null; next = left.pollLast()) {
            if (goesOn.test(next)) {
                next.pushParents(left);
            }
        }
    }

    /// Pushes what it directly comes from, the last first; nothing for a source item.
    void pushParents(Deque<Lineage> parents) {
        parents.addLast(parent());
    }

    /// A short text for the item: the first source item that it was made from, and what became of that.
    @Override
    public final String toString() {
        StringBuilder before = new StringBuilder();
        Deque<String> behind = new ArrayDeque<>();
        Lineage of = this;
        while (!(of instanceof Origin)) {
            if (of instanceof Group group) {
                before.append('[');
                behind.addLast(group.members.length > 1 ? ",...]" : "]");
                if (group.members.length == 0) {
                    break;
                }
                of = group.members[0];
            } else {
                if (of instanceof Part part) {
                    behind.addLast(">" + part.split.stage + "#" + part.ordinal);
                } else if (of instanceof Element element) {
                    behind.addLast("@" + element.index);
                }
                of = of.parent();
            }
        }
        if (of instanceof Origin origin) {
            before.append(origin.text());
        }
        while (!behind.isEmpty()) {
            before.append(behind.removeLast());
        }
        return before.toString();
    }

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
        Lineage parent() {
            return this;
        }

        @Override
        void pushParents(Deque<Lineage> parents) {}

        private String text() {
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
        Lineage parent() {
            return this;
        }

        @Override
        void pushParents(Deque<Lineage> parents) {
            for (int i = members.length - 1; i >= 0; i--) {
                parents.addLast(members[i]);
            }
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
        Lineage parent() {
            return split.parent;
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
        Lineage parent() {
            return item;
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
        Lineage parent() {
            return batch;
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
        Lineage parent() {
            return batch.whole();
        }
    }

    /// The division of one item into parts; guarded by the ledger's lock.
    public static final class Split {
        public final Lineage parent;
        final String stage;
        /// The parts that are settled, also those of an earlier run, which are not to come again.
        Ordinals settled = new Ordinals();
        long settledCount;
        long emitted;
        boolean ended;
        /// Whether a part was dropped because its epoch was left.
        boolean left;

        /// Its number in the table of an earlier run, once it was looked up.
        int restored = LineageNodes.UNKNOWN;

        @Nullable
        FailureCount skippedBy;

        Split(Lineage parent, String stage) {
            this.parent = parent;
            this.stage = stage;
        }

        /// Whether every part has come and is settled.
        boolean isWhole() {
            return ended && settledCount == emitted;
        }
    }
}
