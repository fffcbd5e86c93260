package org.jspdl.plan;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspdl.pipeline.ElementRoute;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Route;
import org.jspdl.pipeline.StageFunction;

/// The checked branches of a route.
///
/// @param name its name in statistics
/// @param key   the operation that gives the key
/// @param stage how keys are asked for that come later
record RouteBranches(String name, CallResolver.Use key, Optional<StageSettings> stage, List<Branch> branches) {

    /// One branch.
    ///
    /// @param key empty for all other keys
    record Branch(Optional<String> key, PipelineBuilder.Extend chain) {
        Function<Pipeline<Object>, Pipeline<Object>> in(PipelineBuilder builder) {
            return entry -> chain.build(builder, entry);
        }
    }

    Pipeline<Object> ofItems(PipelineBuilder builder, Pipeline<Object> before) {
        Route<Object, String> route =
                stage.isPresent() ? later(builder, before) : before.route(name, function(builder));
        Branch first = branches.getFirst();
        Route.Routed<Object, String, Object> routed = route.when(first.key.orElseThrow(), first.in(builder));
        for (Branch branch : branches.subList(1, branches.size())) {
            routed = branch.key.isPresent()
                    ? routed.when(branch.key.get(), branch.in(builder))
                    : routed.otherwise(branch.in(builder));
        }
        return routed.merge();
    }

    @SuppressWarnings("unchecked") // the plan was checked: items are lists
    Pipeline<Object> ofElements(PipelineBuilder builder, Pipeline<Object> before) {
        Pipeline<List<Object>> batches = (Pipeline<List<Object>>) (Pipeline<?>) before;
        ElementRoute<Object, Object> route = Pipeline.routeElements(batches, name, function(builder));
        for (Branch branch : branches) {
            route = branch.key.isPresent()
                    ? route.when(branch.key.get(), branch.in(builder))
                    : route.otherwise(branch.in(builder));
        }
        return ErasedPipelines.erase(route.merge());
    }

    private Route<Object, String> later(PipelineBuilder builder, Pipeline<Object> before) {
        if (key.operation().body() instanceof Operation.Body.OfAsync(var maker)) {
            return before.routeAsync(
                    name, ErasedPipelines.laterKey(builder.make(key, maker)), ErasedPipelines.options(stage, builder));
        }
        throw new IllegalStateException("'" + key.operation().name() + "' gives its keys at once");
    }

    private StageFunction<Object, String> function(PipelineBuilder builder) {
        if (key.operation().body() instanceof Operation.Body.OfFunction(var maker)) {
            return ErasedPipelines.key(builder.make(key, maker));
        }
        throw new IllegalStateException("'" + key.operation().name() + "' is no function");
    }
}
