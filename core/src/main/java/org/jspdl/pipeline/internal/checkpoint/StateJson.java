package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.json.Json;
import org.jspdl.pipeline.internal.checkpoint.RunState.AggregateState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.MixState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.checkpoint.RunState.StateAt;
import org.jspdl.source.Position;

/// Writes a [RunState] as JSON, which [StateReader] reads. Places that are a number alone are written as ranges.
public final class StateJson {
    static final long VERSION = 3;
    /// The most places and parts that a checkpoint may name: far more than can be in flight.
    public static final long MOST_PLACES = 1_000_000;
    /// No source is longer.
    static final long FARTHEST_PLACE = 1L << 62;

    private StateJson() {}

    public static String write(RunState state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("jspdl_checkpoint", VERSION);
        RunIdentity identity = state.identity();
        json.put("seed", identity.seed());
        json.put("recipe", identity.recipe());
        putUnlessEmpty(json, "provenance", identity.provenance());
        if (!identity.changes().isEmpty()) {
            json.put(
                    "provenance_changes",
                    identity.changes().stream()
                            .map(change -> List.of(change.epoch(), change.key(), change.was(), change.is()))
                            .toList());
        }
        json.put("epoch", state.epoch());
        json.put("delivered", state.delivered());
        json.put("sources", state.sources().stream().map(StateJson::source).toList());
        if (state.nodes().size() > 0) {
            json.put("nodes", NodeRows.write(state.nodes()));
        }
        if (!state.parts().isEmpty()) {
            List<List<Object>> parts = new ArrayList<>();
            state.parts().forEach((split, settled) -> parts.add(List.of(split, settled)));
            json.put("parts", parts);
        }
        Map<String, Object> draws = new LinkedHashMap<>();
        state.draws()
                .forEach((stage, epochs) ->
                        draws.put(stage, epochs.stream().map(StateJson::draws).toList()));
        putUnlessEmpty(json, "draws", draws);
        Map<String, Object> states = new LinkedHashMap<>();
        state.states().forEach((stage, aggregate) -> states.put(stage, aggregate(aggregate)));
        putUnlessEmpty(json, "states", states);
        Map<String, Object> budgets = new LinkedHashMap<>();
        state.budgets().forEach((stage, budget) -> budgets.put(stage, List.of(budget.calls(), budget.failures())));
        putUnlessEmpty(json, "failures", budgets);
        return CheckpointSeal.sealed(Json.write(json));
    }

    private static void putUnlessEmpty(Map<String, Object> json, String key, Map<?, ?> value) {
        if (!value.isEmpty()) {
            json.put(key, value);
        }
    }

    private static Map<String, Object> aggregate(AggregateState state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("goes_on", stateAt(state.goesOn()));
        json.put(
                "again",
                state.again().stream()
                        .map(left -> List.of(stateAt(left.before()), left.group()))
                        .toList());
        return json;
    }

    private static List<Object> draws(MixState state) {
        List<Object> json = new ArrayList<>(List.of(state.epoch(), state.next(), state.open()));
        if (!state.choices().isEmpty() || state.text() != null) {
            json.add(state.choices());
        }
        if (state.text() != null) {
            json.add(state.text());
        }
        return json;
    }

    private static List<Object> stateAt(StateAt state) {
        return state.text() == null ? List.of(state.epoch()) : List.of(state.epoch(), state.text());
    }

    private static Map<String, Object> source(SourceState state) {
        Map<String, Object> json = new LinkedHashMap<>();
        Share share = state.share();
        if (share.worldSize() > 0) {
            json.put(
                    "share",
                    share.isElastic()
                            ? List.of(share.rank(), share.worldSize())
                            : List.of(share.rank(), share.worldSize(), share.places()));
        }
        json.put("epochs", epochs(state.epochs()));
        SourceCounts counts = state.counts();
        if (counts.isKnown()) {
            json.put("counts", List.of(counts.delivered(), counts.dropped()));
        }
        Map<String, Object> shares = new TreeMap<>();
        state.shares().forEach((epoch, texts) -> shares.put(Long.toString(epoch), texts));
        putUnlessEmpty(json, "shares", shares);
        if (!state.ranks().isEmpty()) {
            json.put("ranks", state.ranks().stream().map(StateJson::epochs).toList());
        }
        return json;
    }

    private static List<Map<String, Object>> epochs(List<EpochState> epochs) {
        return epochs.stream().map(StateJson::epoch).toList();
    }

    private static Map<String, Object> epoch(EpochState state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("epoch", state.epoch());
        if (state.pending().stream().allMatch(place -> place.state().isEmpty())) {
            json.put(
                    "pending",
                    Ordinals.ranges(
                            state.pending().stream().map(Position::index).toList()));
        } else {
            json.put("pending", places(state.pending()));
        }
        if (state.goesOn()) {
            json.put("next", place(state.next()));
        }
        return json;
    }

    /// Places that follow each other in one state are written once, with their number.
    private static List<Object> places(List<Position> places) {
        List<Object> json = new ArrayList<>();
        for (int i = 0; i < places.size(); ) {
            Position first = places.get(i);
            int end = i + 1;
            while (end < places.size()
                    && places.get(end).equals(new Position(first.index() + end - i, first.state()))) {
                end++;
            }
            json.add(end == i + 1 ? place(first) : List.of(first.index(), first.state(), end - i));
            i = end;
        }
        return json;
    }

    private static Object place(Position place) {
        return place.state().isEmpty() ? (Object) place.index() : List.of(place.index(), place.state());
    }

    /// Reads what [#write] wrote, whoever wrote it since.
    ///
    /// @throws IllegalArgumentException if it isn't a checkpoint; the message says what is wrong
    public static RunState read(String text) {
        return new StateReader().state(text);
    }
}
