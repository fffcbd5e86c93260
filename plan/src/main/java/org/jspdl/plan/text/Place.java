package org.jspdl.plan.text;

/// A character of a document.
///
/// @param line   counted from 1
/// @param column counted from 1, in code points
record Place(int line, int column) implements Comparable<Place> {
    static final Place START = new Place(1, 1);

    @Override
    public int compareTo(Place other) {
        return line == other.line ? Integer.compare(column, other.column) : Integer.compare(line, other.line);
    }
}
