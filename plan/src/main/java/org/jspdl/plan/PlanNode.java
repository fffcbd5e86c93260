package org.jspdl.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// A plan as a tree of plain values, which is what YAML and JSON hold. Immutable.
public sealed interface PlanNode {

    /// The value in the words of an error message.
    String described();

    /// No value, as in `decode:` with nothing behind it.
    record Nothing() implements PlanNode {
        @Override
        public String described() {
            return "nothing";
        }
    }

    /// A text.
    record Text(String value) implements PlanNode {
        private static final int SHOWN = 60;

        @Override
        public String described() {
            return "the text '" + (value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "...") + "'";
        }
    }

    /// A whole number.
    record Whole(long value) implements PlanNode {
        @Override
        public String described() {
            return String.valueOf(value);
        }
    }

    /// A number that was not written as a whole one; it may be infinite or no number.
    record Decimal(double value) implements PlanNode {
        @Override
        public String described() {
            return String.valueOf(value);
        }
    }

    /// A truth value.
    record Flag(boolean value) implements PlanNode {
        @Override
        public String described() {
            return String.valueOf(value);
        }
    }

    /// A list.
    record Items(List<PlanNode> items) implements PlanNode {
        /// Copies the list.
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String described() {
            return items.isEmpty() ? "an empty list" : "a list";
        }
    }

    /// Named values in the order in which they were written, which equality does not look at.
    record Fields(SequencedMap<String, PlanNode> fields) implements PlanNode {
        /// Copies the map.
        public Fields {
            fields = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(fields));
        }

        /// No fields.
        public static Fields none() {
            return new Fields(new LinkedHashMap<>());
        }

        /// One field.
        public static Fields of(String name, PlanNode value) {
            return new Fields(new LinkedHashMap<>(Map.of(name, value)));
        }

        @Override
        public String described() {
            List<String> names = new ArrayList<>(fields.keySet());
            return names.isEmpty() ? "an empty map" : "a map with '" + names.getFirst() + "'";
        }
    }
}
