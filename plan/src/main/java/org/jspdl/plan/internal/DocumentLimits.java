package org.jspdl.plan.internal;

/// Limits on a document, so that a hostile one costs little. They are far above what a person writes.
public final class DocumentLimits {
    /// Bytes of a file, and characters of a text.
    public static final int SIZE = 1 << 20;
    /// Levels of nested maps and lists.
    static final int DEPTH = 64;
    /// Values; an aliased value counts each time.
    static final int VALUES = 100_000;
    /// Errors listed in one message.
    static final int ERRORS = 20;

    private DocumentLimits() {}
}
