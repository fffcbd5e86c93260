package org.jspdl.plan;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.source.Source;

/// The making of one pipeline from a checked plan. Used once, by one thread.
///
/// @param sizes gets the size of each source that is made
record Building(PlanContext context, Resources resources, List<OptionalLong> sizes) {

    /// Makes what comes first.
    @FunctionalInterface
    interface Begin {
        Pipeline<Object> build(Building building);
    }

    /// Adds a step.
    @FunctionalInterface
    interface Extend {
        Pipeline<Object> build(Building building, Pipeline<Object> before);

        default Extend then(Extend next) {
            return (building, before) -> next.build(building, build(building, before));
        }
    }

    UnaryOperator<FailurePolicy> finish() {
        return context.finish();
    }

    /// Makes the source at `path`.
    Pipeline<Object> begin(
            PlanPath path, Operation.Maker<? extends Source<?>> maker, Map<Parameter<?>, Object> values) {
        Source<?> source = make(path, maker, values);
        sizes.add(source.size());
        return Stages.from(source);
    }

    /// Makes what the operation at `path` does.
    <B> B make(PlanPath path, Operation.Maker<B> maker, Map<Parameter<?>, Object> values) {
        try {
            return maker.make(new Arguments(values, context, resources));
        } catch (Exception failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            String reason = failure.getMessage();
            throw new PlanException(Problem.name(path, reason == null ? failure.toString() : reason), failure);
        }
    }
}
