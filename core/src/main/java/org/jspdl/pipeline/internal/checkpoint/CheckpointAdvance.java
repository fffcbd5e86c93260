package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.source.Position;

/// Moves a checkpoint of a run over one order of places behind what the run has delivered since.
public final class CheckpointAdvance {
    private final RunState state;
    private final SourceState source;
    private final Share share;

    private CheckpointAdvance(RunState state) {
        this.state = state;
        if (state.sources().size() != 1
                || !isOfPlaces(state.sources().getFirst().share())) {
            throw new IllegalArgumentException(
                    "what was delivered since a checkpoint can be told by places if there is one source, of one rank,"
                            + " that finds each by its number, as samplers do");
        }
        this.source = state.sources().getFirst();
        this.share = source.share();
        if (!state.states().isEmpty()
                || !state.parts().isEmpty()
                || !state.draws().isEmpty()) {
            throw new IllegalArgumentException("what was delivered since a checkpoint can't be told by places where"
                    + " items are gathered, divided or mixed");
        }
    }

    private static boolean isOfPlaces(Share share) {
        return share.worldSize() > 0 && !share.isElastic() && share.rank() != Share.ALL_RANKS;
    }

    /// The checkpoint `json` after the items made of `places` were delivered, as JSON. What was dropped since is
    /// read, and dropped, again.
    ///
    /// @param epoch     the epoch of the last of them, in which all places are
    /// @param places    of the epoch, delivered since the checkpoint
    /// @param delivered how many items the consumer has received in all
    public static String delivering(String json, long epoch, List<Long> places, long delivered) {
        return StateJson.write(new CheckpointAdvance(StateJson.read(json)).to(epoch, places, delivered));
    }

    private RunState to(long epoch, List<Long> places, long delivered) {
        if (epoch < state.epoch() || delivered < state.delivered()) {
            throw new IllegalArgumentException("the checkpoint is of epoch " + state.epoch() + " and item "
                    + state.delivered() + ", behind epoch " + epoch + " and item " + delivered);
        }
        List<EpochState> epochs = new ArrayList<>();
        epochs.add(left(epoch, places));
        source.epochs().stream().filter(later -> later.epoch() > epoch).forEach(epochs::add);
        if (!epochs.getLast().goesOn()) {
            epochs.add(EpochState.whole(epochs.getLast().epoch() + 1));
        }
        SourceCounts before = epoch == state.epoch() ? source.counts() : SourceCounts.UNKNOWN;
        SourceCounts counts = before.and(new SourceCounts(places.size(), 0));
        return new RunState(
                state.identity(),
                epoch,
                delivered,
                List.of(new SourceState(epochs, share, Map.of(), List.of(), counts)),
                new NodeTable(),
                Map.of(),
                Map.of(),
                Map.of(),
                state.budgets());
    }

    private EpochState left(long epoch, List<Long> places) {
        EpochState before = CheckpointMerge.find(source.epochs(), epoch);
        Map<Long, Position> left = new LinkedHashMap<>();
        before.pending().forEach(place -> left.put(index(place), place));
        long goesOn = before.goesOn() ? index(before.next()) : Long.MAX_VALUE;
        Set<Long> delivered = new HashSet<>();
        long next = goesOn;
        for (long place : places) {
            boolean was = place < goesOn ? left.containsKey(place) : (place - goesOn) % share.worldSize() == 0;
            if (!was || !delivered.add(place)) {
                throw new IllegalArgumentException("place " + place + " of epoch " + epoch
                        + " was delivered before the checkpoint, twice, or by another rank");
            }
            next = place < goesOn ? next : Math.max(next, place + share.worldSize());
        }
        if ((next - goesOn) / share.worldSize() + left.size() > StateJson.MOST_PLACES) {
            throw new IllegalArgumentException("more than " + StateJson.MOST_PLACES + " places of epoch " + epoch
                    + " were read since the checkpoint");
        }
        for (long place = goesOn; place < next; place += share.worldSize()) {
            left.put(place, new Position(place, before.next().state()));
        }
        left.keySet().removeAll(delivered);
        Position then = next == goesOn
                ? before.next()
                : new Position(next, before.next().state());
        return new EpochState(epoch, List.copyOf(left.values()), before.goesOn(), then);
    }

    private long index(Position place) {
        return place.equals(Position.START) ? share.rank() : place.index();
    }
}
