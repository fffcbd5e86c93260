package org.jspdl.pipeline.internal.function;

import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;

/// Ends the work on an item, the same way in every stage of one function: its result takes the room that was reserved
/// for it, or the room is released, and the input hears that the item is finished.
record Handover(Link input, Link output) {
    /// Passes the result on and tells the consumer.
    ///
    /// @param passed whether the envelope carries a result
    void finish(Envelope envelope, boolean passed) {
        if (passed) {
            output.put(envelope);
        } else {
            output.drop(envelope.sequence);
        }
        input.finished();
    }

    /// As [#finish]. The consumer hears of the result by [Link#announceItems], which the caller owes.
    ///
    /// @param another whether to reserve room for another result
    /// @return whether room is reserved for another
    boolean finishQuietly(Envelope envelope, boolean passed, boolean another) {
        boolean reserved = false;
        if (!passed) {
            output.drop(envelope.sequence);
        } else if (another) {
            reserved = output.putAndReserve(envelope);
        } else {
            output.putQuietly(envelope);
        }
        input.finished();
        return reserved;
    }
}
