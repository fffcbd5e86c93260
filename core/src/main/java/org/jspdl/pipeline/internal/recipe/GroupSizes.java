package org.jspdl.pipeline.internal.recipe;

import org.jspdl.pipeline.ByteBudget;

/// How many source items the groups of a recipe are made from.
public final class GroupSizes {
    private GroupSizes() {}

    /// Refuses a byte budget in which a known group does not fit.
    public static void check(String pipeline, Recipe recipe, ByteBudget budget) {
        long largest = largest(recipe);
        if (budget.itemEstimate() > 0 && budget.bytes() / budget.itemEstimate() < largest) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "': a batch of " + largest + " items of "
                    + budget.itemEstimate() + " bytes does not fit the byte budget of " + budget.bytes()
                    + "; raise the budget or lower the batch size");
        }
    }

    private static long largest(Recipe recipe) {
        long largest = members(recipe);
        for (Recipe input : recipe.inputs()) {
            largest = Math.max(largest, largest(input));
        }
        return largest;
    }

    /// How many source items one item behind this step is made from; 0 if it isn't known, as behind a step that
    /// makes several items of one.
    private static long members(Recipe recipe) {
        return switch (recipe) {
            case Recipe.Batch batch -> batch.size() * members(batch.before());
            case Recipe.Pipe pipe -> members(pipe.before());
            case Recipe.Fused fused -> members(fused.before());
            case Recipe.Route route -> members(route.before());
            case Recipe.From _ -> 1;
            case Recipe.Merge merge ->
                merge.inputs().stream().mapToLong(GroupSizes::members).min().orElse(0);
            case Recipe.FlatMap _, Recipe.Unbatch _, Recipe.Aggregate _, Recipe.Entry _ -> 0;
        };
    }
}
