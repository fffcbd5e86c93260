package org.jspdl.stats;

import java.util.List;

/// What the tuner of a run's `auto` stages has done.
///
/// @param state what it does at this moment
/// @param steps its last decisions, at most [#MOST_STEPS], oldest first
public record TuningStats(State state, List<TuningStep> steps) {
    /// Older decisions are forgotten.
    public static final int MOST_STEPS = 256;
    /// A run without an `auto` stage.
    public static final TuningStats OFF = new TuningStats(State.OFF, List.of());

    /// What a tuner does.
    public enum State {
        /// There is none.
        OFF,
        /// It waits for code to be compiled and queues to fill.
        WARMING_UP,
        /// It measures the run as it is.
        MEASURING,
        /// It measures a change.
        TRYING,
        /// It watches whether the work changes.
        SETTLED
    }

    /// Copies the list.
    public TuningStats {
        steps = List.copyOf(steps);
    }
}
