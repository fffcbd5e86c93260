package org.jspdl.pipeline.internal.run;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspdl.pipeline.Excerpt;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspdl.pipeline.internal.checkpoint.RunIdentity;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspecify.annotations.Nullable;

/// Runs single places of an epoch through the steps of a recipe that make one item of one.
///
/// As [Replay] does: a run that is resumed with nothing left but those places, so that names, and with them the keys of
/// randomness, are those of the whole run.
public final class Excerpts {
    private Excerpts() {}

    /// The source that a recipe begins with, whose places can be run alone.
    ///
    /// @throws IllegalArgumentException if there is none
    public static RankedSource<?> source(String pipeline, Recipe recipe) {
        if (Recipe.chain(recipe).getFirst() instanceof Recipe.From from) {
            if (from.source() instanceof RankedSource<?> ranked && ranked.worldSize() == 1) {
                return ranked;
            }
            throw new IllegalArgumentException(
                    "pipeline '" + pipeline + "': places of source '" + from.name()
                            + "' can't be run alone: it is not one of all ranks that finds a place by its number, as samplers do");
        }
        throw new IllegalArgumentException(
                "pipeline '" + pipeline + "': single places can be run of one source only, not of several");
    }

    /// Makes the steps that places run through, of a policy that records failures.
    @FunctionalInterface
    private interface Front {
        Recipe of(FailurePolicy recording);
    }

    /// Runs `places` of `epoch`, each below the size of an epoch, up to the first step that makes other than one
    /// item of one.
    public static Excerpt of(String pipeline, Recipe recipe, long epoch, List<Long> places, RunOptions options) {
        return run(pipeline, recipe, recording -> front(recipe, recording), epoch, places, options);
    }

    /// As [#of], through all steps; what a filter drops is null and has not failed.
    ///
    /// @throws IllegalArgumentException also if a step makes other than one item of one, or none
    public static Excerpt whole(String pipeline, Recipe recipe, long epoch, List<Long> places, RunOptions options) {
        return run(
                pipeline,
                recipe,
                recording -> FilteredFront.of(pipeline, recipe, given -> recorded(given, recording)),
                epoch,
                places,
                options);
    }

    private static Excerpt run(
            String pipeline, Recipe recipe, Front steps, long epoch, List<Long> places, RunOptions options) {
        RankedSource<?> source = source(pipeline, recipe);
        Map<Long, Integer> numbers = new HashMap<>();
        for (int i = 0; i < places.size(); i++) {
            long place = places.get(i);
            if (place < 0 || place >= source.places()) {
                throw new IllegalArgumentException(
                        "there is no place " + place + " in an epoch of " + source.places() + " places");
            }
            if (numbers.put(place, i) != null) {
                throw new IllegalArgumentException("place " + place + " is asked for twice");
            }
        }
        Map<Integer, FailedItem> failures = new ConcurrentHashMap<>();
        FailurePolicy recording = FailurePolicy.skip(Long.MAX_VALUE)
                .quarantine(item ->
                        failures.put(requireNonNull(numbers.get(item.position().index())), item));
        Recipe front = steps.of(recording);
        List<Object> delivered = new ArrayList<>();
        RunOptions once = options.epochs(epoch + 1).failures(recording);
        if (!places.isEmpty()) {
            try (Run<Object> run =
                    EngineRun.resume(pipeline, front, places.size() + 1, once, state(source, epoch, places))) {
                run.forEach(delivered::add);
            } catch (Throwable failure) {
                delivered.forEach(item -> close(item, failure));
                throw failure;
            }
        }
        return new Excerpt(placed(delivered, places.size(), failures), failures);
    }

    /// What was delivered, in input order, at the places of those that did not fail.
    private static List<@Nullable Object> placed(
            List<Object> delivered, int places, Map<Integer, FailedItem> failures) {
        if (delivered.size() + failures.size() != places) {
            IllegalStateException lost = new IllegalStateException("of " + places + " places " + delivered.size()
                    + " were delivered and " + failures.size() + " failed");
            delivered.forEach(item -> close(item, lost));
            throw lost;
        }
        List<@Nullable Object> items = new ArrayList<>(places);
        int next = 0;
        for (int i = 0; i < places; i++) {
            @Nullable Object item = failures.containsKey(i) ? null : delivered.get(next++);
            items.add(item == FilteredFront.DROPPED ? null : item);
        }
        return items;
    }

    private static void close(Object item, Throwable because) {
        if (item instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Throwable failure) {
                because.addSuppressed(failure);
            }
        }
    }

    /// The steps up to the first that does not make one item of one, in input order.
    private static Recipe front(Recipe recipe, FailurePolicy recording) {
        Recipe front = Recipe.chain(recipe).getFirst();
        for (Recipe step : Recipe.chain(recipe)) {
            switch (step) {
                case Recipe.From _ -> {}
                case Recipe.Pipe pipe ->
                    front = new Recipe.Pipe(
                            front, pipe.name(), pipe.body(), recorded(pipe.options(), recording), pipe.site());
                case Recipe.Fused fused -> {
                    if (fused.step() instanceof Recipe.FusedStep.Filter) {
                        return front;
                    }
                    front = fused.behind(front);
                }
                case Recipe.Epochs _ -> {} // single places are no epoch
                case Recipe.Batch _,
                        Recipe.FlatMap _,
                        Recipe.Unbatch _,
                        Recipe.Aggregate _,
                        Recipe.Merge _,
                        Recipe.Route _,
                        Recipe.Entry _ -> {
                    return front;
                }
            }
        }
        return front;
    }

    private static StageOptions recorded(StageOptions options, FailurePolicy recording) {
        return options.inputOrder().failures(retried(options.failures().orElse(recording), recording));
    }

    /// Retries stay; what a failure that is left means is not for this run to say.
    private static FailurePolicy retried(FailurePolicy policy, FailurePolicy recording) {
        return switch (policy) {
            case FailurePolicy.Retry(var base, int attempts, var backoff, var retryable) ->
                retried(base, recording).retry(attempts, backoff, retryable);
            case FailurePolicy.Quarantine(var base, var _) -> retried(base, recording);
            case FailurePolicy.FailFast _, FailurePolicy.SkipCount _, FailurePolicy.SkipRate _ -> recording;
        };
    }

    private static RunState state(RankedSource<?> source, long epoch, List<Long> places) {
        EpochState left =
                new EpochState(epoch, places.stream().map(Position::at).toList(), false, Position.START);
        return new RunState(
                new RunIdentity(0, List.of(), Map.of(), List.of()),
                epoch,
                0,
                List.of(new SourceState(List.of(left), Share.of(source))),
                new NodeTable(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of());
    }
}
