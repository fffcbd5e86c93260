package org.jspdl.pipeline.internal.tune;

import java.util.List;

/// A change that a model expects to help, or to do no harm.
///
/// @param moves     one, or two that help only together
/// @param predicted throughput with it, as part of that without
/// @param raises    whether it uses more, so that it has to help
record Proposal(List<Move> moves, double predicted, boolean raises) {
    /// Another value of one knob.
    record Move(Knob knob, int from, int to) {
        /// What undoes it.
        Move back() {
            return new Move(knob, to, from);
        }
    }
}
