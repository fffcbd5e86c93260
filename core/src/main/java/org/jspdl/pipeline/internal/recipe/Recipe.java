package org.jspdl.pipeline.internal.recipe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Gatherer;
import org.jspdl.pipeline.EpochFunction;
import org.jspdl.pipeline.EpochListener;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.MergeInputs;
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

    /// The steps of a sub-chain behind `entry`, which yields what enters it.
    static Recipe entered(Recipe chain, Recipe entry) {
        Recipe at = null;
        for (Recipe step : chain(chain)) {
            at = switch (step) {
                case Entry _ -> entry;
                case Merge(var inputs, var name, var policy, var site) ->
                    new Merge(
                            inputs.stream().map(input -> entered(input, entry)).toList(), name, policy, site);
                case From from -> from;
                case After after -> after.behind(Objects.requireNonNull(at));
            };
        }
        return Objects.requireNonNull(at);
    }

    /// The sources of a recipe, in the order in which they are planned.
    static List<Source<?>> sources(Recipe recipe) {
        List<Source<?>> sources = new ArrayList<>();
        for (Recipe step : chain(recipe)) {
            switch (step) {
                case From from -> sources.add(from.source());
                case Merge merge -> merge.inputs().forEach(input -> sources.addAll(sources(input)));
                case Route route -> route.branches().forEach(branch -> sources.addAll(sources(branch.chain())));
                case Fused _, Pipe _, FlatMap _, Batch _, Unbatch _, Aggregate _, Epochs _, Entry _ -> {}
            }
        }
        return sources;
    }

    /// A step with one step before it.
    sealed interface After extends Recipe {
        /// The step before this one.
        Recipe before();

        /// The same step behind another.
        default Recipe behind(Recipe other) {
            return switch (this) {
                case Fused fused -> new Fused(other, fused.step, fused.site);
                case Pipe pipe -> new Pipe(other, pipe.name, pipe.body, pipe.options, pipe.site, pipe.turns);
                case FlatMap flatMap ->
                    new FlatMap(other, flatMap.name, flatMap.function, flatMap.options, flatMap.site);
                case Batch batch -> new Batch(other, batch.size, batch.remainder, batch.flushAfter, batch.site);
                case Unbatch unbatch -> new Unbatch(other, unbatch.name, unbatch.elements, unbatch.site);
                case Aggregate aggregate ->
                    new Aggregate(other, aggregate.name, aggregate.gatherer, aggregate.state, aggregate.site);
                case Epochs epochs -> new Epochs(other, epochs.name, epochs.listener, epochs.site);
                case Route route -> new Route(other, route.name, route.key, route.branches, route.elements, route.site);
            };
        }

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
        /// Whether it does nothing when the pipeline runs.
        public boolean isNote() {
            return step instanceof FusedStep.Note;
        }

        @Override
        public String signature() {
            return switch (step) {
                case FusedStep.Map _ -> "map";
                case FusedStep.Filter _ -> "filter";
                case FusedStep.Weigh _ -> "weigh";
                case FusedStep.Note(String text) -> text;
            };
        }
    }

    /// A stage of one function.
    ///
    /// @param turns in which results pass on, in input order; empty for that of their inputs
    record Pipe(Recipe before, String name, Body body, StageOptions options, Site site, Optional<Turns> turns)
            implements After {
        public Pipe(Recipe before, String name, Body body, StageOptions options, Site site) {
            this(before, name, body, options, site, Optional.empty());
        }

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
    record Unbatch(Recipe before, String name, StageFunction<Object, Iterable<?>> elements, Site site)
            implements After {
        @Override
        public String signature() {
            return name;
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

    /// Tells of the beginnings and ends of epochs.
    record Epochs(Recipe before, String name, EpochListener listener, Site site) implements After {
        @Override
        public String signature() {
            return "epochs " + name;
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
        /// What goes into the branch of this number, behind the step before the route.
        public Recipe entering(int branch) {
            Recipe items = elements ? new Unbatch(before, "unbatch", list -> (List<?>) list, site) : before;
            Recipe taken = new Fused(items, new FusedStep.Filter(item -> takes(branch, item)), site);
            return new Fused(taken, new FusedStep.Map(Keyed::unwrapped), site);
        }

        private boolean takes(int branch, Object item) throws Exception {
            Object found = key.apply(item);
            for (int i = 0; i < branches.size(); i++) {
                if (branches.get(i).accepts.test(found, Keyed.unwrapped(item))) {
                    return i == branch;
                }
            }
            return false;
        }

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

    /// In which turn an item is, of all that go through a stage.
    @FunctionalInterface
    interface Turns {
        /// A number from 0, of each item another one, and none left out.
        ///
        /// @param source the number of the source that it comes from
        /// @param place  where it is in the epoch there
        long of(int source, long place);
    }

    /// What a stage calls.
    sealed interface Body {
        /// A function of the item.
        record Plain(StageFunction<Object, Object> function) implements Body {}

        /// A function of the item and of randomness that belongs to it.
        record Seeded(SeededCall function) implements Body {}

        /// A function of the item and of its epoch.
        record InEpoch(EpochFunction<Object, Object> function) implements Body {}

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

        /// Does nothing, and is part of what a checkpoint depends on.
        record Note(String text) implements FusedStep {}

        /// Drops items.
        record Filter(StagePredicate<Object> predicate) implements FusedStep {}
    }

    /// How several inputs become one.
    sealed interface MergePolicy {
        /// Whatever comes first.
        record Arrival() implements MergePolicy {}

        /// At most `count` items of the only input, in each epoch.
        record First(long items) implements MergePolicy {}

        /// One from each in turn.
        record RoundRobin(boolean untilFirstEnds) implements MergePolicy {}

        /// At random, by weight.
        record Weighted(long seed, MixSchedule weights, boolean untilFirstEnds) implements MergePolicy {}

        /// As code of the user's says.
        ///
        /// @param start  makes the state of an epoch
        /// @param saving how that state is written, if it is
        record Chosen(Supplier<Object> start, Choice choice, GathererState<?> saving) implements MergePolicy {
            @Override
            public String toString() {
                return "chosen";
            }
        }
    }

    /// A [MergePolicy.Chosen], erased.
    @FunctionalInterface
    interface Choice {
        /// The number of an input, or -1.
        int next(Object state, MergeInputs<Object> inputs) throws Exception;
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
