package org.jspdl.pipeline.internal.tune;

import java.util.List;

/// A change that is worth a trial.
///
/// @param moves     one, or two that help only together
/// @param predicted throughput with it, as part of that without
/// @param raises    whether it uses more, so that it has to help
/// @param why       what is expected of it, for people
record Proposal(List<Move> moves, double predicted, boolean raises, String why) {
    /// What is expected of undoing it; 0 if nothing is, as where the model expects that nothing would come with it.
    double predictedBack() {
        return predicted > 0 ? 1 / predicted : 0;
    }

    /// Another value of one knob.
    record Move(Knob knob, int from, int to) {
        /// What undoes it.
        Move back() {
            return new Move(knob, to, from);
        }
    }
}
