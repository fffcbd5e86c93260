package org.jspdl.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.source.Sources;

/// One stage of a recipe, taken out of it: to measure it alone. Immutable.
///
/// What was fused into the stage behind it belongs to it, as it does when the pipeline runs.
public final class StagePart {
    private final String name;
    private final StageOptions options;
    private final Pipeline<?> before;
    private final BiFunction<Recipe, StageOptions, Recipe> build;

    private StagePart(
            String name, StageOptions options, Pipeline<?> before, BiFunction<Recipe, StageOptions, Recipe> build) {
        this.name = name;
        this.options = options;
        this.before = before;
        this.build = build;
    }

    /// The stages of `recipe` that have options, in its order: `pipe` and `flatMap`, not those within the branches
    /// of a route.
    static List<StagePart> of(Recipe recipe) {
        Deque<StagePart> parts = new ArrayDeque<>();
        List<Recipe.Fused> behind = new ArrayList<>();
        Recipe at = recipe;
        while (at instanceof Recipe.After step) {
            switch (step) {
                case Recipe.Fused fused -> behind.add(fused);
                case Recipe.Pipe pipe -> {
                    List<Recipe.Fused> own = List.copyOf(behind);
                    parts.addFirst(new StagePart(
                            pipe.name(),
                            pipe.options(),
                            Pipeline.of(pipe.before()),
                            (input, options) -> fused(
                                    own, new Recipe.Pipe(input, pipe.name(), pipe.body(), options, pipe.site()))));
                    behind.clear();
                }
                case Recipe.FlatMap flatMap -> {
                    List<Recipe.Fused> own = List.copyOf(behind);
                    parts.addFirst(new StagePart(
                            flatMap.name(),
                            flatMap.options(),
                            Pipeline.of(flatMap.before()),
                            (input, options) -> fused(
                                    own,
                                    new Recipe.FlatMap(
                                            input, flatMap.name(), flatMap.function(), options, flatMap.site()))));
                    behind.clear();
                }
                case Recipe.Batch _, Recipe.Unbatch _, Recipe.Aggregate _, Recipe.Route _ -> behind.clear();
            }
            at = step.before();
        }
        List<StagePart> all = new ArrayList<>();
        if (at instanceof Recipe.Merge merge) {
            merge.inputs().forEach(input -> all.addAll(of(input)));
        }
        all.addAll(parts);
        return List.copyOf(all);
    }

    /// `behind` was collected from the end, so the last of it comes first.
    private static Recipe fused(List<Recipe.Fused> behind, Recipe stage) {
        Recipe recipe = stage;
        for (Recipe.Fused step : behind.reversed()) {
            recipe = new Recipe.Fused(recipe, step.step(), step.site());
        }
        return recipe;
    }

    /// The stage's name.
    public String name() {
        return name;
    }

    /// How the stage runs in its recipe.
    public StageOptions options() {
        return options;
    }

    /// The recipe up to this stage, which yields its inputs.
    public Pipeline<?> before() {
        return before;
    }

    /// The stage alone over `inputs`, which it owns from there on, with another concurrency.
    public Pipeline<?> over(List<?> inputs, int concurrency) {
        Recipe source = new Recipe.From(Sources.of(inputs), "source", Recipe.Site.capture());
        return Pipeline.of(build.apply(source, options.concurrency(concurrency)))
                .named(name);
    }

    @Override
    public String toString() {
        return name + " " + options;
    }
}
