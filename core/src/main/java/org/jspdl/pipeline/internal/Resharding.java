package org.jspdl.pipeline.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspdl.pipeline.internal.RunState.EpochState;
import org.jspdl.pipeline.internal.RunState.Share;
import org.jspdl.pipeline.internal.RunState.SourceState;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;

/// Deals what several ranks have left to another number of ranks.
///
/// In each epoch of a combined state, `pending` lists single places of the common order that are left, in order, and
/// `next` is the place from which all are left; its state is the place before which the epoch ends.
public final class Resharding {
    /// Ranks that are more epochs apart than this were not running beside each other.
    private static final long MOST_EPOCHS_APART = 100;

    private Resharding() {}

    /// Combines the checkpoints of all ranks, as JSON.
    public static String combine(List<String> checkpoints) {
        if (checkpoints.isEmpty()) {
            throw new IllegalArgumentException("no checkpoints to combine");
        }
        List<RunState> ranks = checkpoints.stream()
                .map(StateJson::read)
                .sorted(Comparator.comparingInt(Resharding::rank))
                .toList();
        check(ranks);
        RunState first = ranks.getFirst();
        List<SourceState> sources = new ArrayList<>();
        for (int source = 0; source < first.sources().size(); source++) {
            int index = source;
            sources.add(combineSource(
                    ranks.stream().map(state -> state.sources().get(index)).toList()));
        }
        long epoch = ranks.stream().mapToLong(RunState::epoch).min().orElseThrow();
        return StateJson.write(new RunState(
                first.recipe(), epoch, sources, first.parts(), first.groups(), first.draws(), first.budgets()));
    }

    private static int rank(RunState state) {
        return state.sources().isEmpty()
                ? 0
                : state.sources().getFirst().share().rank();
    }

    private static void check(List<RunState> ranks) {
        int worldSize = ranks.size();
        for (int rank = 0; rank < worldSize; rank++) {
            RunState state = ranks.get(rank);
            if (!state.recipe().equals(ranks.getFirst().recipe())) {
                throw new IllegalArgumentException("rank " + rank + " ran another recipe than rank 0: "
                        + Fingerprint.difference(ranks.getFirst().recipe(), state.recipe()));
            }
            for (SourceState source : state.sources()) {
                Share share = source.share();
                if (share.worldSize() == 0) {
                    throw new IllegalArgumentException(
                            "the checkpoint of rank " + rank + " has a source that isn't dealt to ranks");
                }
                if (share.rank() != rank || share.worldSize() != worldSize) {
                    throw new IllegalArgumentException("the checkpoint of every rank is needed once, but of "
                            + share.worldSize() + " ranks there are those of "
                            + ranks.stream().map(Resharding::rank).toList());
                }
            }
            if (worldSize > 1
                    && !(state.parts().isEmpty()
                            && state.groups().isEmpty()
                            && state.draws().isEmpty())) {
                throw new IllegalArgumentException(
                        "rank " + rank + " has divided items or a seeded merge in flight, which only the same number of"
                                + " ranks can resume; to change it, take the checkpoints between epochs");
            }
        }
    }

    private static SourceState combineSource(List<SourceState> ranks) {
        long first = ranks.stream()
                .flatMap(source -> source.epochs().stream())
                .mapToLong(EpochState::epoch)
                .min()
                .orElseThrow();
        long last = ranks.stream()
                .mapToLong(source -> source.epochs().getLast().epoch())
                .max()
                .orElseThrow();
        if (last - first > MOST_EPOCHS_APART) {
            throw new IllegalArgumentException(
                    "a rank is at epoch " + first + " and another at " + last + ": too far apart to have run together");
        }
        List<EpochState> epochs = new ArrayList<>();
        for (long epoch = first; epoch <= last; epoch++) {
            epochs.add(combineEpoch(ranks, epoch));
        }
        Share share = ranks.getFirst().share();
        return new SourceState(epochs, new Share(Share.ALL_RANKS, share.worldSize(), share.places()));
    }

    private static EpochState combineEpoch(List<SourceState> ranks, long epoch) {
        TreeSet<Long> left = new TreeSet<>();
        long end = endOf(ranks, epoch);
        long[] goesOnAt = new long[ranks.size()];
        long farthest = 0;
        for (int rank = 0; rank < goesOnAt.length; rank++) {
            EpochState state = find(ranks.get(rank), epoch);
            for (Position place : state.pending()) {
                left.add(place.equals(Position.START) ? rank : place.index());
            }
            goesOnAt[rank] = !state.goesOn()
                    ? end
                    : state.next().equals(Position.START) ? rank : state.next().index();
            farthest = Math.max(farthest, Math.min(goesOnAt[rank], end));
        }
        for (int rank = 0; rank < goesOnAt.length; rank++) {
            if ((farthest - goesOnAt[rank]) / goesOnAt.length + left.size() > StateJson.MOST_PLACES) {
                throw new IllegalArgumentException("rank " + rank + " is at place " + goesOnAt[rank] + " of epoch "
                        + epoch + " and another at " + farthest + ": too far apart to have run together");
            }
            for (long place = goesOnAt[rank]; place < farthest; place += goesOnAt.length) {
                left.add(place);
            }
        }
        return new EpochState(
                epoch, left.stream().map(Position::at).toList(), true, new Position(farthest, Long.toString(end)));
    }

    /// The place before which an epoch ends: an earlier number of ranks may have set it.
    private static long endOf(List<SourceState> ranks, long epoch) {
        for (SourceState rank : ranks) {
            Position next = find(rank, epoch).next();
            if (!next.state().isEmpty()) {
                return endBefore(next.state());
            }
        }
        return ranks.getFirst().share().places();
    }

    private static long endBefore(String state) {
        try {
            long end = Long.parseLong(state);
            if (end >= 0 && end <= StateJson.FARTHEST_PLACE) {
                return end;
            }
        } catch (NumberFormatException notNumber) {
            // refused below
        }
        throw new IllegalArgumentException(
                "not a checkpoint: a share of an order can't end before place '" + state + "'");
    }

    /// What a source has left of an epoch; all of it if the source has not begun it, nothing if the source has gone
    /// past it.
    private static EpochState find(SourceState source, long epoch) {
        for (EpochState state : source.epochs()) {
            if (state.epoch() == epoch) {
                return state;
            }
        }
        boolean past = source.epochs().getLast().epoch() > epoch;
        return new EpochState(epoch, List.of(), !past, Position.START);
    }

    /// What `source` starts with, from the state of its own rank or of all ranks.
    static SourceState deal(SourceState state, RankedSource<?> source) {
        Share share = state.share();
        if (share.rank() != Share.ALL_RANKS) {
            if (share.rank() != source.rank() || share.worldSize() != source.worldSize()) {
                throw new IllegalArgumentException(
                        "the checkpoint is of rank " + share.rank() + " of " + share.worldSize()
                                + " but the source is rank " + source.rank() + " of " + source.worldSize()
                                + "; combine the checkpoints of all ranks to resume on another number of them");
            }
            return state;
        }
        return new SourceState(
                state.epochs().stream().map(epoch -> deal(epoch, source)).toList(), Share.of(source));
    }

    private static EpochState deal(EpochState epoch, RankedSource<?> source) {
        List<Position> mine = new ArrayList<>();
        for (int i = source.rank(); i < epoch.pending().size(); i += source.worldSize()) {
            long place = epoch.pending().get(i).index();
            mine.add(new Position(place, Long.toString(place + 1)));
        }
        long skipped = Math.floorMod(source.rank() - epoch.pending().size(), source.worldSize());
        return new EpochState(
                epoch.epoch(),
                mine,
                true,
                new Position(epoch.next().index() + skipped, epoch.next().state()));
    }
}
