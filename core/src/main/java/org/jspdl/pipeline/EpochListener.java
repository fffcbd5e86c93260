package org.jspdl.pipeline;

/// Is told where in a pipeline epochs begin and end: see [Pipeline#epochs]. Called on the stage's thread, one call at a
/// time. What it throws ends the run.
public interface EpochListener {
    /// An epoch begins: its first item, or its end if it has none, has come, and nothing of it has passed.
    ///
    /// @param epoch counted from 0
    default void began(long epoch) throws Exception {}

    /// An epoch has ended: all its items have passed, and nothing of the next.
    ///
    /// @param items how many have passed in this run; fewer than the epoch has if the run was resumed in it, or if
    ///     the consumer has left it
    default void ended(long epoch, long items) throws Exception {}
}
