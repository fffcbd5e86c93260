package org.jspdl.plan.internal;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A value of a document with its location. Immutable.
///
/// Values that an alias repeats are the same object, with the location where they were written.
public sealed interface LocatedNode {
    /// Where it was written.
    SourceLocation location();

    /// The value in the words of an error message.
    String description();

    /// Values in it, itself included; an aliased value counts each time.
    default long size() {
        return 1;
    }

    /// Nested levels of maps and lists, itself included.
    default int depth() {
        return 0;
    }

    /// No value, as in `decode:` with nothing behind it.
    record Empty(SourceLocation location) implements LocatedNode {
        @Override
        public String description() {
            return "nothing";
        }
    }

    /// A text.
    record Text(SourceLocation location, String value) implements LocatedNode {
        private static final int SHOWN = 60;

        @Override
        public String description() {
            return "the text '" + (value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "...") + "'";
        }
    }

    /// An integer.
    ///
    /// @param written its text, such as `007` or `0x10`
    record Whole(SourceLocation location, long value, String written) implements LocatedNode {
        @Override
        public String description() {
            return String.valueOf(value);
        }
    }

    /// A number that was not written as an integer; it may be infinite or NaN.
    ///
    /// @param written its text, such as `1.10`
    record Decimal(SourceLocation location, double value, String written) implements LocatedNode {
        @Override
        public String description() {
            return String.valueOf(value);
        }
    }

    /// A boolean.
    record Bool(SourceLocation location, boolean value) implements LocatedNode {
        @Override
        public String description() {
            return String.valueOf(value);
        }
    }

    /// A list.
    record Items(SourceLocation location, List<LocatedNode> items, long size, int depth) implements LocatedNode {
        /// Copies the list.
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String description() {
            return items.isEmpty() ? "an empty list" : "a list";
        }
    }

    /// Named values in the order in which they were written.
    record Fields(SourceLocation location, SequencedMap<String, Field> fields, long size, int depth)
            implements LocatedNode {
        /// Copies the map.
        public Fields {
            fields = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(fields));
        }

        @Override
        public String description() {
            return fields.isEmpty()
                    ? "an empty map"
                    : "a map with '" + fields.firstEntry().getKey() + "'";
        }
    }

    /// A named value of a map, or a whole plan, or an element of a list under the name of the list.
    ///
    /// @param location where the name was written; of an element, where the value was
    record Field(SourceLocation location, String name, LocatedNode value) {
        /// Where something is shown that should be in the value.
        public SourceLocation inside() {
            return value instanceof Items || value instanceof Fields ? location : value.location();
        }
    }
}
