package org.jspdl.pipeline.internal.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspdl.pipeline.EpochListener;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.SourcePlace;
import org.jspdl.pipeline.internal.checkpoint.CheckpointRedistribution;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspdl.pipeline.internal.checkpoint.RunIdentity;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.checkpoint.StateJson;
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
/// of randomness, are those of the whole run. What several sources are mixed by is what was recorded. Used once.
public final class Gathered {
    private final String pipeline;
    private final long epoch;
    private final List<SourcePlace> places;
    private final @Nullable RunState before;
    private final List<Source<?>> sources = new ArrayList<>();
    private final List<SourceState> states = new ArrayList<>();

    private Gathered(String pipeline, long epoch, List<SourcePlace> places, @Nullable RunState before) {
        this.pipeline = pipeline;
        this.epoch = epoch;
        this.places = places;
        this.before = before;
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
                places,
                checkpoint.map(json -> own(json, recipe)).orElse(null));
        Recipe ordered = gathered.ordered(recipe);
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
        return EngineRun.resume(pipeline, ordered, 1, options.epochs(epoch + 1), state);
    }

    private static RunState own(String json, Recipe recipe) {
        return CheckpointRedistribution.deal(StateJson.read(json), Recipe.sources(recipe));
    }

    private Recipe ordered(Recipe recipe) {
        Recipe at = null;
        for (Recipe step : Recipe.chain(recipe)) {
            at = switch (step) {
                case Recipe.From from -> source(from);
                case Recipe.Merge merge -> merged(merge);
                case Recipe.After after -> ordered(after, Objects.requireNonNull(at));
                case Recipe.Entry _ -> throw notOneOfOne(step);
            };
        }
        return Objects.requireNonNull(at);
    }

    /// What is wanted of the source that is next.
    private Recipe source(Recipe.From from) {
        int number = sources.size();
        List<Long> wanted = places.stream()
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
    private Recipe merged(Recipe.Merge merge) {
        List<Recipe> inputs = new ArrayList<>();
        List<Integer> inputOf = new ArrayList<>();
        int first = sources.size();
        for (Recipe input : merge.inputs()) {
            inputs.add(ordered(input));
            while (inputOf.size() < sources.size() - first) {
                inputOf.add(inputs.size() - 1);
            }
        }
        int[] turns = places.stream()
                .mapToInt(SourcePlace::source)
                .filter(source -> source >= first && source < first + inputOf.size())
                .map(source -> inputOf.get(source - first))
                .toArray();
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

    private Recipe ordered(Recipe.After step, Recipe before) {
        return switch (step) {
            case Recipe.Pipe pipe ->
                new Recipe.Pipe(before, pipe.name(), pipe.body(), pipe.options().inputOrder(), pipe.site());
            case Recipe.Batch batch ->
                new Recipe.Batch(before, batch.size(), Remainder.KEEP, Optional.empty(), batch.site());
            case Recipe.Fused fused -> fused.behind(before);
            // single places are no epoch
            case Recipe.Epochs epochs ->
                new Recipe.Epochs(before, epochs.name(), new EpochListener() {}, epochs.site());
            case Recipe.Aggregate aggregate
            when aggregate.state() instanceof GathererState.EmptyAfterEmission<?> -> aggregate.behind(before);
            case Recipe.FlatMap _, Recipe.Unbatch _, Recipe.Aggregate _, Recipe.Route _ -> throw notOneOfOne(step);
        };
    }

    private IllegalArgumentException notOneOfOne(Recipe step) {
        return refused("step '" + step.signature() + "' does not make one item of one");
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(
                "pipeline '" + pipeline + "': what came together can't be made again of its places alone: " + why);
    }
}
