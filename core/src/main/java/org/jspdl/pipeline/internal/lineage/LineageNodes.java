package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspdl.pipeline.internal.checkpoint.Node;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspecify.annotations.Nullable;

/// The numbers of lineages in a [NodeTable]. Groups and divisions are looked at once, however many items come of them.
public abstract sealed class LineageNodes {
    /// Stands for a lineage that was not looked up yet.
    static final int UNKNOWN = -2;

    final NodeTable table;

    private LineageNodes(NodeTable table) {
        this.table = table;
    }

    /// Adds lineages to `table`. Used by one thread.
    public static LineageNodes adding(NodeTable table) {
        return new Adding(table);
    }

    /// Finds lineages of this run in the table of an earlier one. Used by any thread.
    public static LineageNodes finding(NodeTable restored) {
        return new Finding(restored);
    }

    abstract int number(Node node);

    abstract int known(Lineage.Group group);

    abstract int known(Lineage.Split split);

    abstract int keep(Lineage.Group group, int number);

    abstract int keep(Lineage.Split split, int number);

    /// The table that the numbers belong to.
    public NodeTable table() {
        return table;
    }

    /// The number of `lineage`, or [NodeTable#NONE].
    ///
    /// Depth first, with a stack of its own: thousands of items within each other are no reason for as many calls.
    public int number(Lineage lineage) {
        int number = atOnce(lineage);
        if (number != UNKNOWN) {
            return number;
        }
        Deque<Open> open = new ArrayDeque<>();
        open.addLast(new Open(lineage));
        while (true) {
            Open last = open.getLast();
            Lineage next = last.next();
            number = next == null ? last.number() : atOnce(next);
            if (number == UNKNOWN && next != null) {
                open.addLast(new Open(next));
                continue;
            }
            if (next == null) {
                open.removeLast();
            }
            if (open.isEmpty()) {
                return number;
            }
            open.getLast().add(number);
        }
    }

    /// The number of a division, or [NodeTable#NONE].
    int number(Lineage.Split split) {
        int known = known(split);
        return known == UNKNOWN ? under(number(split.parent), split) : known;
    }

    /// The number of `lineage` if it takes no look at what it comes from, else [#UNKNOWN].
    private int atOnce(Lineage lineage) {
        return switch (lineage) {
            case Lineage.Origin origin -> number(new Node.Origin(origin.source, origin.epoch, origin.position));
            case Lineage.Group group -> known(group);
            case Lineage.Part part -> {
                int split = known(part.split);
                yield split == UNKNOWN ? split : of(split, part);
            }
            case Lineage.Element _, Lineage.Drawn _, Lineage.Thinned _ -> UNKNOWN;
        };
    }

    private int under(int parent, Lineage.Split split) {
        return keep(split, parent == NodeTable.NONE ? parent : number(new Node.Split(parent, split.stage)));
    }

    private int of(int split, Lineage.Part part) {
        return split == NodeTable.NONE ? split : number(new Node.Part(split, part.ordinal));
    }

    /// A lineage of which it is known what some of those are that it comes from.
    private final class Open {
        private final Lineage lineage;
        private final List<Integer> from = new ArrayList<>();

        Open(Lineage lineage) {
            this.lineage = lineage;
        }

        /// The next to look at; null if there are no more, or no more matter.
        @Nullable
        Lineage next() {
            if (!from.isEmpty() && from.getLast() == NodeTable.NONE) {
                return null;
            }
            return lineage instanceof Lineage.Group group
                    ? from.size() < group.members.length ? group.members[from.size()] : null
                    : from.isEmpty() ? lineage.parent() : null;
        }

        void add(int number) {
            from.add(number);
        }

        /// Its number, once all are known that it comes from.
        int number() {
            boolean missing = !from.isEmpty() && from.getLast() == NodeTable.NONE;
            return switch (lineage) {
                case Lineage.Group group ->
                    keep(group, missing ? NodeTable.NONE : LineageNodes.this.number(node(group)));
                case Lineage.Part part -> of(under(from.getLast(), part.split), part);
                case Lineage.Element element ->
                    missing
                            ? NodeTable.NONE
                            : LineageNodes.this.number(new Node.Element(from.getLast(), element.index));
                case Lineage.Drawn _, Lineage.Thinned _ -> from.getLast();
                case Lineage.Origin origin -> atOnce(origin);
            };
        }

        private Node node(Lineage.Group group) {
            return new Node.Group(group.stage, group.first().epoch, List.copyOf(from));
        }
    }

    /// Keeps the numbers beside the lineages, which belong to many checkpoints.
    private static final class Adding extends LineageNodes {
        private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

        Adding(NodeTable table) {
            super(table);
        }

        @Override
        int number(Node node) {
            return table.add(node);
        }

        @Override
        int known(Lineage.Group group) {
            return numbers.getOrDefault(group, UNKNOWN);
        }

        @Override
        int known(Lineage.Split split) {
            return numbers.getOrDefault(split, UNKNOWN);
        }

        @Override
        int keep(Lineage.Group group, int number) {
            numbers.put(group, number);
            return number;
        }

        @Override
        int keep(Lineage.Split split, int number) {
            numbers.put(split, number);
            return number;
        }
    }

    /// Keeps the numbers in the lineages, since a run goes on from one table. Several threads may look up the same
    /// one at once and find the same.
    private static final class Finding extends LineageNodes {
        Finding(NodeTable table) {
            super(table);
        }

        @Override
        int number(Node node) {
            return table.find(node);
        }

        @Override
        int known(Lineage.Group group) {
            return group.restored;
        }

        @Override
        int known(Lineage.Split split) {
            return split.restored;
        }

        @Override
        int keep(Lineage.Group group, int number) {
            group.restored = number;
            return number;
        }

        @Override
        int keep(Lineage.Split split, int number) {
            split.restored = number;
            return number;
        }
    }
}
