package org.jspdl.pipeline.internal.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspdl.json.Json;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Replayed;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.internal.checkpoint.NodeRows;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspdl.pipeline.internal.checkpoint.RunIdentity;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.ReplayRecipe;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// Runs skipped items again, up to the stage where they failed.
///
/// An item is replayed as a run that is resumed with nothing left but the item's places, so that a group is formed
/// again from its own members.
public final class Replay {
    private Replay() {}

    /// Runs `item` again through `recipe`.
    public static Replayed replay(String pipeline, Recipe recipe, FailedItem item, RunOptions options) {
        Recipe upToStage = ReplayRecipe.upTo(item.stage(), item.element(), recipe)
                .orElseThrow(() -> new IllegalArgumentException(
                        "pipeline '" + pipeline + "' has no stage '" + item.stage() + "' to replay"));
        checkSources(pipeline, upToStage, item);
        checkGatherers(pipeline, upToStage, item);
        List<Object> results = new ArrayList<>();
        long lastEpoch =
                item.places().stream().mapToLong(FailedItem.Place::epoch).max().orElseThrow();
        RunOptions once = options.epochs(lastEpoch + 1);
        try (Run<Object> run =
                EngineRun.resume(pipeline, upToStage, item.places().size() + 1, once, state(upToStage, item))) {
            do {
                run.forEach(result -> results.addAll(item.element().isPresent() ? (List<?>) result : List.of(result)));
            } while (run.nextEpoch());
        } catch (PipelineException failure) {
            return new Replayed(item, results, Optional.of(failure.getCause() == null ? failure : failure.getCause()));
        }
        return new Replayed(item, results, Optional.empty());
    }

    private static void checkSources(String pipeline, Recipe recipe, FailedItem item) {
        List<Source<?>> sources = Recipe.sources(recipe);
        for (FailedItem.Place place : item.places()) {
            if (place.source() >= sources.size()) {
                throw new IllegalArgumentException("pipeline '" + pipeline + "' can't replay: the item is of source "
                        + place.source() + ", but there are " + sources.size() + " up to stage '" + item.stage() + "'");
            }
            if (sources.get(place.source()).resume() != Source.Resume.SEEK) {
                throw new IllegalArgumentException("pipeline '" + pipeline + "' can't replay: source '"
                        + name(recipe, sources.get(place.source())) + "' is not random-access");
            }
        }
    }

    private static String name(Recipe recipe, Source<?> source) {
        return all(recipe)
                .filter(step -> step instanceof Recipe.From from && from.source() == source)
                .map(step -> ((Recipe.From) step).name())
                .findFirst()
                .orElseThrow();
    }

    private static Stream<Recipe> all(Recipe recipe) {
        Stream<Recipe> branches = recipe instanceof Recipe.Route route
                ? route.branches().stream().map(Recipe.Branch::chain)
                : Stream.of();
        return Stream.concat(
                Stream.of(recipe),
                Stream.concat(recipe.inputs().stream(), branches).flatMap(Replay::all));
    }

    /// An emission that depends on more than its own members can't be made again from them.
    private static void checkGatherers(String pipeline, Recipe recipe, FailedItem item) {
        all(recipe)
                .filter(step -> step instanceof Recipe.Aggregate aggregate
                        && !(aggregate.state() instanceof GathererState.EmptyAfterEmission<?>))
                .findFirst()
                .ifPresent(step -> {
                    throw new IllegalArgumentException("pipeline '" + pipeline + "' can't replay items of stage '"
                            + item.stage() + "' alone: " + step.signature() + " lies before it, and what it emits may"
                            + " depend on earlier items; give GathererState.emptyAfterEmission() if each emission leaves its"
                            + " state empty");
                });
    }

    /// The state of a run that has nothing left but the item's places, and forms its groups again.
    private static RunState state(Recipe recipe, FailedItem item) {
        List<Source<?>> sources = Recipe.sources(recipe);
        TreeSet<Long> epochs = new TreeSet<>();
        item.places().forEach(place -> epochs.add(place.epoch()));
        List<SourceState> states = new ArrayList<>();
        for (int source = 0; source < sources.size(); source++) {
            List<EpochState> left = new ArrayList<>();
            for (long epoch : epochs) {
                left.add(new EpochState(epoch, places(item, source, epoch), false, Position.START));
            }
            states.add(new SourceState(left, Share.of(sources.get(source))));
        }
        NodeTable groups = item.groups().isEmpty() ? new NodeTable() : NodeRows.read(Json.parse(item.groups()));
        return new RunState(
                new RunIdentity(0, List.of(), Map.of(), List.of()),
                epochs.first(),
                0,
                states,
                groups,
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of());
    }

    /// In the item's order, each once: several parts of one divided item have its place in common.
    private static List<Position> places(FailedItem item, int source, long epoch) {
        return item.places().stream()
                .filter(place -> place.source() == source && place.epoch() == epoch)
                .map(FailedItem.Place::position)
                .distinct()
                .toList();
    }
}
