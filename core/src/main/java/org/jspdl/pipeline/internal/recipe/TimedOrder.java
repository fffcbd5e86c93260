package org.jspdl.pipeline.internal.recipe;

import java.util.Optional;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.StageOptions;

/// Finds the steps of a recipe where time decides what comes next.
public final class TimedOrder {
    private TimedOrder() {}

    /// The first such step, as a sentence.
    public static Optional<String> find(Recipe recipe) {
        for (Recipe step : Recipe.chain(recipe)) {
            Optional<String> found = step instanceof Recipe.Merge merge
                    ? merge.inputs().stream()
                            .map(TimedOrder::find)
                            .flatMap(Optional::stream)
                            .findFirst()
                    : Optional.empty();
            found = found.isPresent() ? found : ofStep(step);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> ofStep(Recipe step) {
        return switch (step) {
            case Recipe.Pipe pipe -> ofStage(pipe.name(), pipe.options());
            case Recipe.FlatMap flatMap -> ofStage(flatMap.name(), flatMap.options());
            case Recipe.Batch batch
            when batch.flushAfter().isPresent() -> Optional.of(batch.signature() + " may be cut short by time");
            case Recipe.Merge(var _, var name, Recipe.MergePolicy.Arrival _, var _) ->
                Optional.of("'" + name + "' takes what comes first");
            case Recipe.Route route -> Optional.of("the branches of route '" + route.name() + "' overtake each other");
            case Recipe.Batch _,
                    Recipe.Merge _,
                    Recipe.From _,
                    Recipe.Fused _,
                    Recipe.Unbatch _,
                    Recipe.Aggregate _,
                    Recipe.Epochs _,
                    Recipe.Entry _ -> Optional.empty();
        };
    }

    private static Optional<String> ofStage(String stage, StageOptions options) {
        return !options.isTimed()
                ? Optional.empty()
                : Optional.of("stage '" + stage + "' "
                        + (options.order() == Order.COMPLETION
                                ? "delivers in completion order"
                                : "lets others pass items that are late"));
    }
}
