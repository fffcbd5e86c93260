package org.jspdl.pipeline.internal.recipe;

import java.util.HashSet;
import java.util.Set;

/// Names the stages that a recipe's steps become: gives each name once. Used by one thread.
public final class StageNames {
    /// Name of the stage that runs what is fused at the beginning of a sub-chain.
    public static final String ENTRY = "map";

    private final Set<String> given = new HashSet<>();

    /// The name for a stage: the wanted one, or with a number if another stage has it.
    public String unique(String wanted) {
        String name = wanted;
        for (int i = 2; !given.add(name); i++) {
            name = wanted + "-" + i;
        }
        return name;
    }

    /// The name of the stage that puts together what the branches of the route of this name yield.
    public static String merged(String route) {
        return route + ".merge";
    }

    /// The name that a step's stage gets unless it is taken; empty for a step without a stage. Stages are named
    /// after those before them.
    public static String of(Recipe recipe) {
        return switch (recipe) {
            case Recipe.From from -> from.name();
            case Recipe.Pipe pipe -> pipe.name();
            case Recipe.FlatMap flatMap -> flatMap.name();
            case Recipe.Batch batch -> "batch(" + batch.size() + ")";
            case Recipe.Unbatch unbatch -> unbatch.name();
            case Recipe.Aggregate aggregate -> aggregate.name();
            case Recipe.Epochs epochs -> epochs.name();
            case Recipe.Merge merge -> merge.name();
            case Recipe.Route route -> route.name();
            case Recipe.Fused _, Recipe.Entry _ -> "";
        };
    }
}
