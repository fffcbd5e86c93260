package org.jspdl.pipeline;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspdl.pipeline.internal.EngineRun;
import org.jspdl.pipeline.internal.Recipe;
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

    /// Applies a cheap function, run by the step before it: no queue, no thread of its own, and its time and failures
    /// count there.
    public <R> Pipeline<R> map(StageFunction<? super T, ? extends R> function) {
        return then(new Recipe.Fused(recipe, new Recipe.FusedStep.Map(erased(function))));
    }

    /// Drops the items that `predicate` does not accept; run by the step before it.
    @SuppressWarnings("unchecked")
    public Pipeline<T> filter(StagePredicate<? super T> predicate) {
        return then(new Recipe.Fused(
                recipe, new Recipe.FusedStep.Filter((StagePredicate<Object>) (StagePredicate<?>) predicate)));
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

    private <R> Pipeline<R> then(Recipe next) {
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
}
