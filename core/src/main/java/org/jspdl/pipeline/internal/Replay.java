package org.jspdl.pipeline.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Replayed;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.internal.RunState.EpochState;
import org.jspdl.pipeline.internal.RunState.Share;
import org.jspdl.pipeline.internal.RunState.SourceState;
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
        Recipe upToStage = find(recipe, item.stage(), new HashMap<>());
        if (upToStage == null) {
            throw new IllegalArgumentException(
                    "pipeline '" + pipeline + "' has no stage '" + item.stage() + "' to replay");
        }
        check(pipeline, upToStage, item);
        List<Object> results = new ArrayList<>();
        long lastEpoch = item.places().getLast().epoch();
        RunOptions once = options.withEpochs(lastEpoch + 1);
        try (Run<Object> run =
                EngineRun.resume(pipeline, upToStage, item.places().size() + 1, once, state(upToStage, item))) {
            do {
                run.forEach(results::add);
            } while (run.nextEpoch());
        } catch (PipelineException failure) {
            return new Replayed(item, results, Optional.of(failure.getCause() == null ? failure : failure.getCause()));
        }
        return new Replayed(item, results, Optional.empty());
    }

    /// The step that is planned under this name; names are given as the planner gives them, inputs first.
    private static Recipe find(Recipe recipe, String stage, Map<String, Integer> taken) {
        for (Recipe input : recipe.inputs()) {
            Recipe found = find(input, stage, taken);
            if (found != null) {
                return recipe instanceof Recipe.Fused && found == input ? recipe : found;
            }
        }
        String wanted = Planner.nameOf(recipe);
        if (wanted.isEmpty()) {
            return null;
        }
        int count = taken.merge(wanted, 1, Integer::sum);
        return stage.equals(count == 1 ? wanted : wanted + "-" + count) ? recipe : null;
    }

    private static void check(String pipeline, Recipe recipe, FailedItem item) {
        if (recipe instanceof Recipe.Merge || recipe instanceof Recipe.Route || recipe instanceof Recipe.Aggregate) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "' can't replay items of stage '"
                    + item.stage() + "' alone: " + recipe.signature() + " lies before it");
        }
        if (recipe instanceof Recipe.From from && from.source().resume() != Source.Resume.SEEK) {
            throw new IllegalArgumentException(
                    "pipeline '" + pipeline + "' can't replay: source '" + from.name() + "' is not random-access");
        }
        recipe.inputs().forEach(input -> check(pipeline, input, item));
    }

    private static RunState state(Recipe recipe, FailedItem item) {
        TreeMap<Long, List<Position>> byEpoch = new TreeMap<>();
        for (FailedItem.Place place : item.places()) {
            byEpoch.computeIfAbsent(place.epoch(), epoch -> new ArrayList<>()).add(place.position());
        }
        List<EpochState> epochs = new ArrayList<>();
        byEpoch.forEach((epoch, places) -> epochs.add(new EpochState(epoch, places, false, Position.START)));
        Map<String, List<List<String>>> groups = new LinkedHashMap<>();
        if (item.places().size() > 1) {
            groups.put(
                    lastGroup(recipe),
                    List.of(item.places().stream().map(Replay::key).toList()));
        }
        Share share = Share.of(source(recipe));
        return new RunState(
                Fingerprint.of(recipe),
                byEpoch.firstKey(),
                List.of(new SourceState(epochs, share)),
                Map.of(),
                groups,
                Map.of(),
                Map.of(),
                Map.of());
    }

    private static String key(FailedItem.Place place) {
        return new Lineage.Origin(place.source(), place.epoch(), place.position()).key();
    }

    private static String lastGroup(Recipe recipe) {
        return recipe instanceof Recipe.Batch
                ? Planner.nameOf(recipe)
                : lastGroup(recipe.inputs().getFirst());
    }

    private static Source<?> source(Recipe recipe) {
        return recipe instanceof Recipe.From from
                ? from.source()
                : source(recipe.inputs().getFirst());
    }
}
