package org.jspdl.pipeline.internal.tune;

import java.util.List;

/// A change that is worth a trial.
///
/// @param moves     one, or some that help only together
/// @param predicted throughput with it, as part of that without
/// @param aim       what it is tried for
/// @param why       what is expected of it, for people
record Proposal(List<Move> moves, double predicted, Aim aim, String why) {
    enum Aim {
        /// More throughput, as the model expects it.
        MORE,
        /// More throughput, by what the model knows nothing of.
        BURSTS,
        /// More of the processors for the consumer.
        GIVE_WAY,
        /// The same throughput of less.
        SAVE
    }

    /// Whether it uses more, so that it has to help; else it must do no harm.
    boolean raises() {
        return aim == Aim.MORE || aim == Aim.BURSTS;
    }

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
