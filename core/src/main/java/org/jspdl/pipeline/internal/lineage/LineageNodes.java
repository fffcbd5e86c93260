package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspdl.pipeline.internal.checkpoint.Node;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;

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
    public int number(Lineage lineage) {
        return switch (lineage) {
            case Lineage.Origin origin -> number(new Node.Origin(origin.source, origin.epoch, origin.position));
            case Lineage.Group group -> {
                int known = known(group);
                yield known == UNKNOWN ? keep(group, lookUp(group)) : known;
            }
            case Lineage.Part part -> {
                int split = number(part.split);
                yield split == NodeTable.NONE ? split : number(new Node.Part(split, part.ordinal));
            }
            case Lineage.Element element -> {
                int batch = number(element.batch.whole());
                yield batch == NodeTable.NONE ? batch : number(new Node.Element(batch, element.index));
            }
            case Lineage.Drawn drawn -> number(drawn.item);
            case Lineage.Thinned thinned -> number(thinned.batch);
        };
    }

    /// The number of a division, or [NodeTable#NONE].
    int number(Lineage.Split split) {
        int known = known(split);
        if (known != UNKNOWN) {
            return known;
        }
        int parent = number(split.parent);
        return keep(split, parent == NodeTable.NONE ? parent : number(new Node.Split(parent, split.stage)));
    }

    private int lookUp(Lineage.Group group) {
        List<Integer> members = new ArrayList<>(group.members.length);
        for (Lineage member : group.members) {
            int number = number(member);
            if (number == NodeTable.NONE) {
                return number;
            }
            members.add(number);
        }
        return number(new Node.Group(group.stage, group.first().epoch, List.copyOf(members)));
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
