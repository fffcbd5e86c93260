package org.jspdl.plan;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.plan.internal.PlanErrorException;
import org.jspdl.plan.internal.Resources;
import org.jspdl.source.Source;

/// Builds one pipeline from a checked plan. Used once, by one thread.
///
/// @param sizes gets the size of each source that is made
record PipelineBuilder(PlanContext context, Resources resources, List<OptionalLong> sizes) {

    /// Makes what comes first.
    @FunctionalInterface
    interface Begin {
        Pipeline<Object> build(PipelineBuilder builder);
    }

    /// Adds a step.
    @FunctionalInterface
    interface Extend {
        Pipeline<Object> build(PipelineBuilder builder, Pipeline<Object> before);

        default Extend then(Extend next) {
            return (builder, before) -> next.build(builder, build(builder, before));
        }
    }

    UnaryOperator<FailurePolicy> finish() {
        return context.finish();
    }

    Path resolved(String path) {
        return context.folder().resolve(path);
    }

    /// Makes the source that `use` names.
    Pipeline<Object> begin(CallResolver.Use use, Operation.Maker<? extends Source<?>> maker) {
        Source<?> source = make(use, maker);
        sizes.add(source.size());
        return ErasedPipelines.from(source);
    }

    /// Makes what the operation of `use` does.
    <B> B make(CallResolver.Use use, Operation.Maker<B> maker) {
        return make("", use, maker);
    }

    /// The same in a stage of its own.
    <B> B make(String stage, CallResolver.Use use, Operation.Maker<B> maker) {
        try {
            return maker.make(new Arguments(stage, use.values(), context, resources));
        } catch (Exception failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            String reason = failure.getMessage();
            throw new PlanErrorException(use.call().location(), reason == null ? failure.toString() : reason, failure);
        }
    }
}
