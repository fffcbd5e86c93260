package org.jspdl.pipeline.internal.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.pipeline.EpochListener;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspdl.pipeline.internal.checkpoint.RunIdentity;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;

/// Runs places of an epoch that came together in a run in which time decided what comes together: through the same
/// steps, all in input order.
///
/// As [Excerpts] does: a run that is resumed with nothing left but those places, so that names, and with them the keys
/// of randomness, are those of the whole run.
public final class Gathered {
    private Gathered() {}

    /// Starts the run.
    ///
    /// @param places in the order in which they are wanted
    public static <T> Run<T> of(String pipeline, Recipe recipe, long epoch, List<Long> places, RunOptions options) {
        Recipe ordered = Recipe.chain(recipe).getFirst();
        if (!(ordered instanceof Recipe.From from) || !(from.source() instanceof RankedSource<?> source)) {
            throw refused(
                    pipeline, "it does not begin with one source that finds a place by its number, as samplers do");
        }
        for (Recipe step : Recipe.chain(recipe)) {
            ordered = ordered(pipeline, step, ordered);
        }
        for (long place : places) {
            if (place < 0 || place >= source.places()) {
                throw refused(
                        pipeline, "there is no place " + place + " in an epoch of " + source.places() + " places");
            }
        }
        List<Position> left = places.stream()
                .map(place -> new Position(place, Long.toString(place + 1))) // the epoch ends behind each
                .toList();
        RunState state = new RunState(
                new RunIdentity(0, List.of(), Map.of(), List.of()),
                epoch,
                0,
                List.of(new SourceState(List.of(new EpochState(epoch, left, false, Position.START)), Share.of(source))),
                new NodeTable(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of());
        return EngineRun.resume(pipeline, ordered, 1, options.epochs(epoch + 1), state);
    }

    private static Recipe ordered(String pipeline, Recipe step, Recipe before) {
        return switch (step) {
            case Recipe.From from -> from;
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
            case Recipe.FlatMap _,
                    Recipe.Unbatch _,
                    Recipe.Aggregate _,
                    Recipe.Merge _,
                    Recipe.Route _,
                    Recipe.Entry _ ->
                throw refused(pipeline, "step '" + step.signature() + "' does not make one item of one");
        };
    }

    private static IllegalArgumentException refused(String pipeline, String why) {
        return new IllegalArgumentException(
                "pipeline '" + pipeline + "': what came together can't be made again of its places alone: " + why);
    }
}
