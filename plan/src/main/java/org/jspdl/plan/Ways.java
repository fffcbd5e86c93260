package org.jspdl.plan;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspdl.pipeline.ElementRoute;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Route;
import org.jspdl.pipeline.StageFunction;

/// The checked ways of a route.
///
/// @param name what statistics call it
/// @param at   where its key's operation stands
/// @param key  the operation that gives the key
record Ways(String name, PlanPath at, Calls.Use key, List<Way> ways) {

    /// One way.
    ///
    /// @param key empty for all other keys
    record Way(Optional<String> key, Building.Extend chain) {
        Function<Pipeline<Object>, Pipeline<Object>> in(Building building) {
            return entry -> chain.build(building, entry);
        }
    }

    Pipeline<Object> ofItems(Building building, Pipeline<Object> before) {
        Route<Object, String> route = before.route(name, function(building));
        Way first = ways.getFirst();
        Route.Routed<Object, String, Object> routed = route.when(first.key.orElseThrow(), first.in(building));
        for (Way way : ways.subList(1, ways.size())) {
            routed = way.key.isPresent()
                    ? routed.when(way.key.get(), way.in(building))
                    : routed.otherwise(way.in(building));
        }
        return routed.merge();
    }

    @SuppressWarnings("unchecked") // the plan was checked: items are lists
    Pipeline<Object> ofElements(Building building, Pipeline<Object> before) {
        Pipeline<List<Object>> batches = (Pipeline<List<Object>>) (Pipeline<?>) before;
        ElementRoute<Object, Object> route = Pipeline.routeElements(batches, name, function(building));
        for (Way way : ways) {
            route = way.key.isPresent()
                    ? route.when(way.key.get(), way.in(building))
                    : route.otherwise(way.in(building));
        }
        return Stages.erase(route.merge());
    }

    private StageFunction<Object, String> function(Building building) {
        if (key.operation().body() instanceof Operation.Body.OfFunction(var maker)) {
            return Stages.key(building.make(at, maker, key.values()));
        }
        throw new IllegalStateException("'" + key.operation().name() + "' is no function");
    }
}
