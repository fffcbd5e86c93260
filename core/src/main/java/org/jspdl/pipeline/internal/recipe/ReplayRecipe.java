package org.jspdl.pipeline.internal.recipe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspdl.pipeline.EpochListener;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.internal.recipe.Recipe.MergePolicy;

/// Cuts a recipe off behind one stage, for an item that failed there.
///
/// What the planner would have named before the stage stays, so that every stage keeps its name and every source its
/// number. All stages fail fast, and merges take what comes.
public final class ReplayRecipe {
    private final String stage;
    private final OptionalInt element;
    private final StageNames names = new StageNames();

    private ReplayRecipe(String stage, OptionalInt element) {
        this.stage = stage;
        this.element = element;
    }

    /// The recipe up to `stage`; empty if there is no stage of that name.
    ///
    /// @param element if the stage lies in a sub-chain for a batch's elements, which of them goes through it
    public static Optional<Recipe> upTo(String stage, OptionalInt element, Recipe recipe) {
        Part part = new ReplayRecipe(stage, element).cut(recipe);
        return part.found ? Optional.of(part.recipe) : Optional.empty();
    }

    /// A recipe, whole or cut off behind the stage.
    ///
    /// @param open whether functions that are fused into the stage may follow
    private record Part(Recipe recipe, boolean found, boolean open) {}

    private Part cut(Recipe recipe) {
        return switch (recipe) {
            case Recipe.Fused fused -> cutFused(fused);
            case Recipe.Merge merge -> cutMerge(merge);
            case Recipe.Route route -> cutRoute(route);
            case Recipe.From _ -> named(recipe);
            case Recipe.Entry _ -> new Part(recipe, false, false);
            case Recipe.After after -> {
                Part before = cut(after.before());
                yield before.found ? closed(before) : named(failingFast(after).behind(before.recipe));
            }
        };
    }

    private static Part closed(Part part) {
        return new Part(part.recipe, true, false);
    }

    private Part named(Recipe recipe) {
        boolean found = take(StageNames.of(recipe));
        return new Part(recipe, found, found);
    }

    /// Gives out a name as the planner does, first come first served; whether it is the stage's.
    private boolean take(String wanted) {
        return stage.equals(names.unique(wanted));
    }

    private Part cutFused(Recipe.Fused fused) {
        Part before = cut(fused.before());
        if (before.found && !before.open) {
            return before;
        }
        if (fused.isNote()) {
            return before;
        }
        if (before.recipe instanceof Recipe.Entry) {
            boolean found = take(StageNames.ENTRY);
            return new Part(fused.behind(before.recipe), found, found);
        }
        return new Part(new Recipe.Fused(before.recipe, fused.step(), fused.site()), before.found, before.open);
    }

    private Part cutMerge(Recipe.Merge merge) {
        List<Recipe> inputs = new ArrayList<>();
        for (Recipe input : merge.inputs()) {
            Part part = cut(input);
            inputs.add(part.recipe);
            if (part.found) {
                return new Part(arrival(merge, inputs), true, false);
            }
        }
        return named(arrival(merge, inputs));
    }

    private static Recipe arrival(Recipe.Merge merge, List<Recipe> inputs) {
        return new Recipe.Merge(List.copyOf(inputs), StageNames.of(merge), new MergePolicy.Arrival(), merge.site());
    }

    private Part cutRoute(Recipe.Route route) {
        Part before = cut(route.before());
        if (before.found) {
            return closed(before);
        }
        String name = names.unique(route.name());
        boolean found = stage.equals(name);
        List<Recipe.Branch> branches = new ArrayList<>();
        for (Recipe.Branch branch : route.branches()) {
            Recipe chain = new Recipe.Entry(route.site());
            if (!found) {
                Part part = cut(branch.chain());
                chain = part.recipe;
                found = part.found;
            }
            branches.add(new Recipe.Branch(branch.label(), branch.accepts(), chain));
        }
        boolean merged = !found && take(StageNames.merged(name));
        Recipe.Route cut = new Recipe.Route(
                before.recipe, route.name(), route.key(), List.copyOf(branches), route.elements(), route.site());
        boolean alone = found && route.elements() && element.isPresent();
        return new Part(alone ? SingleElement.of(cut, element.getAsInt()) : cut, found || merged, merged);
    }

    private static Recipe.After failingFast(Recipe.After step) {
        return switch (step) {
            case Recipe.Pipe pipe ->
                new Recipe.Pipe(pipe.before(), pipe.name(), pipe.body(), failingFast(pipe.options()), pipe.site());
            case Recipe.FlatMap flatMap ->
                new Recipe.FlatMap(
                        flatMap.before(),
                        flatMap.name(),
                        flatMap.function(),
                        failingFast(flatMap.options()),
                        flatMap.site());
            case Recipe.Batch batch ->
                new Recipe.Batch(batch.before(), batch.size(), batch.remainder(), Optional.empty(), batch.site());
            // Single items are no epoch.
            case Recipe.Epochs epochs ->
                new Recipe.Epochs(epochs.before(), epochs.name(), new EpochListener() {}, epochs.site());
            case Recipe.Unbatch _, Recipe.Aggregate _, Recipe.Fused _, Recipe.Route _ -> step;
        };
    }

    private static StageOptions failingFast(StageOptions options) {
        return options.failures(FailurePolicy.failFast());
    }
}
