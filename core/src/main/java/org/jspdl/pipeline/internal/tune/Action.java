package org.jspdl.pipeline.internal.tune;

import java.util.Optional;
import org.jspdl.pipeline.Tuning;
import org.jspdl.stats.TuningStep;

/// A decision of a tuner, and what has to be changed for it.
///
/// @param step   the decision
/// @param tuning to be done before the tuner is shown the run again; empty if nothing changes
public record Action(TuningStep step, Optional<Tuning> tuning) {}
