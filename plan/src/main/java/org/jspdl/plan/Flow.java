package org.jspdl.plan;

import java.util.List;
import java.util.Optional;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.plan.internal.SourceLocation;

/// Where items come from, and what happens to them. Immutable.
record Flow(Start start, List<PlanStep> steps) {

    /// Where items come from.
    sealed interface Start {

        /// A source that was not understood, which is an error of its own.
        record Unread() implements Start {}

        /// A source.
        record From(OperationCall call) implements Start {}

        /// Several flows, in the order in which items arrive, or that a policy chooses.
        record Merge(SourceLocation location, Optional<OperationCall> by, List<Flow> of) implements Start {}

        /// Several flows, one item from each in turn.
        record RoundRobin(SourceLocation location, StoppingStrategy end, List<Flow> of) implements Start {}

        /// Several flows, sampled by weight; `changes` is a file from which a run takes other weights.
        record Mix(
                SourceLocation location,
                org.jspdl.pipeline.Mix weights,
                Optional<String> changes,
                StoppingStrategy end,
                List<Flow> of)
                implements Start {
            /// One whose weights no file changes.
            public Mix(SourceLocation location, org.jspdl.pipeline.Mix weights, StoppingStrategy end, List<Flow> of) {
                this(location, weights, Optional.empty(), end, of);
            }
        }
    }
}
