package org.jspdl.plan.text;

/// How much of a document is read, so that a hostile one costs little. Far above what a person writes.
final class Limits {
    /// Bytes of a file, and characters of a text.
    static final int SIZE = 1 << 20;
    /// Maps and lists within each other.
    static final int DEPTH = 64;
    /// Values, each counted as often as an alias repeats it.
    static final int VALUES = 100_000;
    /// Problems listed in one message.
    static final int PROBLEMS = 20;

    private Limits() {}
}
