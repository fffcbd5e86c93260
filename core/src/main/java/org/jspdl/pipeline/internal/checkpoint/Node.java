package org.jspdl.pipeline.internal.checkpoint;

import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import org.jspdl.source.Position;

/// What an item is, in any run of the same recipe: a row of a [NodeTable], which names other nodes by their numbers.
public sealed interface Node {

    /// Passes on the numbers of the nodes that this one is made from.
    default void forEachChild(IntConsumer children) {}

    /// The same node of a table in which the nodes that this one is made from have other numbers.
    default Node renumbered(IntUnaryOperator numbers) {
        return this;
    }

    /// One item of a source.
    record Origin(int source, long epoch, Position position) implements Node {}

    /// Several items that became one in `stage`; none if a gatherer emitted without input.
    record Group(String stage, long epoch, List<Integer> members) implements Node {
        @Override
        public void forEachChild(IntConsumer children) {
            members.forEach(children::accept);
        }

        @Override
        public Node renumbered(IntUnaryOperator numbers) {
            return new Group(
                    stage, epoch, members.stream().map(numbers::applyAsInt).toList());
        }
    }

    /// The division of `parent` in `stage`.
    record Split(int parent, String stage) implements Node {
        @Override
        public void forEachChild(IntConsumer children) {
            children.accept(parent);
        }

        @Override
        public Node renumbered(IntUnaryOperator numbers) {
            return new Split(numbers.applyAsInt(parent), stage);
        }
    }

    /// One of the items that a division made.
    record Part(int split, long ordinal) implements Node {
        @Override
        public void forEachChild(IntConsumer children) {
            children.accept(split);
        }

        @Override
        public Node renumbered(IntUnaryOperator numbers) {
            return new Part(numbers.applyAsInt(split), ordinal);
        }
    }

    /// An element of a batch whose elements are under way one by one.
    record Element(int batch, int index) implements Node {
        @Override
        public void forEachChild(IntConsumer children) {
            children.accept(batch);
        }

        @Override
        public Node renumbered(IntUnaryOperator numbers) {
            return new Element(numbers.applyAsInt(batch), index);
        }
    }
}
