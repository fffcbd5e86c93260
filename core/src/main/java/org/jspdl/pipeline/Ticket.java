package org.jspdl.pipeline;

/// A mark behind one delivered item: everything up to it counts as delivered, everything after it doesn't.
///
/// Made by [Run#ticket] and passed to [Run#checkpoint(Ticket)] of the same run, at any time. For consumers that
/// prefetch: they take a ticket with each item and checkpoint at the one they have really used.
public interface Ticket {
    /// How many items the run had delivered.
    long delivered();
}
