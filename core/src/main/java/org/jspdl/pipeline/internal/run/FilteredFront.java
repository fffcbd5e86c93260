package org.jspdl.pipeline.internal.run;

import java.util.concurrent.CompletableFuture;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.StagePredicate;
import org.jspdl.pipeline.internal.recipe.Recipe;

/// All steps of a recipe for single places, of which a filter may drop some: a dropped item goes on as [#DROPPED]
/// through the steps behind, which do not see it, so that every place still has one item.
final class FilteredFront {
    /// Stands for an item that was dropped.
    static final Object DROPPED = new Object() {
        @Override
        public String toString() {
            return "dropped by a filter";
        }
    };

    private FilteredFront() {}

    /// Says how a stage runs here.
    @FunctionalInterface
    interface Options {
        StageOptions of(StageOptions given);
    }

    /// @throws IllegalArgumentException if a step makes something else than one item of one, or none
    static Recipe of(String pipeline, Recipe recipe, Options options) {
        Recipe front = Recipe.chain(recipe).getFirst();
        for (Recipe step : Recipe.chain(recipe)) {
            front = switch (step) {
                case Recipe.From _, Recipe.Epochs _ -> front; // single places are no epoch
                case Recipe.Pipe pipe ->
                    new Recipe.Pipe(front, pipe.name(), passing(pipe.body()), options.of(pipe.options()), pipe.site());
                case Recipe.Fused fused -> new Recipe.Fused(front, passing(fused.step()), fused.site());
                case Recipe.Batch _,
                        Recipe.FlatMap _,
                        Recipe.Unbatch _,
                        Recipe.Aggregate _,
                        Recipe.Merge _,
                        Recipe.Route _,
                        Recipe.Entry _ ->
                    throw new IllegalArgumentException("pipeline '" + pipeline
                            + "': places can't be run through '" + step.signature()
                            + "', which does not make one item of one: leave it out");
            };
        }
        return front;
    }

    private static Recipe.FusedStep passing(Recipe.FusedStep step) {
        return switch (step) {
            case Recipe.FusedStep.Map(var function) -> new Recipe.FusedStep.Map(passing(function));
            case Recipe.FusedStep.Weigh(var weight) ->
                new Recipe.FusedStep.Weigh(item -> item == DROPPED ? 0 : weight.applyAsLong(item));
            case Recipe.FusedStep.Filter(var predicate) ->
                new Recipe.FusedStep.Map(passing(item -> kept(item, predicate)));
            case Recipe.FusedStep.Note note -> note;
        };
    }

    private static Recipe.Body passing(Recipe.Body body) {
        return switch (body) {
            case Recipe.Body.Plain(var function) -> new Recipe.Body.Plain(passing(function));
            case Recipe.Body.Seeded(var function) ->
                new Recipe.Body.Seeded((item, random) -> item == DROPPED ? item : function.apply(item, random));
            case Recipe.Body.InEpoch(var function) ->
                new Recipe.Body.InEpoch((item, epoch) -> item == DROPPED ? item : function.apply(item, epoch));
            case Recipe.Body.Async(var function) ->
                new Recipe.Body.Async(
                        item -> item == DROPPED ? CompletableFuture.completedStage(item) : function.apply(item));
        };
    }

    private static StageFunction<Object, Object> passing(StageFunction<Object, Object> function) {
        return item -> item == DROPPED ? item : function.apply(item);
    }

    private static Object kept(Object item, StagePredicate<Object> predicate) throws Exception {
        if (predicate.test(item)) {
            return item;
        }
        if (item instanceof AutoCloseable closeable) {
            closeable.close();
        }
        return DROPPED;
    }
}
