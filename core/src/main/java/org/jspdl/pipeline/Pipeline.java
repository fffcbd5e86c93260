package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;
import java.util.stream.Gatherer;
import org.jspdl.internal.Arguments;
import org.jspdl.pipeline.internal.recipe.Keyed;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.RecipePrinter;
import org.jspdl.pipeline.internal.recipe.TimedOrder;
import org.jspdl.pipeline.internal.run.ComputedCheckpoint;
import org.jspdl.pipeline.internal.run.EngineRun;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.jspecify.annotations.Nullable;

/// An immutable recipe that yields items of type `T`: a source, stages, and how far they work ahead.
///
/// Every method returns a new recipe and leaves this one unchanged. A recipe holds no threads and no memory. It can be
/// started any number of times, also concurrently. An argument that cannot work is refused by the method that takes
/// it.
///
/// ```java
/// Pipeline<Image> loading = Pipeline.from(paths)
///     .pipe("read", Files::readAllBytes, cpu(4))
///     .pipe("decode", decoder::decode, cpu(8).inputOrder().failures(skipRate(0.01)))
///     .prefetch(3);
///
/// try (Run<Image> run = loading.start()) {
///     for (Image image : run) show(image);
/// }
/// ```
///
/// [Pipelines] draws recipes, takes out single stages, and runs skipped items again.
public final class Pipeline<T> {
    /// The most items of one batch.
    public static final int MAX_BATCH_SIZE = 1 << 24;

    /// Stands for a number that was not set.
    private static final int UNSET = 0;

    private final String name;
    private final Recipe recipe;
    private final int prefetch;

    private Pipeline(String name, Recipe recipe, int prefetch) {
        this.name = name;
        this.recipe = recipe;
        this.prefetch = prefetch;
    }

    /// The items of `source`.
    public static <T> Pipeline<T> from(Source<T> source) {
        return new Pipeline<>(
                "pipeline", new Recipe.From(requireNonNull(source, "source"), "source", Recipe.Site.capture()), UNSET);
    }

    /// The items of `iterable`, iterated anew for every run and every epoch.
    public static <T> Pipeline<T> from(Iterable<T> iterable) {
        return from(Sources.of(requireNonNull(iterable, "iterable")));
    }

    /// Names the pipeline in threads, statistics and errors.
    public Pipeline<T> named(String newName) {
        return new Pipeline<>(Arguments.name("the pipeline's name", newName), recipe, prefetch);
    }

    /// Applies a cheap function. The step before it runs it: it has no queue and no thread of its own, and its time
    /// and failures count there.
    public <R> Pipeline<R> map(StageFunction<? super T, ? extends R> function) {
        return then(new Recipe.Fused(
                recipe, new Recipe.FusedStep.Map(erased("function", function)), Recipe.Site.capture()));
    }

    /// Drops the items that `predicate` rejects. The step before it runs it.
    @SuppressWarnings("unchecked")
    public Pipeline<T> filter(StagePredicate<? super T> predicate) {
        requireNonNull(predicate, "predicate");
        return then(new Recipe.Fused(
                recipe,
                new Recipe.FusedStep.Filter((StagePredicate<Object>) (StagePredicate<?>) predicate),
                Recipe.Site.capture()));
    }

    /// Sets the size of items in bytes from here on, for statistics and for runs with a [byte
    /// budget][RunOptions#byteBudget(ByteBudget)].
    @SuppressWarnings("unchecked")
    public Pipeline<T> weigh(ToLongFunction<? super T> bytes) {
        requireNonNull(bytes, "bytes");
        ToLongFunction<Object> erased = (ToLongFunction<Object>) (ToLongFunction<?>) bytes;
        return then(new Recipe.Fused(recipe, new Recipe.FusedStep.Weigh(erased), Recipe.Site.capture()));
    }

    /// Adds a line to what a checkpoint must have in common with the run that resumes from it, such as the
    /// parameters of the function before. A resume with another line is refused, and both are named. Costs nothing.
    ///
    /// @param line without secrets, since checkpoints hold it
    public Pipeline<T> identifiedBy(String line) {
        return then(new Recipe.Fused(
                recipe, new Recipe.FusedStep.Note(Arguments.name("line", line)), Recipe.Site.capture()));
    }

    /// Adds a stage that applies `function` to each item.
    ///
    /// @param stage   the stage's name in statistics, errors and thread names
    /// @param options how the stage runs; not [StageOptions#async]
    public <R> Pipeline<R> pipe(String stage, StageFunction<? super T, ? extends R> function, StageOptions options) {
        return piped(stage, new Recipe.Body.Plain(erased("function", function)), onThreads(stage, options));
    }

    /// Adds a stage without a name of its own.
    public <R> Pipeline<R> pipe(StageFunction<? super T, ? extends R> function, StageOptions options) {
        return pipe("pipe", function, options);
    }

    /// Adds a stage whose function gets randomness that belongs to the item.
    @SuppressWarnings("unchecked")
    public <R> Pipeline<R> pipeSeeded(
            String stage, SeededFunction<? super T, ? extends R> function, StageOptions options) {
        requireNonNull(function, "function");
        SeededFunction<Object, Object> erased = (SeededFunction<Object, Object>) (SeededFunction<?, ?>) function;
        return piped(stage, new Recipe.Body.Seeded(erased::apply), onThreads(stage, options));
    }

    /// Adds a stage whose function gets the epoch of the item, as for sizes that grow from epoch to epoch.
    @SuppressWarnings("unchecked")
    public <R> Pipeline<R> pipeInEpoch(
            String stage, EpochFunction<? super T, ? extends R> function, StageOptions options) {
        requireNonNull(function, "function");
        EpochFunction<Object, Object> erased = (EpochFunction<Object, Object>) (EpochFunction<?, ?>) function;
        return piped(stage, new Recipe.Body.InEpoch(erased), onThreads(stage, options));
    }

    /// Tells `listener` as epochs begin and end at this place. Everything of an epoch passes it before its end, and
    /// nothing of the next; stages behind it may still work on items of the epoch before.
    ///
    /// To make an item of what an epoch has brought, see the finisher of a gatherer in [#aggregate].
    public Pipeline<T> epochs(String stage, EpochListener listener) {
        return then(new Recipe.Epochs(
                recipe, Arguments.name("stage", stage), requireNonNull(listener, "listener"), Recipe.Site.capture()));
    }

    /// Adds a stage whose function returns before its result is available. The client that completes the results
    /// has its own threads.
    ///
    /// @param options [StageOptions#async], the limit of calls that are pending at once
    @SuppressWarnings("unchecked")
    public <R> Pipeline<R> pipeAsync(
            String stage,
            StageFunction<? super T, ? extends CompletionStage<? extends R>> function,
            StageOptions options) {
        requireNonNull(function, "function");
        Arguments.name("stage", stage);
        if (!(requireNonNull(options, "options").placement() instanceof Placement.Async)) {
            throw new IllegalArgumentException(
                    "pipeAsync '" + stage + "' runs on the threads of its client, so it takes"
                            + " StageOptions.async(n) but was given " + options);
        }
        StageFunction<Object, CompletionStage<?>> erased =
                (StageFunction<Object, CompletionStage<?>>) (StageFunction<?, ?>) function;
        return piped(stage, new Recipe.Body.Async(erased), options);
    }

    /// Adds a stage whose function returns before its results are available, of which there may be several. The
    /// results of an item follow each other; they are pulled while the next stage has room.
    ///
    /// The iterable is treated as that of [#flatMap]. For results that come one by one see
    /// [Elements#of(java.util.concurrent.Flow.Publisher)].
    ///
    /// @param options [StageOptions#async], the limit of calls that are pending at once
    @SuppressWarnings("unchecked")
    public <R> Pipeline<R> flatMapAsync(
            String stage,
            StageFunction<? super T, ? extends CompletionStage<? extends Iterable<? extends R>>> function,
            StageOptions options) {
        Pipeline<Iterable<R>> made = pipeAsync(
                stage, (StageFunction<T, CompletionStage<Iterable<R>>>) (StageFunction<?, ?>) function, options);
        return made.unbatched(stage + ".elements", elements -> (Iterable<?>) elements);
    }

    private <R> Pipeline<R> piped(String stage, Recipe.Body body, StageOptions options) {
        return then(new Recipe.Pipe(recipe, stage, body, options, Recipe.Site.capture()));
    }

    /// Adds a stage that makes several items of one. Elements are pulled one at a time, and each is passed on as it
    /// is produced. For iterators and streams see [Elements]. An iterator that is `AutoCloseable` is closed after
    /// its last element, or when the run ends before it.
    ///
    /// For a run to be resumed, the function must return the same elements each time it is called with the same
    /// item.
    ///
    /// @param options without a deadline, because pulling is spread over many calls
    public <R> Pipeline<R> flatMap(
            String stage, StageFunction<? super T, ? extends Iterable<? extends R>> function, StageOptions options) {
        StageFunction<Object, Object> erased = erased("function", function);
        Optional<Duration> deadline = onThreads(stage, options).deadline().or(options::totalDeadline);
        if (deadline.isPresent()) {
            throw new IllegalArgumentException("flatMap '" + stage + "' can't have a deadline but was given "
                    + deadline.get() + ": its work is spread over many pulls; put the slow part into a pipe"
                    + " of its own");
        }
        if (options.deferral().isPresent()) {
            throw new IllegalArgumentException("flatMap '" + stage + "' can't defer late items, because their parts"
                    + " go out together; put the slow part into a pipe of its own");
        }
        return then(new Recipe.FlatMap(recipe, stage, erased, options, Recipe.Site.capture()));
    }

    /// Runs a gatherer over each epoch: a stateful aggregation. When a run ends before its epoch does, the
    /// gatherer's finisher is called too, and what it emits is closed.
    ///
    /// @param state how a checkpoint treats the gatherer's state
    public <A, R> Pipeline<R> aggregate(
            String stage, Gatherer<? super T, A, ? extends R> gatherer, GathererState<? super A> state) {
        requireNonNull(gatherer, "gatherer");
        requireNonNull(state, "state");
        return then(new Recipe.Aggregate(
                recipe, Arguments.name("stage", stage), erased(gatherer), state, Recipe.Site.capture()));
    }

    /// Sends each item into the sub-chain of its key. Followed by `when(..)` for each key, and `merge()`.
    public <K> Route<T, K> route(String stage, StageFunction<? super T, ? extends K> key) {
        return new Route<>(this, Arguments.name("stage", stage), requireNonNull(key, "key"));
    }

    /// As [#route], with keys that come later, as from a service. The stage that asks for them has its own
    /// options: deadlines, retries, a failure policy.
    ///
    /// @param options [StageOptions#async], the limit of keys that are pending at once; items go on in the order in
    ///     which their keys come, or with [StageOptions#inputOrder] in their own
    @SuppressWarnings("unchecked")
    public <K> Route<T, K> routeAsync(
            String stage, StageFunction<? super T, ? extends CompletionStage<? extends K>> key, StageOptions options) {
        requireNonNull(key, "key");
        Pipeline<Keyed> keyed = pipeAsync(
                stage,
                item -> checkedPromise(key.apply(item)).thenApply(found -> new Keyed(item, checkedKey(found))),
                options);
        return new Route<>((Pipeline<T>) (Pipeline<?>) keyed, stage + ".route", (StageFunction<Object, K>)
                (StageFunction<?, ?>) Keyed.KEY);
    }

    private static <K> CompletionStage<K> checkedPromise(@Nullable CompletionStage<K> promise) {
        return requireNonNull(promise, "the function returned null instead of a promise of the key");
    }

    private static Object checkedKey(@Nullable Object key) {
        return requireNonNull(key, "the key is null");
    }

    /// Sends the elements of batches through sub-chains and puts the batches together again. Items must be lists.
    ///
    /// `R`, the type of the elements afterwards, is given explicitly: `Pipeline.<Clip, Frame>routeElements(batches,
    /// "kind", Clip::kind)`. Where keys come later, a `pipeAsync` before it attaches them to the elements of a
    /// batch.
    public static <E, R> ElementRoute<E, R> routeElements(
            Pipeline<? extends List<? extends E>> batches, String stage, StageFunction<? super E, ?> key) {
        return new ElementRoute<>(
                requireNonNull(batches, "batches"),
                Arguments.name("stage", stage),
                requireNonNull(key, "key"),
                List.of());
    }

    /// The items of several pipelines in the order in which they arrive. Epochs end together.
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <T> Pipeline<T> merge(Pipeline<? extends T>... pipelines) {
        return merge("merge", pipelines, new Recipe.MergePolicy.Arrival());
    }

    /// The items of several pipelines in the order that `policy` chooses. Epochs end together.
    ///
    /// A choice that looks at the next items of several pipelines waits for all of them. Pipelines whose items a
    /// choice leaves where they are work no further ahead than their buffers.
    ///
    /// @param stage the merge's name in statistics, errors and thread names
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <T> Pipeline<T> merge(
            String stage, MergePolicy<? super T> policy, Pipeline<? extends T>... pipelines) {
        return merge(
                Arguments.name("stage", stage),
                pipelines,
                requireNonNull(policy, "policy").recipe());
    }

    /// One item from each pipeline in turn.
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <T> Pipeline<T> roundRobin(StoppingStrategy strategy, Pipeline<? extends T>... pipelines) {
        return merge(
                "round-robin",
                pipelines,
                new Recipe.MergePolicy.RoundRobin(
                        requireNonNull(strategy, "strategy") == StoppingStrategy.FIRST_EXHAUSTED));
    }

    /// Items of several pipelines, sampled by weight. The order depends only on the seed and the epoch.
    ///
    /// @param weights one for each pipeline, finite and not negative, at least one of them positive; a pipeline of
    ///     weight 0 is left out
    public static Mix mix(long seed, double... weights) {
        return Mix.of(seed, requireNonNull(weights, "weights"));
    }

    private static <T> Pipeline<T> merge(String stage, Pipeline<? extends T>[] pipelines, Recipe.MergePolicy policy) {
        return merge(stage, Arrays.asList(requireNonNull(pipelines, "pipelines")), policy);
    }

    static <T> Pipeline<T> merge(
            String stage, List<? extends Pipeline<? extends T>> pipelines, Recipe.MergePolicy policy) {
        if (pipelines.isEmpty()) {
            throw new IllegalArgumentException("there is no pipeline to merge");
        }
        List<Recipe> recipes = new ArrayList<>();
        for (int i = 0; i < pipelines.size(); i++) {
            recipes.add(requireNonNull(pipelines.get(i), "pipelines[" + i + "]").recipe());
        }
        return new Pipeline<>("pipeline", new Recipe.Merge(recipes, stage, policy, Recipe.Site.capture()), UNSET);
    }

    /// Collects `size` items into a list, in the order in which they arrive. Batches don't cross epochs.
    ///
    /// @param size from 1 to [#MAX_BATCH_SIZE]
    public Pipeline<List<T>> batch(int size, Remainder remainder) {
        return batch(size, remainder, Optional.empty());
    }

    /// As [#batch(int, Remainder)]; an incomplete batch is passed on `flushAfter` its first item arrived, for
    /// sources that wait for new items.
    public Pipeline<List<T>> batch(int size, Remainder remainder, Duration flushAfter) {
        return batch(size, remainder, Optional.of(Arguments.positive("flushAfter", flushAfter)));
    }

    private Pipeline<List<T>> batch(int size, Remainder remainder, Optional<Duration> flushAfter) {
        return then(new Recipe.Batch(
                recipe,
                Arguments.inRange("the batch size", size, MAX_BATCH_SIZE),
                requireNonNull(remainder, "remainder"),
                flushAfter,
                Recipe.Site.capture()));
    }

    /// Passes on the elements of each item one by one. They are pulled while the next stage has room.
    @SuppressWarnings("unchecked")
    public <R> Pipeline<R> unbatch(StageFunction<? super T, ? extends Iterable<? extends R>> elements) {
        requireNonNull(elements, "elements");
        return unbatched("unbatch", (StageFunction<Object, Iterable<?>>) (StageFunction<?, ?>) elements);
    }

    private <R> Pipeline<R> unbatched(String stage, StageFunction<Object, Iterable<?>> elements) {
        return then(new Recipe.Unbatch(recipe, stage, elements, Recipe.Site.capture()));
    }

    /// The first `items` items of each epoch. Then what comes before stops: its sources are read no further, and
    /// what they had read ahead is closed.
    ///
    /// A run that resumes delivers what is missing of them.
    public Pipeline<T> take(long items) {
        Arguments.atLeastOne("items", items);
        return then(new Recipe.Merge(
                List.of(recipe), "take(" + items + ")", new Recipe.MergePolicy.First(items), Recipe.Site.capture()));
    }

    /// Sets how many finished items may wait for the consumer; by default 3, and up to 256 while small items follow
    /// each other within 20 us.
    ///
    /// @param items from 1 to [StageOptions#MAX_BUFFER]
    public Pipeline<T> prefetch(int items) {
        return new Pipeline<>(name, recipe, Arguments.inRange("prefetch", items, StageOptions.MAX_BUFFER));
    }

    /// Starts a run with the default options. The caller closes it.
    public Run<T> start() {
        return start(RunOptions.defaults());
    }

    /// Starts a run. The caller closes it.
    public Run<T> start(RunOptions options) {
        return EngineRun.start(name, recipe, prefetch, requireNonNull(options, "options"));
    }

    /// Where a run stands that has delivered `items` items, counted over all epochs: computed, in microseconds. A
    /// run that resumes from it delivers item number `items`, from 0, next, to the bit as every run of the same
    /// recipe and seed.
    ///
    /// @param options those of the run: its seed and its failure policy matter
    /// @throws IllegalArgumentException if item `items` does not follow from its number alone; the message names
    ///     the step. It does where a sampler is followed by steps in input order that make one item of one or
    ///     batches, and that skip nothing
    public Checkpoint checkpointAt(long items, RunOptions options) {
        return Checkpoint.parse(ComputedCheckpoint.of(name, recipe, items, requireNonNull(options, "options")));
    }

    /// Checks that a run that resumes delivers the same items in the same order as one that was never interrupted.
    /// Throws `IllegalArgumentException` if time decides what comes next; the message names the step.
    public void requireSameOrder() {
        TimedOrder.find(recipe).ifPresent(step -> {
            throw new IllegalArgumentException("pipeline '" + name + "' delivers in another order each time: " + step);
        });
    }

    /// The recipe as a tree, source first, with the line of the program where each step was added.
    @Override
    public String toString() {
        return RecipePrinter.tree(name, recipe);
    }

    /// The recipe up to a step.
    static Pipeline<?> of(Recipe recipe) {
        return new Pipeline<>("pipeline", recipe, UNSET);
    }

    String name() {
        return name;
    }

    Recipe recipe() {
        return recipe;
    }

    /// What a sub-chain starts from.
    static <T> Pipeline<T> entry() {
        return new Pipeline<>("entry", new Recipe.Entry(Recipe.Site.capture()), UNSET);
    }

    <R> Pipeline<R> then(Recipe next) {
        return new Pipeline<>(name, next, prefetch);
    }

    private static StageOptions onThreads(String stage, StageOptions options) {
        Arguments.name("stage", stage);
        if (requireNonNull(options, "options").placement() instanceof Placement.Async) {
            throw new IllegalArgumentException(
                    "stage '" + stage + "' needs threads, but " + options + " has none: it is for pipeAsync");
        }
        return options;
    }

    /// The compiler checked item types where the function was given; inside, items are opaque.
    @SuppressWarnings("unchecked")
    private static StageFunction<Object, Object> erased(String argument, StageFunction<?, ?> function) {
        return (StageFunction<Object, Object>) requireNonNull(function, argument);
    }

    @SuppressWarnings("unchecked")
    private static Gatherer<Object, Object, Object> erased(Gatherer<?, ?, ?> gatherer) {
        return (Gatherer<Object, Object, Object>) gatherer;
    }
}
