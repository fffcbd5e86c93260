package org.jspdl.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.StageNames;
import org.jspdl.source.Sources;

/// One stage of a recipe, taken out of it: to measure it alone. Immutable.
///
/// What was fused into the stage behind it belongs to it, as it does when the pipeline runs.
public final class StagePart {
    private final String name;
    private final Pipeline<?> before;
    private final Recipe.After stage;
    private final List<Recipe.FusedStep> fused;

    private StagePart(String name, Pipeline<?> before, Recipe.After stage, List<Recipe.FusedStep> fused) {
        this.name = name;
        this.before = before;
        this.stage = stage;
        this.fused = fused;
    }

    /// The stages of `recipe` that have options, in the order in which a run names them: `pipe` and `flatMap`, also
    /// those within merges and the branches of routes.
    static List<StagePart> of(Recipe recipe) {
        List<StagePart> parts = new ArrayList<>();
        add(recipe, UnaryOperator.identity(), new StageNames(), parts);
        return List.copyOf(parts);
    }

    /// @param whole gives a recipe that ends within this chain what enters the chain
    private static void add(Recipe recipe, UnaryOperator<Recipe> whole, StageNames names, List<StagePart> parts) {
        List<Recipe> steps = Recipe.chain(recipe);
        for (int i = 0; i < steps.size(); i++) {
            switch (steps.get(i)) {
                case Recipe.Fused _ -> {}
                case Recipe.Entry _ -> {
                    if (!fusedFrom(steps, i + 1).isEmpty()) {
                        names.unique(StageNames.ENTRY);
                    }
                }
                case Recipe.Merge merge -> {
                    merge.inputs().forEach(input -> add(input, whole, names, parts));
                    names.unique(StageNames.of(merge));
                }
                case Recipe.Route route -> addBranches(route, whole, names, parts);
                case Recipe step -> {
                    String name = names.unique(StageNames.of(step));
                    if (step instanceof Recipe.Pipe || step instanceof Recipe.FlatMap) {
                        Recipe.After stage = (Recipe.After) step;
                        Pipeline<?> before = Pipeline.of(whole.apply(stage.before()));
                        parts.add(new StagePart(name, before, stage, fusedFrom(steps, i + 1)));
                    }
                }
            }
        }
    }

    private static void addBranches(
            Recipe.Route route, UnaryOperator<Recipe> whole, StageNames names, List<StagePart> parts) {
        String name = names.unique(StageNames.of(route));
        for (int branch = 0; branch < route.branches().size(); branch++) {
            Recipe entering = whole.apply(route.entering(branch));
            add(route.branches().get(branch).chain(), chain -> Recipe.entered(chain, entering), names, parts);
        }
        names.unique(StageNames.merged(name));
    }

    /// What is fused into the stage before the step of this number.
    private static List<Recipe.FusedStep> fusedFrom(List<Recipe> steps, int from) {
        List<Recipe.FusedStep> fused = new ArrayList<>();
        for (int i = from; i < steps.size() && steps.get(i) instanceof Recipe.Fused step; i++) {
            if (!step.isNote()) {
                fused.add(step.step());
            }
        }
        return fused;
    }

    /// The stage's name in a run of the whole recipe.
    public String name() {
        return name;
    }

    /// How the stage runs in its recipe.
    public StageOptions options() {
        return switch (stage) {
            case Recipe.Pipe pipe -> pipe.options();
            case Recipe.FlatMap flatMap -> flatMap.options();
            default -> throw new IllegalStateException("no options: " + stage.signature());
        };
    }

    /// The recipe up to this stage, which yields its inputs.
    public Pipeline<?> before() {
        return before;
    }

    /// The stage alone over `inputs`, which it owns from there on, with another concurrency.
    public Pipeline<?> over(List<?> inputs, int concurrency) {
        Recipe alone = alone(new Recipe.From(Sources.of(inputs), "source", stage.site()), concurrency);
        for (Recipe.FusedStep step : fused) {
            alone = new Recipe.Fused(alone, step, stage.site());
        }
        return Pipeline.of(alone).named(name);
    }

    private Recipe alone(Recipe source, int concurrency) {
        StageOptions options = options().concurrency(concurrency);
        return stage instanceof Recipe.FlatMap flatMap
                ? new Recipe.FlatMap(source, name, flatMap.function(), options, flatMap.site())
                : new Recipe.Pipe(source, name, ((Recipe.Pipe) stage).body(), options, stage.site());
    }

    @Override
    public String toString() {
        return name + " " + options();
    }
}
