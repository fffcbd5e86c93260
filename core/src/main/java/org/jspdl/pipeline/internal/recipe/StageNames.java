package org.jspdl.pipeline.internal.recipe;

/// Names the stages that a recipe's steps become.
public final class StageNames {
    /// Name of the stage that runs what is fused at the beginning of a sub-chain.
    public static final String ENTRY = "map";

    private StageNames() {}

    /// The name that a step's stage gets unless it is taken; empty for a step without a stage. Stages are named
    /// after those before them.
    public static String of(Recipe recipe) {
        return switch (recipe) {
            case Recipe.From from -> from.name();
            case Recipe.Pipe pipe -> pipe.name();
            case Recipe.FlatMap flatMap -> flatMap.name();
            case Recipe.Batch batch -> "batch(" + batch.size() + ")";
            case Recipe.Unbatch _ -> "unbatch";
            case Recipe.Aggregate aggregate -> aggregate.name();
            case Recipe.Merge merge -> merge.name();
            case Recipe.Route route -> route.name();
            case Recipe.Fused _, Recipe.Entry _ -> "";
        };
    }
}
