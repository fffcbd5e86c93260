package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.json.Json;
import org.jspdl.pipeline.ProvenanceChange;
import org.jspdl.pipeline.internal.checkpoint.RunState.AggregateState;
import org.jspdl.pipeline.internal.checkpoint.RunState.BudgetState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.MixState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.checkpoint.RunState.StateAt;
import org.jspdl.pipeline.internal.checkpoint.RunState.Unsettled;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// Reads one checkpoint, which may come from anywhere: every value is checked before anything is made of it.
final class StateReader {
    private static final int SHOWN = 60;

    /// Places and parts that may still be named.
    private long placesLeft = StateJson.MOST_PLACES;

    RunState state(String text) {
        CheckpointSeal.check(text);
        Map<?, ?> json;
        try {
            json = map(Json.parse(text), "the whole");
        } catch (IllegalArgumentException malformed) {
            throw wrong(String.valueOf(malformed.getMessage()));
        }
        Object version = json.get("jspdl_checkpoint");
        if (version instanceof Long number && number != StateJson.VERSION) {
            throw CheckpointSeal.otherFormat(number);
        } else if (!(version instanceof Long)) {
            throw wrong("jspdl_checkpoint must be " + StateJson.VERSION + " but was " + shown(version));
        }
        RunIdentity identity = identity(json);
        long epoch = number(json.get("epoch"), "epoch");
        long delivered = json.containsKey("delivered") ? number(json.get("delivered"), "delivered") : 0;
        List<SourceState> sources = new ArrayList<>();
        for (Object source : list(json.get("sources"), "sources")) {
            sources.add(source(map(source, "a source")));
        }
        NodeTable nodes = nodes(json);
        Map<Integer, String> parts = parts(json, nodes);
        Map<String, List<MixState>> draws = new LinkedHashMap<>();
        optional(json, "draws").forEach((stage, epochs) -> draws.put(stage.toString(), draws(epochs)));
        Map<String, AggregateState> states = new LinkedHashMap<>();
        optional(json, "states").forEach((stage, state) -> states.put(stage.toString(), aggregate(state, nodes)));
        Map<String, BudgetState> budgets = new LinkedHashMap<>();
        optional(json, "failures").forEach((stage, counts) -> budgets.put(stage.toString(), budget(counts)));
        return new RunState(identity, epoch, delivered, sources, nodes, parts, draws, states, budgets);
    }

    private static RunIdentity identity(Map<?, ?> json) {
        if (!(json.get("seed") instanceof Long seed)) {
            throw wrong("seed must be a whole number but was " + shown(json.get("seed")));
        }
        List<String> recipe = texts(json.get("recipe"), "recipe");
        Map<String, String> provenance = new LinkedHashMap<>();
        optional(json, "provenance").forEach((key, value) -> provenance.put(key.toString(), text(value, "provenance")));
        List<ProvenanceChange> changes = new ArrayList<>();
        for (Object each : optionalList(json, "provenance_changes")) {
            List<?> change = list(each, "a change of provenance");
            if (change.size() != 4) {
                throw wrong("a change of provenance must be [epoch, key, was, is] but was " + shown(each));
            }
            changes.add(new ProvenanceChange(
                    number(change.get(0), "epoch"),
                    text(change.get(1), "a key"),
                    text(change.get(2), "a value"),
                    text(change.get(3), "a value")));
        }
        return new RunIdentity(seed, recipe, provenance, changes);
    }

    private static NodeTable nodes(Map<?, ?> json) {
        try {
            return NodeRows.read(optionalList(json, "nodes"));
        } catch (IllegalArgumentException malformed) {
            throw wrong(String.valueOf(malformed.getMessage()));
        }
    }

    private Map<Integer, String> parts(Map<?, ?> json, NodeTable nodes) {
        Map<Integer, String> parts = new LinkedHashMap<>();
        for (Object each : optionalList(json, "parts")) {
            List<?> part = list(each, "parts");
            if (part.size() != 2
                    || !(part.getFirst() instanceof Long split)
                    || split < 0
                    || split >= nodes.size()
                    || !(nodes.node(split.intValue()) instanceof Node.Split)) {
                throw wrong("parts must be [division, settled] but were " + shown(each));
            }
            parts.put(split.intValue(), settled(part.get(1)));
        }
        return parts;
    }

    private SourceState source(Map<?, ?> json) {
        List<EpochState> epochs = epochs(json.get("epochs"));
        Map<Long, List<String>> shares = new TreeMap<>();
        optional(json, "shares").forEach((epoch, texts) -> shares.put(epochNumber(epoch), texts(texts, "shares")));
        List<List<EpochState>> ranks = new ArrayList<>();
        for (Object rank : optionalList(json, "ranks")) {
            ranks.add(epochs(rank));
        }
        Share share = json.containsKey("share") ? share(json.get("share")) : Share.NONE;
        boolean isCombined = share.isElastic() && share.rank() == Share.ALL_RANKS;
        if (ranks.size() != (isCombined ? share.worldSize() : 0)) {
            throw wrong("a source of " + share.worldSize() + " ranks has what " + ranks.size() + " of them left");
        }
        return new SourceState(epochs, share, shares, ranks, counts(json));
    }

    private static SourceCounts counts(Map<?, ?> json) {
        if (!json.containsKey("counts")) {
            return SourceCounts.UNKNOWN;
        }
        List<?> counts = list(json.get("counts"), "counts");
        if (counts.size() != 2) {
            throw wrong("counts must be [delivered, dropped] but were " + shown(counts));
        }
        return new SourceCounts(farthest(number(counts.get(0), "a count")), farthest(number(counts.get(1), "a count")));
    }

    private List<EpochState> epochs(@Nullable Object json) {
        List<EpochState> epochs = new ArrayList<>();
        for (Object epoch : list(json, "epochs")) {
            epochs.add(epoch(map(epoch, "an epoch")));
        }
        if (epochs.isEmpty() || !epochs.getLast().goesOn()) {
            throw wrong("a source must have a last epoch, with its next place");
        }
        for (int i = 1; i < epochs.size(); i++) {
            if (epochs.get(i).epoch() <= epochs.get(i - 1).epoch()) {
                throw wrong("the epochs of a source must ascend, but "
                        + epochs.get(i).epoch() + " follows "
                        + epochs.get(i - 1).epoch());
            }
        }
        return epochs;
    }

    private static long epochNumber(Object key) {
        try {
            long epoch = Long.parseLong(key.toString());
            if (epoch >= 0) {
                return epoch;
            }
        } catch (NumberFormatException notNumber) {
            // refused below
        }
        throw wrong("shares must be those of epochs but were those of " + shown(key.toString()));
    }

    private static Share share(@Nullable Object json) {
        List<?> share = list(json, "share");
        if ((share.size() != 2 && share.size() != 3)
                || !(share.get(0) instanceof Long rank)
                || !(share.get(1) instanceof Long worldSize)
                || !((share.size() == 2 ? Long.valueOf(Share.NO_ORDER) : share.get(2)) instanceof Long places)
                || worldSize < 1
                || worldSize > Integer.MAX_VALUE
                || rank < Share.ALL_RANKS
                || rank >= worldSize
                || (share.size() == 3 && places < 0)
                || places > StateJson.FARTHEST_PLACE) {
            throw wrong("share must be [rank, ranks, places] but was " + shown(json));
        }
        return new Share(rank.intValue(), worldSize.intValue(), places);
    }

    private EpochState epoch(Map<?, ?> json) {
        List<Position> pending = new ArrayList<>();
        if (json.get("pending") instanceof String ranges) {
            ranges(ranges, pending);
        } else {
            for (Object place : list(json.get("pending"), "pending")) {
                places(place, pending);
            }
        }
        boolean goesOn = json.containsKey("next");
        return new EpochState(
                number(json.get("epoch"), "epoch"), pending, goesOn, goesOn ? place(json.get("next")) : Position.START);
    }

    /// One place, or several that follow each other.
    private void places(@Nullable Object json, List<Position> places) {
        List<?> several = json instanceof List<?> list && list.size() == 3 ? list : List.of();
        long count = several.isEmpty() ? 1 : number(several.get(2), "a number of places");
        spend(count);
        Position first = place(several.isEmpty() ? json : several.subList(0, 2));
        for (long i = 0; i < count; i++) {
            places.add(new Position(first.index() + i, first.state()));
        }
    }

    private void ranges(String text, List<Position> places) {
        try {
            Ordinals.forEachRange(text, (first, last) -> {
                spend(last - first + 1);
                for (long index = first; index <= last; index++) {
                    places.add(Position.at(index));
                }
            });
        } catch (NotCheckpointException refused) {
            throw refused;
        } catch (IllegalArgumentException malformed) {
            throw wrong("pending has " + malformed.getMessage());
        }
    }

    private void spend(long places) {
        placesLeft -= places;
        if (placesLeft < 0) {
            throw wrong("it names more than " + StateJson.MOST_PLACES + " items in flight");
        }
    }

    private static Position place(@Nullable Object json) {
        if (json instanceof Long) {
            return Position.at(farthest(number(json, "a place")));
        }
        List<?> place = list(json, "a place");
        if (place.size() != 2) {
            throw wrong("a place must be a number or [number, text] but was " + shown(json));
        }
        return new Position(farthest(number(place.get(0), "a place")), text(place.get(1), "the state of a place"));
    }

    private static long farthest(long place) {
        if (place > StateJson.FARTHEST_PLACE) {
            throw wrong("no source has a place " + place);
        }
        return place;
    }

    private String settled(@Nullable Object json) {
        String settled = text(json, "parts");
        try {
            Ordinals.parse(settled, placesLeft);
        } catch (IllegalArgumentException malformed) {
            throw wrong("parts have " + malformed.getMessage());
        }
        return settled;
    }

    private List<MixState> draws(@Nullable Object json) {
        List<MixState> epochs = new ArrayList<>();
        for (Object each : list(json, "draws")) {
            List<?> draws = list(each, "draws");
            if (draws.size() < 3 || draws.size() > 5) {
                throw wrong("draws must be [epoch, next, [open], [chosen], state] but were " + shown(each));
            }
            List<Long> open = new ArrayList<>();
            for (Object draw : list(draws.get(2), "open draws")) {
                spend(1);
                open.add(number(draw, "a draw"));
            }
            List<Integer> choices = draws.size() == 3 ? List.of() : choices(draws.get(3), open.size());
            epochs.add(new MixState(
                    number(draws.get(0), "epoch"),
                    number(draws.get(1), "the next draw"),
                    open,
                    choices,
                    draws.size() < 5 ? null : text(draws.get(4), "a merge's state")));
        }
        return epochs;
    }

    private static List<Integer> choices(@Nullable Object json, int draws) {
        List<Integer> choices = new ArrayList<>();
        for (Object choice : list(json, "choices")) {
            choices.add((int) Math.min(number(choice, "a choice"), Integer.MAX_VALUE));
        }
        if (!choices.isEmpty() && choices.size() != draws) {
            throw wrong("there must be a choice for each of " + draws + " draws but there were " + shown(json));
        }
        return choices;
    }

    private AggregateState aggregate(@Nullable Object json, NodeTable nodes) {
        Map<?, ?> state = map(json, "a state");
        List<Unsettled> again = new ArrayList<>();
        for (Object each : list(state.get("again"), "emissions")) {
            List<?> emission = list(each, "an emission");
            if (emission.size() != 2
                    || !(emission.get(1) instanceof Long group)
                    || group < 0
                    || group >= nodes.size()
                    || !(nodes.node(group.intValue()) instanceof Node.Group)) {
                throw wrong("an emission must be [state, group] but was " + shown(each));
            }
            spend(1);
            again.add(new Unsettled(stateAt(emission.getFirst()), group.intValue()));
        }
        return new AggregateState(stateAt(state.get("goes_on")), again);
    }

    private static StateAt stateAt(@Nullable Object json) {
        List<?> state = list(json, "a state");
        if (state.isEmpty() || state.size() > 2) {
            throw wrong("a state must be [epoch] or [epoch, text] but was " + shown(json));
        }
        return new StateAt(
                number(state.getFirst(), "epoch"), state.size() == 1 ? null : text(state.get(1), "a gatherer's state"));
    }

    private static BudgetState budget(@Nullable Object json) {
        List<?> counts = list(json, "failures");
        if (counts.size() != 2) {
            throw wrong("failures must be [calls, failures] but were " + shown(json));
        }
        return new BudgetState(number(counts.get(0), "calls"), number(counts.get(1), "failures"));
    }

    private static Map<?, ?> optional(Map<?, ?> json, String key) {
        return json.containsKey(key) ? map(json.get(key), key) : Map.of();
    }

    private static List<?> optionalList(Map<?, ?> json, String key) {
        return json.containsKey(key) ? list(json.get(key), key) : List.of();
    }

    private static Map<?, ?> map(@Nullable Object json, String what) {
        if (json instanceof Map<?, ?> map) {
            return map;
        }
        throw wrong(what + " must be an object but was " + shown(json));
    }

    private static List<?> list(@Nullable Object json, String what) {
        if (json instanceof List<?> list) {
            return list;
        }
        throw wrong(what + " must be a list but was " + shown(json));
    }

    private static List<String> texts(@Nullable Object json, String what) {
        List<String> texts = new ArrayList<>();
        for (Object each : list(json, what)) {
            texts.add(text(each, what));
        }
        return texts;
    }

    private static String text(@Nullable Object json, String what) {
        if (json instanceof String text) {
            return text;
        }
        throw wrong(what + " must be a text but was " + shown(json));
    }

    private static long number(@Nullable Object json, String what) {
        if (json instanceof Long number && number >= 0) {
            return number;
        }
        throw wrong(what + " must be a whole number and not negative but was " + shown(json));
    }

    private static String shown(@Nullable Object json) {
        if (json == null) {
            return "missing";
        }
        String text = Json.write(json);
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    private static IllegalArgumentException wrong(String what) {
        return new NotCheckpointException("not a checkpoint: " + what);
    }

    /// Tells what was refused here from what other readers refuse.
    private static final class NotCheckpointException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        NotCheckpointException(String message) {
            super(message);
        }
    }
}
