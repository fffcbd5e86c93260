package org.jspdl.pipeline;

/// The order in which a stage passes its results on.
public enum Order {
    /// As they are completed: a slow item delays nobody.
    COMPLETION,
    /// As their inputs came. If a failure ends the run, nothing that follows the failed item is passed on.
    INPUT
}
