package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.function.UnaryOperator;

/// A numbered table of [nodes][Node], each of which is made only from nodes before it.
///
/// Every node is there once, so the table grows with the items in flight and not with the ways in which they are made
/// from each other. Filled by one thread; then read by any.
public final class NodeTable {
    /// Stands for a node that is not in the table.
    public static final int NONE = -1;

    private final List<Node> nodes = new ArrayList<>();
    private final Map<Node, Integer> numbers = new HashMap<>();

    /// The number of `node`, which is added unless it is there.
    public int add(Node node) {
        Integer known = numbers.putIfAbsent(node, nodes.size());
        if (known != null) {
            return known;
        }
        nodes.add(node);
        return nodes.size() - 1;
    }

    /// The number of `node`, or [#NONE].
    public int find(Node node) {
        return numbers.getOrDefault(node, NONE);
    }

    public Node node(int number) {
        return nodes.get(number);
    }

    public int size() {
        return nodes.size();
    }

    /// Passes on every group, in the order of the table.
    public void forEachGroup(ObjIntConsumer<Node.Group> groups) {
        for (int number = 0; number < nodes.size(); number++) {
            if (nodes.get(number) instanceof Node.Group group) {
                groups.accept(group, number);
            }
        }
    }

    /// Passes on every item of a source, in the order of the table.
    public void forEachOrigin(Consumer<Node.Origin> origins) {
        for (Node node : nodes) {
            if (node instanceof Node.Origin origin) {
                origins.accept(origin);
            }
        }
    }

    /// By number, the epoch of what a node is made from.
    public long[] epochs() {
        long[] epochs = new long[nodes.size()];
        for (int number = 0; number < epochs.length; number++) {
            epochs[number] = switch (nodes.get(number)) {
                case Node.Origin origin -> origin.epoch();
                case Node.Group group -> group.epoch();
                case Node.Split split -> epochs[split.parent()];
                case Node.Part part -> epochs[part.split()];
                case Node.Element element -> epochs[element.batch()];
            };
        }
        return epochs;
    }

    public boolean hasGroups() {
        return nodes.stream().anyMatch(Node.Group.class::isInstance);
    }

    /// The nodes that `roots` are made from, and these.
    public BitSet reachable(Collection<Integer> roots) {
        BitSet reached = new BitSet(nodes.size());
        roots.forEach(reached::set);
        for (int number = reached.length() - 1; number >= 0; number = reached.previousSetBit(number - 1)) {
            nodes.get(number).forEachChild(reached::set);
        }
        return reached;
    }

    /// Adds the nodes of `other` that are `wanted`, which has all nodes that these are made from.
    ///
    /// @param changed what becomes of an item of a source, and of a group without members
    /// @return by number in `other`, the number here
    public int[] addAll(NodeTable other, BitSet wanted, UnaryOperator<Node> changed) {
        int[] here = new int[other.size()];
        for (int number = wanted.nextSetBit(0); number >= 0; number = wanted.nextSetBit(number + 1)) {
            Node node = other.node(number);
            boolean isLeaf = node instanceof Node.Origin
                    || (node instanceof Node.Group group && group.members().isEmpty());
            here[number] = add(isLeaf ? changed.apply(node) : node.renumbered(made -> here[made]));
        }
        return here;
    }
}
