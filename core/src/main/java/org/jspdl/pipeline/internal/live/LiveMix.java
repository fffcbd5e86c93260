package org.jspdl.pipeline.internal.live;

import java.util.List;
import java.util.Optional;
import org.jspdl.pipeline.internal.recipe.LiveWeights;
import org.jspdl.pipeline.internal.recipe.MixSchedule;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.TimedOrder;

/// Finds the mix of a recipe whose weights a run may change, and refuses steps with which a change could not be exact.
public final class LiveMix {
    private LiveMix() {}

    /// Whether a merge is one.
    public static boolean is(Recipe.Merge merge) {
        return merge.policy() instanceof Recipe.MergePolicy.Weighted(long _, MixSchedule schedule, boolean _)
                && schedule.live();
    }

    /// The live mix of a recipe.
    ///
    /// @throws IllegalArgumentException if it has one where it can't be changed exactly
    public static Optional<Recipe.Merge> find(String pipeline, Recipe recipe) {
        if (!hasLive(recipe)) {
            return Optional.empty();
        }
        List<Recipe> chain = Recipe.chain(recipe);
        String what = "pipeline '" + pipeline + "': a live mix can't be changed exactly ";
        if (!(chain.getFirst() instanceof Recipe.Merge mix && is(mix)) || inputsHaveLive(chain.getFirst())) {
            throw new IllegalArgumentException(
                    what + "within another merge, a take or a route: a pipeline begins with its only live mix");
        }
        for (Recipe step : chain.subList(1, chain.size())) {
            switch (step) {
                case Recipe.Fused _, Recipe.Pipe _, Recipe.Batch _, Recipe.Epochs _ -> {}
                case Recipe.FlatMap _,
                        Recipe.Unbatch _,
                        Recipe.Aggregate _,
                        Recipe.Route _,
                        Recipe.From _,
                        Recipe.Merge _,
                        Recipe.Entry _ ->
                    throw new IllegalArgumentException(what + "before '" + step.signature()
                            + "', which may make one item of parts of several: put that step into the pipelines that"
                            + " are mixed");
            }
        }
        TimedOrder.find(recipe).ifPresent(step -> {
            throw new IllegalArgumentException(
                    what + "where time decides what comes next: " + step + "; use StageOptions.inputOrder()");
        });
        if (!(mix.policy() instanceof Recipe.MergePolicy.Weighted(long _, MixSchedule _, boolean first)) || first) {
            throw new IllegalArgumentException(
                    what + "if the first pipeline to end also ends the epoch: use StoppingStrategy.ALL_EXHAUSTED");
        }
        int stages = (int) chain.stream()
                .filter(step -> step instanceof Recipe.Pipe pipe && pipe.name().equals(LiveWeights.STAGE))
                .count();
        if (stages > 0) {
            throw new IllegalArgumentException(
                    what + "beside a stage of its own name: call that stage other than '" + LiveWeights.STAGE + "'");
        }
        return Optional.of(mix);
    }

    private static boolean hasLive(Recipe recipe) {
        for (Recipe step : Recipe.chain(recipe)) {
            boolean found = switch (step) {
                case Recipe.Merge merge -> is(merge) || inputsHaveLive(merge);
                case Recipe.Route route -> route.branches().stream().anyMatch(branch -> hasLive(branch.chain()));
                default -> false;
            };
            if (found) {
                return true;
            }
        }
        return false;
    }

    private static boolean inputsHaveLive(Recipe merge) {
        return merge.inputs().stream().anyMatch(LiveMix::hasLive);
    }
}
