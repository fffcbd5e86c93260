package org.jspdl.pipeline;

/// When an epoch of several mixed pipelines ends.
public enum StoppingStrategy {
    /// When all of them have ended; one that has ended is no longer drawn.
    ALL_EXHAUSTED,
    /// When the first of them has ended; what the others have left of the epoch is dropped.
    FIRST_EXHAUSTED
}
