package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.source.Cursor;
import org.jspdl.source.ElasticSource;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// Moves a checkpoint of a run over one source that finds no place by its number, such as shards, behind what the run
/// has delivered since: by reading, without any step, up to the last of it.
public final class ReadAdvance {
    private final RunState state;
    private final Source<?> source;

    private ReadAdvance(RunState state, Source<?> source) {
        this.state = state;
        this.source = source instanceof ElasticSource<?> elastic
                ? elastic.sharing(state.sources().getFirst().shares())
                : source;
    }

    /// The checkpoint `json` after the items of `places` were delivered, as JSON. What was dropped since is read,
    /// and dropped, again.
    ///
    /// @param epoch     the epoch of the last of them, in which all places are
    /// @param places    by their numbers in the epoch
    /// @param delivered how many items the consumer has received in all
    /// @throws IllegalArgumentException if it can't be told so; the message says why
    public static String delivering(String json, Source<?> source, long epoch, List<Long> places, long delivered)
            throws Exception {
        RunState state = CheckpointRedistribution.deal(StateJson.read(json), List.of(source));
        if (!state.states().isEmpty()
                || !state.parts().isEmpty()
                || !state.draws().isEmpty()) {
            throw new IllegalArgumentException("what was delivered since a checkpoint can't be told by places where"
                    + " items are gathered, divided or mixed");
        }
        return StateJson.write(new ReadAdvance(state, source).to(epoch, places, delivered));
    }

    private RunState to(long epoch, List<Long> places, long delivered) throws Exception {
        SourceState before = state.sources().getFirst();
        List<EpochState> epochs = new ArrayList<>();
        epochs.add(left(CheckpointMerge.find(before.epochs(), epoch), places));
        before.epochs().stream().filter(later -> later.epoch() > epoch).forEach(epochs::add);
        if (!epochs.getLast().goesOn()) {
            epochs.add(EpochState.whole(epochs.getLast().epoch() + 1));
        }
        SourceCounts counts = epoch == state.epoch() ? before.counts() : SourceCounts.UNKNOWN;
        return new RunState(
                state.identity(),
                epoch,
                delivered,
                List.of(new SourceState(
                        epochs,
                        before.share(),
                        before.shares(),
                        before.ranks(),
                        counts.and(new SourceCounts(places.size(), 0)))),
                new NodeTable(),
                Map.of(),
                Map.of(),
                Map.of(),
                state.budgets());
    }

    private EpochState left(EpochState before, List<Long> places) throws Exception {
        Set<Long> delivered = new HashSet<>(places);
        if (delivered.size() < places.size()) {
            throw new IllegalArgumentException("an item of epoch " + before.epoch() + " was delivered twice");
        }
        List<Position> left = new ArrayList<>();
        for (Position place : before.pending()) {
            if (!delivered.remove(place.index())) {
                left.add(place);
            }
        }
        if (delivered.isEmpty() || !before.goesOn()) {
            requireNone(before, delivered);
            return new EpochState(before.epoch(), left, before.goesOn(), before.next());
        }
        return read(before, left, delivered);
    }

    /// Reads on until nothing is missing that was delivered.
    private EpochState read(EpochState before, List<Position> left, Set<Long> missing) throws Exception {
        Position position = before.next();
        try (Cursor<?> cursor = source.open(before.epoch(), position)) {
            position = source instanceof ElasticSource<?> ? cursor.position() : position;
            while (!missing.isEmpty() && cursor.advance()) {
                if (cursor.item() instanceof AutoCloseable closeable) {
                    closeable.close();
                }
                Position place = cursor.place().orElse(position);
                position = cursor.position();
                if (!missing.remove(place.index())) {
                    left.add(place);
                }
            }
        }
        requireNone(before, missing);
        return new EpochState(before.epoch(), left, true, position);
    }

    private static void requireNone(EpochState of, Set<Long> missing) {
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("item " + missing.iterator().next() + " of epoch " + of.epoch()
                    + " was delivered before the checkpoint, or does not come again");
        }
    }
}
