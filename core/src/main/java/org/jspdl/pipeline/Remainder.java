package org.jspdl.pipeline;

/// What becomes of the items left over when an epoch ends within a batch.
public enum Remainder {
    /// They form a last, smaller batch.
    KEEP,
    /// They are closed and not delivered.
    DROP
}
