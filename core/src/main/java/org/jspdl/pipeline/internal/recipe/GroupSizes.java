package org.jspdl.pipeline.internal.recipe;

import java.util.ArrayList;
import java.util.List;
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
        long largest = members(recipe, 0);
        for (Recipe input : recipe.inputs()) {
            largest = Math.max(largest, largest(input));
        }
        return largest;
    }

    /// How many source items one item of `recipe` is made from, at least; 0 if it isn't known.
    public static long members(Recipe recipe) {
        return members(recipe, 0);
    }

    /// How many source items one item behind this step is made from, at least; 0 if it isn't known, as behind a
    /// step that makes several items of one.
    ///
    /// @param entered the same of the items that enter the sub-chain
    private static long members(Recipe recipe, long entered) {
        return switch (recipe) {
            case Recipe.Batch batch -> product(batch.size(), members(batch.before(), entered));
            case Recipe.Pipe pipe -> members(pipe.before(), entered);
            case Recipe.Epochs epochs -> members(epochs.before(), entered);
            case Recipe.Fused fused -> members(fused.before(), entered);
            case Recipe.Route route -> {
                long before = members(route.before(), entered);
                yield route.elements()
                        ? before
                        : route.branches().stream()
                                .mapToLong(branch -> members(branch.chain(), before))
                                .min()
                                .orElse(0);
            }
            case Recipe.From _ -> 1;
            case Recipe.Entry _ -> entered;
            case Recipe.Merge merge ->
                merge.inputs().stream()
                        .mapToLong(input -> members(input, entered))
                        .min()
                        .orElse(0);
            case Recipe.FlatMap _, Recipe.Unbatch _, Recipe.Aggregate _ -> 0;
        };
    }

    /// For each source, in the order in which the recipe names them, how many of its items it takes until the first
    /// is weighed; [Long#MAX_VALUE] if none is, or it isn't known.
    public static List<Long> untilWeighed(Recipe recipe) {
        List<Long> sources = new ArrayList<>();
        long _ = untilWeighed(recipe, Long.MAX_VALUE, sources);
        return sources;
    }

    /// Adds the sources before a step, behind which it takes `behind` items until one is weighed; returns how many
    /// it takes of those that enter the sub-chain.
    private static long untilWeighed(Recipe recipe, long behind, List<Long> sources) {
        return switch (recipe) {
            case Recipe.From _ -> {
                sources.add(behind);
                yield behind;
            }
            case Recipe.Entry _ -> behind;
            case Recipe.Fused fused ->
                untilWeighed(fused.before(), fused.step() instanceof Recipe.FusedStep.Weigh ? 1 : behind, sources);
            case Recipe.Pipe pipe -> untilWeighed(pipe.before(), behind, sources);
            case Recipe.Epochs epochs -> untilWeighed(epochs.before(), behind, sources);
            case Recipe.Batch batch -> untilWeighed(batch.before(), product(batch.size(), behind), sources);
            case Recipe.FlatMap flatMap -> untilWeighed(flatMap.before(), Long.MAX_VALUE, sources);
            case Recipe.Unbatch unbatch -> untilWeighed(unbatch.before(), Long.MAX_VALUE, sources);
            case Recipe.Aggregate aggregate -> untilWeighed(aggregate.before(), Long.MAX_VALUE, sources);
            case Recipe.Merge merge -> {
                merge.inputs().forEach(input -> untilWeighed(input, behind, sources));
                yield behind;
            }
            case Recipe.Route route -> {
                List<Long> inBranches = new ArrayList<>();
                long most = 0;
                for (Recipe.Branch branch : route.branches()) {
                    most = Math.max(most, untilWeighed(branch.chain(), behind, inBranches));
                }
                long before = untilWeighed(route.before(), route.elements() ? behind : most, sources);
                sources.addAll(inBranches);
                yield before;
            }
        };
    }

    private static long product(long size, long members) {
        long high = Math.multiplyHigh(size, members);
        return high == 0 && size * members >= 0 ? size * members : Long.MAX_VALUE;
    }
}
