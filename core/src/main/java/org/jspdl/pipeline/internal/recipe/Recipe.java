package org.jspdl.pipeline.internal.recipe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Gatherer;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.StagePredicate;
import org.jspdl.source.Source;

/// The description of a pipeline as a tree of steps, each with the steps before it. Immutable; item types are
/// erased.
public sealed interface Recipe {

    /// The steps before this one.
    List<Recipe> inputs();

    /// What of this step a checkpoint depends on, as one line.
    String signature();

    /// Where the step was added.
    Site site();

    /// What of a recipe must be the same for a checkpoint to fit: source, structure, names and batch sizes, a line
    /// for each step. Not concurrency, placement, buffers or ranks.
    static List<String> fingerprint(Recipe recipe) {
        List<String> lines = new ArrayList<>();
        for (Recipe step : chain(recipe)) {
            if (!(step instanceof After)) {
                step.inputs().forEach(input -> lines.addAll(fingerprint(input)));
            }
            lines.add(step.signature());
        }
        return lines;
    }

    /// The steps one behind the other that end with `last`: the first has no step before it, or several. A recipe
    /// of thousands of steps is no reason for as many calls within each other.
    static List<Recipe> chain(Recipe last) {
        List<Recipe> steps = new ArrayList<>();
        Recipe at = last;
        while (at instanceof After after) {
            steps.add(at);
            at = after.before();
        }
        steps.add(at);
        return steps.reversed();
    }

    /// The sources of a recipe, in the order in which they are planned.
    static List<Source<?>> sources(Recipe recipe) {
        List<Source<?>> sources = new ArrayList<>();
        for (Recipe step : chain(recipe)) {
            switch (step) {
                case From from -> sources.add(from.source());
                case Merge merge -> merge.inputs().forEach(input -> sources.addAll(sources(input)));
                case Route route -> route.branches().forEach(branch -> sources.addAll(sources(branch.chain())));
                case Fused _, Pipe _, FlatMap _, Batch _, Unbatch _, Aggregate _, Entry _ -> {}
            }
        }
        return sources;
    }

    /// A step with one step before it.
    sealed interface After extends Recipe {
        /// The step before this one.
        Recipe before();

        @Override
        default List<Recipe> inputs() {
            return List.of(before());
        }
    }

    /// Yields items.
    record From(Source<?> source, String name, Site site) implements Recipe {
        @Override
        public List<Recipe> inputs() {
            return List.of();
        }

        @Override
        public String signature() {
            return name + " " + source.identity();
        }
    }

    /// A cheap function run by the step before it.
    record Fused(Recipe before, FusedStep step, Site site) implements After {
        @Override
        public String signature() {
            return switch (step) {
                case FusedStep.Map _ -> "map";
                case FusedStep.Filter _ -> "filter";
                case FusedStep.Weigh _ -> "weigh";
            };
        }
    }

    /// A stage of one function.
    record Pipe(Recipe before, String name, Body body, StageOptions options, Site site) implements After {
        @Override
        public String signature() {
            return "pipe " + name;
        }
    }

    /// A stage whose function makes several items of one.
    record FlatMap(Recipe before, String name, StageFunction<Object, Object> function, StageOptions options, Site site)
            implements After {
        @Override
        public String signature() {
            return "flatMap " + name;
        }
    }

    /// Several items become a list.
    record Batch(Recipe before, int size, Remainder remainder, Optional<Duration> flushAfter, Site site)
            implements After {
        @Override
        public String signature() {
            return "batch(" + size + ") " + remainder;
        }
    }

    /// The elements of each item, one by one.
    record Unbatch(Recipe before, StageFunction<Object, Iterable<?>> elements, Site site) implements After {
        @Override
        public String signature() {
            return "unbatch";
        }
    }

    /// A stateful aggregation.
    record Aggregate(
            Recipe before, String name, Gatherer<Object, Object, Object> gatherer, GathererState<?> state, Site site)
            implements After {
        @Override
        public String signature() {
            return "aggregate " + name;
        }
    }

    /// Several pipelines become one.
    record Merge(List<Recipe> inputs, String name, MergePolicy policy, Site site) implements Recipe {
        @Override
        public String signature() {
            return name + " of " + inputs.size() + " " + policy;
        }
    }

    /// Items take the sub-chain that their key names.
    ///
    /// @param elements whether the items are lists whose elements are routed one by one
    record Route(
            Recipe before,
            String name,
            StageFunction<Object, Object> key,
            List<Branch> branches,
            boolean elements,
            Site site)
            implements After {
        @Override
        public String signature() {
            return (elements ? "routeElements " : "route ") + name + " "
                    + branches.stream()
                            .map(branch -> branch.label() + fingerprint(branch.chain()))
                            .toList();
        }
    }

    /// One branch of a route.
    ///
    /// @param label   for statistics and messages
    /// @param accepts whether items of a key go there
    /// @param chain   the steps, which begin with an [Entry]
    record Branch(String label, BiPredicate<Object, Object> accepts, Recipe chain) {}

    /// Where a route's items enter a sub-chain.
    record Entry(Site site) implements Recipe {
        @Override
        public List<Recipe> inputs() {
            return List.of();
        }

        @Override
        public String signature() {
            return "entry";
        }
    }

    /// What a stage calls.
    sealed interface Body {
        /// A function of the item.
        record Plain(StageFunction<Object, Object> function) implements Body {}

        /// A function of the item and of randomness that belongs to it.
        record Seeded(SeededCall function) implements Body {}

        /// A function that returns before its result is there.
        record Async(StageFunction<Object, CompletionStage<?>> function) implements Body {}
    }

    /// A [Body.Seeded] function, erased.
    @FunctionalInterface
    interface SeededCall {
        /// The result for `item`.
        Object apply(Object item, RandomGenerator random) throws Exception;
    }

    /// A function fused into a stage.
    sealed interface FusedStep {
        /// Replaces the item.
        record Map(StageFunction<Object, Object> function) implements FusedStep {}

        /// Says what the item weighs.
        record Weigh(ToLongFunction<Object> weight) implements FusedStep {}

        /// Drops items.
        record Filter(StagePredicate<Object> predicate) implements FusedStep {}
    }

    /// How several inputs become one.
    sealed interface MergePolicy {
        /// Whatever comes first.
        record Arrival() implements MergePolicy {}

        /// So many of the only input, in each epoch.
        record First(long items) implements MergePolicy {}

        /// One from each in turn.
        record RoundRobin(boolean untilFirstEnds) implements MergePolicy {}

        /// At random, by weight.
        record Weighted(long seed, List<Double> weights, boolean untilFirstEnds) implements MergePolicy {}
    }

    /// Where in a program a step was added.
    record Site(String file, int line) {
        private static final String LIBRARY = "org.jspdl.pipeline.";

        /// The first caller outside this package's and the public verbs' classes.
        public static Site capture() {
            return StackWalker.getInstance()
                    .walk(frames -> frames.filter(frame -> !isLibrary(frame.getClassName()))
                            .findFirst()
                            .map(frame -> new Site(
                                    Optional.ofNullable(frame.getFileName()).orElse("?"), frame.getLineNumber()))
                            .orElse(new Site("?", 0)));
        }

        private static boolean isLibrary(String type) {
            return type.equals(LIBRARY + "Pipeline")
                    || type.equals(LIBRARY + "ElementRoute")
                    || type.equals(LIBRARY + "Mix")
                    || type.equals(LIBRARY + "Route")
                    || type.startsWith(LIBRARY + "Route$")
                    || type.startsWith(LIBRARY + "internal.");
        }

        @Override
        public String toString() {
            return file + ":" + line;
        }
    }
}
