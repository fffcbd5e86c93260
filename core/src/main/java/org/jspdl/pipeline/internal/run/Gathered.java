package org.jspdl.pipeline.internal.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspdl.pipeline.EpochListener;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.SourcePlace;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.internal.again.StartOrder;
import org.jspdl.pipeline.internal.again.WantedItems;
import org.jspdl.pipeline.internal.checkpoint.CheckpointRedistribution;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspdl.pipeline.internal.checkpoint.RunIdentity;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.checkpoint.StateJson;
import org.jspdl.pipeline.internal.recipe.GroupSizes;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.StageNames;
import org.jspdl.source.ElasticSource;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// Runs places of an epoch that came together in a run in which time decided what comes together: through the same
/// steps, all in input order.
///
/// As [Excerpts] does: a run that is resumed with nothing left but those places, so that names, and with them the keys
/// of randomness, are those of the whole run. What several sources are mixed by is what was recorded.
///
/// Items that others had passed are started about where they were started then, and delivered where they were delivered
/// then ([StartOrder]). All that is wanted comes: what fails, or is filtered, ends the run. Used once.
public final class Gathered {
    /// As many items wait for the consumer as if nobody said how many, so that the last stage has room like others.
    private static final int DEFAULT_PREFETCH = 0;

    private final String pipeline;
    private final long epoch;
    private final @Nullable RunState before;
    /// How many items it takes to know what one weighs.
    private final long first;
    private final List<Source<?>> sources = new ArrayList<>();
    private final List<SourceState> states = new ArrayList<>();

    private Gathered(String pipeline, long epoch, @Nullable RunState before, long first) {
        this.pipeline = pipeline;
        this.epoch = epoch;
        this.before = before;
        this.first = first;
    }

    /// Starts the run.
    ///
    /// @param places     in the order in which they are wanted
    /// @param checkpoint of the run before any of them was delivered, as JSON: where sources are read on from that
    ///     find no place by its number; they are read from the start of the epoch if it is empty
    public static <T> Run<T> of(
            String pipeline,
            Recipe recipe,
            long epoch,
            List<SourcePlace> places,
            Optional<String> checkpoint,
            RunOptions options) {
        Gathered gathered = new Gathered(
                pipeline,
                epoch,
                checkpoint.map(json -> own(json, recipe)).orElse(null),
                GroupSizes.untilWeighed(recipe).stream()
                        .filter(count -> count < Long.MAX_VALUE)
                        .max(Comparator.naturalOrder())
                        .orElse(1L));
        Recipe ordered = gathered.ordered(recipe, places, false);
        for (SourcePlace each : places) {
            if (each.source() >= gathered.sources.size()) {
                throw gathered.refused(
                        "it has " + gathered.sources.size() + " sources, and no number " + each.source());
            }
        }
        RunState state = new RunState(
                new RunIdentity(0, List.of(), Map.of(), List.of()),
                epoch,
                0,
                gathered.states,
                new NodeTable(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of());
        return EngineRun.resume(
                pipeline,
                ordered,
                DEFAULT_PREFETCH,
                options.epochs(epoch + 1).failures(strict(options.failures())),
                state);
    }

    private static RunState own(String json, Recipe recipe) {
        return CheckpointRedistribution.deal(StateJson.read(json), Recipe.sources(recipe));
    }

    /// @param wanted of its sources, in the order in which they are to come
    /// @param anyOrder whether a later step puts them into that order
    private Recipe ordered(Recipe recipe, List<SourcePlace> wanted, boolean anyOrder) {
        List<Recipe> chain = Recipe.chain(recipe);
        int turning = anyOrder ? -1 : lastTimed(chain);
        StartOrder start = StartOrder.of(wanted, first);
        boolean turns = turning >= 0 && start.isAnother();
        List<SourcePlace> started = turns ? start.places() : wanted;
        Recipe at = null;
        for (int i = 0; i < chain.size(); i++) {
            boolean free = anyOrder || (turns && i < turning);
            boolean isTurning = turns && i == turning;
            at = switch (chain.get(i)) {
                case Recipe.From from -> source(from, started);
                case Recipe.Merge merge -> merged(merge, started, free);
                case Recipe.Pipe pipe when free -> strict(pipe, Objects.requireNonNull(at), pipe.options());
                case Recipe.Pipe pipe
                when isTurning -> {
                    Recipe.Pipe last = strict(
                            pipe, Objects.requireNonNull(at), pipe.options().inputOrder());
                    yield new Recipe.Pipe(
                            last.before(),
                            last.name(),
                            last.body(),
                            last.options(),
                            last.site(),
                            Optional.of(start.turns()));
                }
                case Recipe.After after -> ordered(after, Objects.requireNonNull(at));
                case Recipe.Entry entry -> throw notOneOfOne(entry);
            };
        }
        return Objects.requireNonNull(at);
    }

    /// The last step, of those that have single items, in which some pass others; -1 if there is none.
    private static int lastTimed(List<Recipe> chain) {
        int last = -1;
        for (int i = 0; i < chain.size(); i++) {
            switch (chain.get(i)) {
                case Recipe.Pipe pipe -> last = pipe.options().isTimed() ? i : last;
                case Recipe.Batch _, Recipe.Aggregate _ -> {
                    return last;
                }
                case Recipe.Merge merge
                when !merge.inputs().stream().allMatch(Gathered::isOfSingles) -> {
                    return -1; // turns are those of single items
                }
                default -> {}
            }
        }
        return last;
    }

    private static boolean isOfSingles(Recipe recipe) {
        return Recipe.chain(recipe).stream().allMatch(step -> switch (step) {
            case Recipe.Batch _, Recipe.Aggregate _ -> false;
            case Recipe.Merge merge -> merge.inputs().stream().allMatch(Gathered::isOfSingles);
            default -> true;
        });
    }

    /// What is wanted of the source that is next.
    private Recipe source(Recipe.From from, List<SourcePlace> started) {
        int number = sources.size();
        List<Long> wanted = started.stream()
                .filter(place -> place.source() == number)
                .map(SourcePlace::place)
                .toList();
        Source<?> source = from.source();
        sources.add(source);
        if (source instanceof RankedSource<?> ranked) {
            states.add(found(ranked, wanted));
            return from;
        }
        if (source.resume() == Source.Resume.NONE) {
            throw refused("source '" + from.name() + "' can't be read again");
        }
        Source<?> read = reading(source, number, wanted);
        states.add(new SourceState(List.of(EpochState.whole(epoch)), Share.of(read)));
        return new Recipe.From(read, from.name(), from.site());
    }

    private SourceState found(RankedSource<?> source, List<Long> wanted) {
        for (long place : wanted) {
            if (place >= source.places()) {
                throw refused("there is no place " + place + " in an epoch of " + source.places() + " places");
            }
        }
        List<Position> left = wanted.stream()
                .map(place -> new Position(place, Long.toString(place + 1))) // the epoch ends behind each
                .toList();
        return new SourceState(List.of(new EpochState(epoch, left, false, Position.START)), Share.of(source));
    }

    private Source<?> reading(Source<?> source, int number, List<Long> wanted) {
        SourceState then = before == null ? null : before.sources().get(number);
        Source<?> shared =
                then != null && source instanceof ElasticSource<?> elastic ? elastic.sharing(then.shares()) : source;
        return new WantedItems<>(shared, left(then), wanted);
    }

    /// What was left of the epoch.
    private EpochState left(@Nullable SourceState then) {
        if (then == null) {
            return EpochState.whole(epoch);
        }
        return then.epochs().stream()
                .filter(each -> each.epoch() == epoch)
                .findFirst()
                .orElseGet(() -> EpochState.whole(epoch));
    }

    /// The inputs in the order in which their items were recorded.
    private Recipe merged(Recipe.Merge merge, List<SourcePlace> wanted, boolean anyOrder) {
        List<Recipe> inputs = new ArrayList<>();
        List<Integer> inputOf = new ArrayList<>();
        int first = sources.size();
        for (Recipe input : merge.inputs()) {
            int from = sources.size();
            int to = from + Recipe.sources(input).size();
            List<SourcePlace> own = wanted.stream()
                    .filter(place -> place.source() >= from && place.source() < to)
                    .toList();
            inputs.add(ordered(input, own, anyOrder));
            while (inputOf.size() < sources.size() - first) {
                inputOf.add(inputs.size() - 1);
            }
        }
        int[] turns = turns(
                merge,
                wanted.stream()
                        .mapToInt(SourcePlace::source)
                        .filter(source -> source >= first && source < first + inputOf.size())
                        .map(source -> inputOf.get(source - first))
                        .toArray());
        Recipe.Choice choice = (state, _) -> {
            int[] next = (int[]) state;
            return next[0] < turns.length ? turns[next[0]++] : -1;
        };
        return new Recipe.Merge(
                List.copyOf(inputs),
                StageNames.of(merge),
                new Recipe.MergePolicy.Chosen(() -> new int[1], choice, GathererState.unsaved()),
                merge.site());
    }

    /// From which input the merge takes one item after the other.
    ///
    /// @param inputOf of each wanted place, in their order: those of a batch follow each other
    private static int[] turns(Recipe.Merge merge, int[] inputOf) {
        int[] turns = new int[inputOf.length];
        int count = 0;
        for (int i = 0, end; i < inputOf.length; i = end) {
            int input = inputOf[i];
            long size = GroupSizes.members(merge.inputs().get(input));
            end = i + 1;
            while (end < inputOf.length && end - i < size && inputOf[end] == input) {
                end++;
            }
            turns[count++] = input;
        }
        return Arrays.copyOf(turns, count);
    }

    private Recipe ordered(Recipe.After step, Recipe before) {
        return switch (step) {
            case Recipe.Pipe pipe -> strict(pipe, before, pipe.options().inputOrder());
            case Recipe.Batch batch ->
                new Recipe.Batch(before, batch.size(), Remainder.KEEP, Optional.empty(), batch.site());
            case Recipe.Fused fused -> new Recipe.Fused(before, strict(fused.step()), fused.site());
            // single places are no epoch
            case Recipe.Epochs epochs ->
                new Recipe.Epochs(before, epochs.name(), new EpochListener() {}, epochs.site());
            case Recipe.Aggregate aggregate
            when aggregate.state() instanceof GathererState.EmptyAfterEmission<?> -> aggregate.behind(before);
            case Recipe.FlatMap _, Recipe.Unbatch _, Recipe.Aggregate _, Recipe.Route _ -> throw notOneOfOne(step);
        };
    }

    private static Recipe.Pipe strict(Recipe.Pipe pipe, Recipe before, StageOptions options) {
        StageOptions failing = options.failures().isPresent()
                ? options.failures(strict(options.failures().get()))
                : options;
        return new Recipe.Pipe(before, pipe.name(), pipe.body(), failing, pipe.site());
    }

    /// Retries stay. An item that came then and fails now is not what it was.
    private static FailurePolicy strict(FailurePolicy policy) {
        return switch (policy) {
            case FailurePolicy.Retry(var base, int attempts, var backoff, var retryable) ->
                strict(base).retry(attempts, backoff, retryable);
            case FailurePolicy.Quarantine(var base, var _) -> strict(base);
            case FailurePolicy.FailFast _, FailurePolicy.SkipCount _, FailurePolicy.SkipRate _ ->
                FailurePolicy.failFast();
        };
    }

    private static Recipe.FusedStep strict(Recipe.FusedStep step) {
        return step instanceof Recipe.FusedStep.Filter(var predicate)
                ? new Recipe.FusedStep.Filter(item -> {
                    if (!predicate.test(item)) {
                        throw new IllegalStateException("a filter drops now what it let pass in the recorded run");
                    }
                    return true;
                })
                : step;
    }

    private IllegalArgumentException notOneOfOne(Recipe step) {
        return refused("step '" + step.signature() + "' does not make one item of one");
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(
                "pipeline '" + pipeline + "': what came together can't be made again of its places alone: " + why);
    }
}
