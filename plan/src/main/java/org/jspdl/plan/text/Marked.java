package org.jspdl.plan.text;

import java.util.List;
import org.jspdl.plan.PlanNode;

/// A value of a document with its place. Values that are repeated by alias are the same object. Immutable.
sealed interface Marked {
    Place place();

    /// Values in it, itself included; what is repeated counts as often.
    long size();

    /// Levels of maps and lists, itself included.
    int depth();

    record Scalar(Place place, PlanNode value) implements Marked {
        @Override
        public long size() {
            return 1;
        }

        @Override
        public int depth() {
            return 0;
        }
    }

    record Sequence(Place place, List<Marked> items, long size, int depth) implements Marked {}

    record Mapping(Place place, List<Entry> entries, long size, int depth) implements Marked {}

    record Entry(Place place, String key, Marked value) {}
}
