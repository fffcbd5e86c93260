package org.jspdl.pipeline.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspdl.pipeline.internal.RunState.BudgetState;
import org.jspdl.pipeline.internal.RunState.DrawsState;
import org.jspdl.pipeline.internal.RunState.EpochState;
import org.jspdl.pipeline.internal.RunState.Share;
import org.jspdl.pipeline.internal.RunState.SourceState;
import org.jspdl.source.Position;

/// Writes a [RunState] as JSON and reads it back. Places that are a number alone are written as ranges.
final class StateJson {
    private static final long VERSION = 1;

    private StateJson() {}

    static String write(RunState state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("jspdl_checkpoint", VERSION);
        json.put("recipe", state.recipe());
        json.put("epoch", state.epoch());
        json.put("sources", state.sources().stream().map(StateJson::source).toList());
        putUnlessEmpty(json, "parts", state.parts());
        putUnlessEmpty(json, "groups", state.groups());
        Map<String, Object> draws = new LinkedHashMap<>();
        state.draws()
                .forEach((stage, epochs) -> draws.put(
                        stage,
                        epochs.stream()
                                .map(each -> List.of(each.epoch(), each.next(), each.open()))
                                .toList()));
        putUnlessEmpty(json, "draws", draws);
        Map<String, Object> budgets = new LinkedHashMap<>();
        state.budgets().forEach((stage, budget) -> budgets.put(stage, List.of(budget.calls(), budget.failures())));
        putUnlessEmpty(json, "failures", budgets);
        return Json.write(json);
    }

    private static void putUnlessEmpty(Map<String, Object> json, String key, Map<?, ?> value) {
        if (!value.isEmpty()) {
            json.put(key, value);
        }
    }

    private static Map<String, Object> source(SourceState state) {
        Map<String, Object> json = new LinkedHashMap<>();
        if (state.share().worldSize() > 0) {
            json.put(
                    "share",
                    List.of(
                            state.share().rank(),
                            state.share().worldSize(),
                            state.share().places()));
        }
        json.put("epochs", state.epochs().stream().map(StateJson::epoch).toList());
        return json;
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
            json.put("pending", state.pending().stream().map(StateJson::place).toList());
        }
        if (state.goesOn()) {
            json.put("next", place(state.next()));
        }
        return json;
    }

    private static Object place(Position place) {
        return place.state().isEmpty() ? (Object) place.index() : List.of(place.index(), place.state());
    }

    static RunState read(String text) {
        try {
            return state(map(Json.read(text)));
        } catch (ClassCastException | NullPointerException | IndexOutOfBoundsException malformed) {
            throw new IllegalArgumentException("not a checkpoint: a value is missing or of the wrong kind", malformed);
        }
    }

    private static RunState state(Map<String, Object> json) {
        if (!Long.valueOf(VERSION).equals(json.get("jspdl_checkpoint"))) {
            throw new IllegalArgumentException(
                    "not a checkpoint of version " + VERSION + ": jspdl_checkpoint is " + json.get("jspdl_checkpoint"));
        }
        List<SourceState> sources = new ArrayList<>();
        for (Object source : list(json.get("sources"))) {
            sources.add(source(map(source)));
        }
        Map<String, String> parts = new LinkedHashMap<>();
        optional(json, "parts").forEach((key, value) -> parts.put(key, (String) value));
        Map<String, List<List<String>>> groups = new LinkedHashMap<>();
        optional(json, "groups")
                .forEach((stage, value) -> groups.put(
                        stage,
                        list(value).stream()
                                .map(members -> list(members).stream()
                                        .map(String.class::cast)
                                        .toList())
                                .toList()));
        Map<String, List<DrawsState>> draws = new LinkedHashMap<>();
        optional(json, "draws")
                .forEach((stage, value) -> draws.put(
                        stage,
                        list(value).stream().map(each -> draws(list(each))).toList()));
        Map<String, BudgetState> budgets = new LinkedHashMap<>();
        optional(json, "failures")
                .forEach((stage, value) ->
                        budgets.put(stage, new BudgetState((Long) list(value).get(0), (Long)
                                list(value).get(1))));
        List<String> recipe =
                list(json.get("recipe")).stream().map(String.class::cast).toList();
        return new RunState(recipe, (Long) json.get("epoch"), sources, parts, groups, draws, budgets);
    }

    private static DrawsState draws(List<?> json) {
        return new DrawsState(
                (Long) json.get(0),
                (Long) json.get(1),
                list(json.get(2)).stream().map(Long.class::cast).toList());
    }

    private static SourceState source(Map<String, Object> json) {
        List<EpochState> epochs = list(json.get("epochs")).stream()
                .map(epoch -> epoch(map(epoch)))
                .toList();
        if (epochs.isEmpty()) {
            throw new IllegalArgumentException("a source of the checkpoint has no epoch");
        }
        if (!json.containsKey("share")) {
            return new SourceState(epochs, Share.NONE);
        }
        List<?> share = list(json.get("share"));
        return new SourceState(
                epochs,
                new Share(((Long) share.get(0)).intValue(), ((Long) share.get(1)).intValue(), (Long) share.get(2)));
    }

    private static EpochState epoch(Map<String, Object> json) {
        List<Position> pending = new ArrayList<>();
        if (json.get("pending") instanceof String ranges) {
            readRanges(ranges, pending);
        } else {
            list(json.get("pending")).forEach(place -> pending.add(place(place)));
        }
        boolean goesOn = json.containsKey("next");
        return new EpochState(
                (Long) json.get("epoch"), pending, goesOn, goesOn ? place(json.get("next")) : Position.START);
    }

    private static void readRanges(String ranges, List<Position> places) {
        for (String range : ranges.isEmpty() ? new String[0] : ranges.split(",")) {
            int dash = range.indexOf('-', 1);
            long first = Long.parseLong(dash < 0 ? range : range.substring(0, dash));
            long last = dash < 0 ? first : Long.parseLong(range.substring(dash + 1));
            if (last - first > 1_000_000_000) {
                throw new IllegalArgumentException("a checkpoint can't have " + range + " in flight");
            }
            for (long index = first; index <= last; index++) {
                places.add(Position.at(index));
            }
        }
    }

    private static Position place(Object json) {
        return json instanceof Long index
                ? Position.at(index)
                : new Position((Long) list(json).get(0), (String) list(json).get(1));
    }

    private static Map<String, Object> optional(Map<String, Object> json, String key) {
        return json.containsKey(key) ? map(json.get(key)) : Map.of();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) (Map<?, ?>) value;
    }

    private static List<?> list(Object value) {
        return (List<?>) value;
    }
}
