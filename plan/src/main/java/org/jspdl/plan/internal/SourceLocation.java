package org.jspdl.plan.internal;

/// A position in the text of a plan. Immutable.
///
/// @param line   counted from 1
/// @param column counted from 1, in code points
public record SourceLocation(int line, int column) implements Comparable<SourceLocation> {
    /// The first character.
    public static final SourceLocation START = new SourceLocation(1, 1);

    @Override
    public int compareTo(SourceLocation other) {
        return line == other.line ? Integer.compare(column, other.column) : Integer.compare(line, other.line);
    }
}
