package org.jspdl.plan;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspdl.pipeline.Remainder;

/// One step of a plan. Immutable.
public sealed interface Step {

    /// Applies an operation to each item.
    ///
    /// @param name  what statistics and errors call the stage; empty for the operation's name
    /// @param stage how it runs; empty if the step before it runs it
    record Apply(Call call, Optional<String> name, Optional<Stage> stage) implements Step {
        /// Applies an operation in a stage.
        public static Apply of(Call call, Stage stage) {
            return new Apply(call, Optional.empty(), Optional.of(stage));
        }

        /// Applies an operation in the step before.
        public static Apply fused(Call call) {
            return new Apply(call, Optional.empty(), Optional.empty());
        }
    }

    /// Gathers items into lists.
    ///
    /// @param flushAfter when an incomplete batch is passed on at the latest; empty to wait for its last item
    record Batch(int size, Remainder remainder, Optional<Duration> flushAfter) implements Step {
        static final int MOST = 1_000_000;

        /// Checks the numbers.
        public Batch {
            Stage.require("the size of a batch", size, MOST);
            if (flushAfter.isPresent() && !flushAfter.get().isPositive()) {
                throw new IllegalArgumentException("flushAfter must be positive but was " + flushAfter.get());
            }
        }
    }

    /// Passes on the elements of each item.
    record Unbatch() implements Step {}

    /// Sends items through the steps that their key names.
    ///
    /// @param by        the operation whose result, as a text, is the key
    /// @param per       what is sent
    /// @param ways      the steps for each key
    /// @param otherwise the steps for all other keys; empty if another key fails the run
    record Route(
            Call by,
            Per per,
            Optional<String> name,
            SequencedMap<String, List<Step>> ways,
            Optional<List<Step>> otherwise)
            implements Step {
        /// What a route sends.
        public enum Per {
            /// Each item.
            ITEM,
            /// Each element of a list, which takes its old place again.
            ELEMENT
        }

        /// Copies the ways, and checks that there is one.
        public Route {
            SequencedMap<String, List<Step>> copy = new LinkedHashMap<>();
            ways.forEach((key, steps) -> copy.put(key, List.copyOf(steps)));
            ways = Collections.unmodifiableSequencedMap(copy);
            otherwise = otherwise.map(List::copyOf);
            if (ways.isEmpty()) {
                throw new IllegalArgumentException("a route needs at least one way");
            }
        }
    }
}
