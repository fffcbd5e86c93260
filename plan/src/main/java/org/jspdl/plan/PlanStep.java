package org.jspdl.plan;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.plan.internal.LocatedNode.Field;
import org.jspdl.plan.internal.PlanKeywords;
import org.jspdl.plan.internal.SourceLocation;

/// One step of a plan. Immutable.
sealed interface PlanStep {

    /// A step that was not understood, which is an error of its own.
    record Unread() implements PlanStep {}

    /// Applies an operation to each item.
    ///
    /// @param name  the stage's name in statistics and errors; empty for the operation's name
    /// @param stage how it runs; empty if the step before it runs it
    record Apply(OperationCall call, Optional<Field> name, Optional<StageSettings> stage) implements PlanStep {
        String stageName() {
            return name.flatMap(field -> ValueType.text().read().apply(field.value()))
                    .orElse(call.operation());
        }
    }

    /// Collects items into lists.
    ///
    /// @param flushAfter the longest time that an incomplete batch waits; empty if it waits for its last item
    record Batch(SourceLocation location, int size, Remainder remainder, Optional<Duration> flushAfter)
            implements PlanStep {
        static final int MOST = Pipeline.MAX_BATCH_SIZE;
    }

    /// Passes on the elements of each item.
    record Unbatch(SourceLocation location) implements PlanStep {}

    /// Sends items through the steps that their key selects.
    ///
    /// @param by       the operation whose result, as a text, is the key; empty if it was not understood
    /// @param per      what is sent
    /// @param stage    how keys are asked for that come later; empty for keys that are there at once
    /// @param branches at least one; one without a key takes all other keys, else another key fails the run
    record Route(
            SourceLocation location,
            Optional<OperationCall> by,
            Per per,
            Optional<String> name,
            Optional<StageSettings> stage,
            List<Branch> branches)
            implements PlanStep {
        /// What a route sends.
        enum Per {
            /// Each item.
            ITEM,
            /// Each element of a list, which keeps its position.
            ELEMENT
        }

        /// The steps for one key.
        ///
        /// @param key empty for all other keys
        record Branch(Optional<String> key, List<PlanStep> steps) {
            String described() {
                return "'" + key.orElse(PlanKeywords.OTHERWISE) + "'";
            }
        }

        String keyword() {
            return per == Per.ITEM ? PlanKeywords.ROUTE : PlanKeywords.ROUTE_ELEMENTS;
        }
    }
}
