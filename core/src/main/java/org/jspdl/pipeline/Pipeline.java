package org.jspdl.pipeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Gatherer;
import java.util.stream.Stream;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.Recipe.GathererState;
import org.jspdl.pipeline.internal.recipe.RecipePrinter;
import org.jspdl.pipeline.internal.run.EngineRun;
import org.jspdl.pipeline.internal.run.Replay;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;

/// An immutable recipe that yields `T`: a source, stages, and how far ahead they work.
///
/// Every method returns a new recipe and leaves this one as it is; deriving one is cheap and holds no threads or
/// memory. A recipe may be started any number of times, also at once.
///
/// ```java
/// Pipeline<Image> loading = Pipeline.from(paths)
///     .pipe("read", Files::readAllBytes, cpu(4))
///     .pipe("decode", decoder::decode, cpu(8).inputOrder().onFailure(skipRate(0.01)))
///     .sink(3);
///
/// try (Run<Image> run = loading.start()) {
///     for (Image image : run) show(image);
/// }
/// ```
public final class Pipeline<T> {
    private static final int DEFAULT_SINK = 3;

    private final String name;
    private final Recipe recipe;
    private final int sinkBuffer;

    private Pipeline(String name, Recipe recipe, int sinkBuffer) {
        this.name = name;
        this.recipe = recipe;
        this.sinkBuffer = sinkBuffer;
    }

    /// The items of `source`.
    public static <T> Pipeline<T> from(Source<T> source) {
        return new Pipeline<>("pipeline", new Recipe.From(source, "source", Recipe.Site.capture()), DEFAULT_SINK);
    }

    /// The items of `iterable`, iterated anew for every run and every epoch.
    public static <T> Pipeline<T> from(Iterable<T> iterable) {
        return from(Sources.of(iterable));
    }

    /// The same recipe under a name, which threads, statistics and errors carry.
    public Pipeline<T> named(String newName) {
        if (newName.isBlank()) {
            throw new IllegalArgumentException("a pipeline's name must not be blank");
        }
        return new Pipeline<>(newName, recipe, sinkBuffer);
    }

    /// Applies a cheap function, run by the step before it: no queue, no thread of its own, and its time and
    /// failures count there.
    public <R> Pipeline<R> map(StageFunction<? super T, ? extends R> function) {
        return then(new Recipe.Fused(recipe, new Recipe.FusedStep.Map(erased(function)), Recipe.Site.capture()));
    }

    /// Drops the items that `predicate` does not accept; run by the step before it.
    @SuppressWarnings("unchecked")
    public Pipeline<T> filter(StagePredicate<? super T> predicate) {
        return then(new Recipe.Fused(
                recipe,
                new Recipe.FusedStep.Filter((StagePredicate<Object>) (StagePredicate<?>) predicate),
                Recipe.Site.capture()));
    }

    /// Says how many bytes an item weighs from here on, for statistics and for runs with a [byte
    /// budget][RunOptions#byteBudget(ByteBudget)].
    @SuppressWarnings("unchecked")
    public Pipeline<T> weigh(ToLongFunction<? super T> bytes) {
        ToLongFunction<Object> erased = (ToLongFunction<Object>) (ToLongFunction<?>) bytes;
        return then(new Recipe.Fused(recipe, new Recipe.FusedStep.Weigh(erased), Recipe.Site.capture()));
    }

    /// Adds a stage that applies `function` to each item.
    ///
    /// @param stage the stage's name in statistics, errors and thread names
    public <R> Pipeline<R> pipe(String stage, StageFunction<? super T, ? extends R> function, StageOptions options) {
        return then(new Recipe.Pipe(
                recipe, checked(stage), new Recipe.Body.Plain(erased(function)), options, Recipe.Site.capture()));
    }

    /// Adds a stage without a name of its own.
    public <R> Pipeline<R> pipe(StageFunction<? super T, ? extends R> function, StageOptions options) {
        return pipe("pipe", function, options);
    }

    /// Adds a stage whose function gets randomness that belongs to the item.
    @SuppressWarnings("unchecked")
    public <R> Pipeline<R> pipeSeeded(
            String stage, SeededFunction<? super T, ? extends R> function, StageOptions options) {
        SeededFunction<Object, Object> erased = (SeededFunction<Object, Object>) (SeededFunction<?, ?>) function;
        return then(new Recipe.Pipe(
                recipe, checked(stage), new Recipe.Body.Seeded(erased::apply), options, Recipe.Site.capture()));
    }

    /// Adds a stage whose function returns before its result is there. At most the options' concurrency of calls
    /// are under way at once; where the function runs is the client's matter, so the placement doesn't count.
    @SuppressWarnings("unchecked")
    public <R> Pipeline<R> pipeAsync(
            String stage,
            StageFunction<? super T, ? extends CompletionStage<? extends R>> function,
            StageOptions options) {
        StageFunction<Object, CompletionStage<?>> erased =
                (StageFunction<Object, CompletionStage<?>>) (StageFunction<?, ?>) function;
        return then(
                new Recipe.Pipe(recipe, checked(stage), new Recipe.Body.Async(erased), options, Recipe.Site.capture()));
    }

    /// Adds a stage that makes several items of one. Elements are pulled one at a time, each passed on as it is
    /// produced; an iterator that is `AutoCloseable` is closed after the last one, or when the run ends before it.
    ///
    /// The elements must be the same each time the function is called with the same item, for a resumed run to go
    /// on behind those it has delivered.
    public <R> Pipeline<R> flatMap(
            String stage, StageFunction<? super T, ? extends Iterable<? extends R>> function, StageOptions options) {
        return flatMapped(stage, erased(function), options);
    }

    /// As [#flatMap], for a function that returns an iterator.
    public <R> Pipeline<R> flatMapIterator(
            String stage, StageFunction<? super T, ? extends Iterator<? extends R>> function, StageOptions options) {
        return flatMapped(stage, erased(function), options);
    }

    /// As [#flatMap], for a function that returns a stream, which is closed at the end and is as lazy as the JDK
    /// makes it.
    public <R> Pipeline<R> flatMapStream(
            String stage, StageFunction<? super T, ? extends Stream<? extends R>> function, StageOptions options) {
        return flatMapped(stage, erased(function), options);
    }

    private <R> Pipeline<R> flatMapped(String stage, StageFunction<Object, Object> function, StageOptions options) {
        if (options.deadline().isPresent()) {
            throw new IllegalArgumentException("flatMap '" + stage + "' can't have a deadline: its work is spread over"
                    + " many pulls; put the slow part into a pipe of its own");
        }
        return then(new Recipe.FlatMap(recipe, checked(stage), function, options, Recipe.Site.capture()));
    }

    /// Runs a gatherer over each epoch: a stateful aggregation. A run with it can't be checkpointed, unless the
    /// gatherer is declared by [#aggregateResetting] or [#aggregateSnapshotting].
    public <R> Pipeline<R> aggregate(String stage, Gatherer<? super T, ?, ? extends R> gatherer) {
        return then(new Recipe.Aggregate(
                recipe, checked(stage), erased(gatherer), new GathererState.Unknown(), Recipe.Site.capture()));
    }

    /// As [#aggregate], for a gatherer of which each emission leaves the state empty: what it has emitted needs
    /// none of the inputs before. Given the same inputs it must emit the same.
    public <R> Pipeline<R> aggregateResetting(String stage, Gatherer<? super T, ?, ? extends R> gatherer) {
        return then(new Recipe.Aggregate(
                recipe, checked(stage), erased(gatherer), new GathererState.Resets(), Recipe.Site.capture()));
    }

    /// As [#aggregate], for a gatherer whose state can be written: after each emission and before the next input. A
    /// checkpoint holds the state behind which nothing was delivered, and those from which undelivered emissions
    /// before it were made. From the same state and inputs the gatherer must emit the same.
    ///
    /// @param write the state as text, called on the stage's thread after each emission; the text should be small
    /// @param read  a state that goes on as the written one would; it throws if the text is not what `write` makes
    @SuppressWarnings("unchecked")
    public <A, R> Pipeline<R> aggregateSnapshotting(
            String stage,
            Gatherer<? super T, A, ? extends R> gatherer,
            Function<? super A, String> write,
            Function<String, ? extends A> read) {
        return then(new Recipe.Aggregate(
                recipe,
                checked(stage),
                erased(gatherer),
                new GathererState.Written(state -> write.apply((A) state), read::apply),
                Recipe.Site.capture()));
    }

    /// Sends each item into the sub-chain that its key names; followed by `when(..)` for each key and `merge()`.
    public <K> Route<T, K> route(String stage, StageFunction<? super T, ? extends K> key) {
        return new Route<>(this, checked(stage), key);
    }

    /// Sends the elements of batches through sub-chains and puts the batches together again: the items must be
    /// lists.
    ///
    /// `R`, the type of the elements afterwards, is given explicitly: `Pipeline.<Clip, Frame>routeElements(batches,
    /// "kind", Clip::kind)`.
    public static <E, R> ElementRoute<E, R> routeElements(
            Pipeline<? extends List<? extends E>> batches, String stage, StageFunction<? super E, ?> key) {
        return new ElementRoute<>(batches, checked(stage), key, List.of());
    }

    /// The items of several pipelines in the order in which they arrive. Epochs end together.
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <T> Pipeline<T> merge(Pipeline<? extends T>... pipelines) {
        return merge("merge", Arrays.asList(pipelines), new Recipe.MergePolicy.Arrival());
    }

    /// One item from each pipeline in turn. A pipeline that has ended is passed over, or ends the epoch.
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <T> Pipeline<T> roundRobin(StoppingStrategy end, Pipeline<? extends T>... pipelines) {
        return merge(
                "round-robin",
                Arrays.asList(pipelines),
                new Recipe.MergePolicy.RoundRobin(end == StoppingStrategy.FIRST_EXHAUSTED));
    }

    /// Items of several pipelines drawn at random by weight. The order of draws depends on the seed and the epoch
    /// alone.
    public static Mix mix(long seed, double... weights) {
        return new Mix(seed, weights);
    }

    static <T> Pipeline<T> merge(
            String stage, List<? extends Pipeline<? extends T>> pipelines, Recipe.MergePolicy policy) {
        if (pipelines.isEmpty()) {
            throw new IllegalArgumentException("there is no pipeline to merge");
        }
        List<Recipe> recipes = new ArrayList<>();
        pipelines.forEach(pipeline -> recipes.add(pipeline.recipe()));
        return new Pipeline<>(
                "pipeline", new Recipe.Merge(recipes, stage, policy, Recipe.Site.capture()), DEFAULT_SINK);
    }

    /// Gathers `size` items into a list, in the order in which they arrive. Batches don't cross epochs.
    public Pipeline<List<T>> batch(int size, Remainder remainder) {
        return batch(size, remainder, Optional.empty());
    }

    /// As [#batch(int, Remainder)], but a batch is passed on at the latest `flushAfter` its first item came: for
    /// sources without end.
    public Pipeline<List<T>> batch(int size, Remainder remainder, Duration flushAfter) {
        if (flushAfter.isNegative() || flushAfter.isZero()) {
            throw new IllegalArgumentException("flushAfter must be positive but was " + flushAfter);
        }
        return batch(size, remainder, Optional.of(flushAfter));
    }

    private Pipeline<List<T>> batch(int size, Remainder remainder, Optional<Duration> flushAfter) {
        if (size < 1) {
            throw new IllegalArgumentException("a batch must hold at least 1 item but its size was " + size);
        }
        return then(new Recipe.Batch(recipe, size, remainder, flushAfter, Recipe.Site.capture()));
    }

    /// Passes on the elements of each item one by one, pulled as there is room.
    @SuppressWarnings("unchecked")
    public <R> Pipeline<R> unbatch(StageFunction<? super T, ? extends Iterable<? extends R>> elements) {
        return then(new Recipe.Unbatch(
                recipe, (StageFunction<Object, Iterable<?>>) (StageFunction<?, ?>) elements, Recipe.Site.capture()));
    }

    /// How many finished items may wait for the consumer.
    public Pipeline<T> sink(int buffer) {
        if (buffer < 1) {
            throw new IllegalArgumentException("sink must hold at least 1 item but was " + buffer);
        }
        return new Pipeline<>(name, recipe, buffer);
    }

    /// Starts a run with the default options. The caller closes it.
    public Run<T> start() {
        return start(RunOptions.defaults());
    }

    /// Starts a run. The caller closes it.
    public Run<T> start(RunOptions options) {
        return EngineRun.start(name, recipe, sinkBuffer, options);
    }

    /// Runs items that a failure policy has skipped again, one after the other, up to the stage where they failed.
    ///
    /// A group is formed again from its own members, by a batch or a gatherer; an item takes its way through routes
    /// and merges again. Every stage fails fast meanwhile, whatever its policy is.
    ///
    /// @param options the seed and the compute threads of the run that skipped them
    /// @throws IllegalArgumentException if the item's source is not random-access, or before the stage lies a
    ///     gatherer whose emissions may depend on more than their members (not an [#aggregateResetting])
    public List<Replayed> replay(List<FailedItem> items, RunOptions options) {
        return items.stream()
                .map(item -> Replay.replay(name, recipe, item, options))
                .toList();
    }

    /// The recipe as a tree, source first, with the line of the program where each step was added.
    @Override
    public String toString() {
        return RecipePrinter.tree(name, recipe);
    }

    /// The recipe as a Mermaid flowchart.
    public String toMermaid() {
        return RecipePrinter.mermaid(recipe);
    }

    /// The stages that have options, in the recipe's order, each to be run alone: `pipe` and `flatMap`, not those
    /// within the ways of a route.
    public List<StagePart> parts() {
        return StagePart.of(recipe);
    }

    /// The recipe up to a step.
    static Pipeline<?> of(Recipe recipe) {
        return new Pipeline<>("pipeline", recipe, DEFAULT_SINK);
    }

    Recipe recipe() {
        return recipe;
    }

    /// What a sub-chain starts from.
    static <T> Pipeline<T> entry() {
        return new Pipeline<>("entry", new Recipe.Entry(Recipe.Site.capture()), DEFAULT_SINK);
    }

    <R> Pipeline<R> then(Recipe next) {
        return new Pipeline<>(name, next, sinkBuffer);
    }

    private static String checked(String stage) {
        if (stage.isBlank()) {
            throw new IllegalArgumentException("a stage's name must not be blank");
        }
        return stage;
    }

    /// Item types were checked by the compiler where the function was given; inside, items are opaque.
    @SuppressWarnings("unchecked")
    private static StageFunction<Object, Object> erased(StageFunction<?, ?> function) {
        return (StageFunction<Object, Object>) function;
    }

    @SuppressWarnings("unchecked")
    private static Gatherer<Object, Object, Object> erased(Gatherer<?, ?, ?> gatherer) {
        return (Gatherer<Object, Object, Object>) gatherer;
    }
}
