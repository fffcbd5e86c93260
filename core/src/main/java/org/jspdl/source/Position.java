package org.jspdl.source;

import org.jspdl.internal.Arguments;

/// A place between two items of one epoch of a source: the place from which the next item comes.
///
/// Small, immutable and comparable by value; equal positions of equal sources replay equal items. Sources whose items
/// are numbered use the index alone. Others put what they need to find the place again into `state`, as text.
///
/// @param index how many items of the epoch lie before this place
/// @param state what else the source needs to find the place; empty for most
public record Position(long index, String state) {
    /// The beginning of an epoch.
    public static final Position START = new Position(0, "");

    /// Checks that the index is not negative.
    public Position {
        Arguments.notNegative("index", index);
    }

    /// The place before the item with this index.
    public static Position at(long index) {
        return index == 0 ? START : new Position(index, "");
    }

    // Written out, since a start compares positions: the ones that a record gets are made at run time, which takes
    // longer.
    @Override
    public boolean equals(Object other) {
        return other instanceof Position that && index == that.index && state.equals(that.state);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(index) + state.hashCode();
    }

    /// For messages; the state is for the source alone.
    @Override
    public String toString() {
        return "index " + index;
    }
}
