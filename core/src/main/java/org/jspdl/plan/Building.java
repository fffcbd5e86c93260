package org.jspdl.plan;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Pipeline;

/// The making of one pipeline from a checked plan. Used once, by one thread.
record Building(PlanContext context, Resources resources) {

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

    /// Makes what the operation at `path` does.
    <B> B make(PlanPath path, Operation.Maker<B> maker, Map<Parameter<?>, Object> values) {
        Path folder = context.folder();
        try {
            return maker.make(new Arguments(values, folder, resources));
        } catch (Exception failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            String reason = failure.getMessage();
            throw new PlanException(Problem.name(path, reason == null ? failure.toString() : reason), failure);
        }
    }
}
