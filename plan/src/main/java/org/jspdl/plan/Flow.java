package org.jspdl.plan;

import java.util.List;
import org.jspdl.pipeline.MixEnd;

/// Where items come from, and what happens to them. Immutable.
public record Flow(Start start, List<Step> steps) {
    /// Copies the steps.
    public Flow {
        steps = List.copyOf(steps);
    }

    /// Where items come from.
    public sealed interface Start {

        /// A source.
        record From(Call call) implements Start {}

        /// Several flows, in the order in which items arrive.
        record Merge(List<Flow> of) implements Start {
            /// Copies the flows.
            public Merge {
                of = several(of);
            }
        }

        /// Several flows, one item from each in turn.
        record RoundRobin(MixEnd end, List<Flow> of) implements Start {
            /// Copies the flows.
            public RoundRobin {
                of = several(of);
            }
        }

        /// Several flows, drawn at random by weight.
        record Mix(long seed, List<Double> weights, MixEnd end, List<Flow> of) implements Start {
            /// Copies both lists, and checks that each flow has a weight.
            public Mix {
                weights = List.copyOf(weights);
                of = several(of);
                if (weights.size() != of.size() || weights.stream().noneMatch(weight -> weight > 0)) {
                    throw new IllegalArgumentException("a mix of " + of.size()
                            + " flows needs a weight for each, one above 0, but had " + weights);
                }
            }
        }

        private static List<Flow> several(List<Flow> flows) {
            if (flows.isEmpty()) {
                throw new IllegalArgumentException("there is no flow to merge");
            }
            return List.copyOf(flows);
        }
    }
}
