package org.jspdl.python;

import java.util.Set;
import org.jspdl.pipeline.Ticket;

/// What a [Group] hands over to each of its trainers, in this order. Immutable.
sealed interface Delivery {
    /// The run has started.
    ///
    /// @param text       what is said of it, as JSON
    /// @param generation the run
    /// @param ticket     marks its beginning
    record Ready(String text, Generation generation, Ticket ticket) implements Delivery {}

    /// A batch that lies in the ring.
    ///
    /// @param item      held once for each place that this record lies in
    /// @param structure of the batch
    /// @param offsets   where its arrays begin in the ring
    /// @param slots     that they lie in
    /// @param values    its other values, as a JSON list
    /// @param bytes     of all arrays
    /// @param generation the run
    /// @param ticket    marks what is behind the batch
    record Batch(
            SharedItem item,
            String structure,
            long[] offsets,
            Set<Integer> slots,
            String values,
            long bytes,
            Generation generation,
            Ticket ticket)
            implements Delivery {}

    /// An epoch is over.
    ///
    /// @param generation the run
    /// @param ticket     marks what is behind it
    record EpochEnd(Generation generation, Ticket ticket) implements Delivery {}

    /// All epochs are over.
    record End() implements Delivery {}

    /// The run has failed, or the plan cannot be used.
    ///
    /// @param text what is wrong, as JSON
    record Failed(String text) implements Delivery {}
}
