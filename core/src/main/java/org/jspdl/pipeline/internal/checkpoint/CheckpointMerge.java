package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspdl.pipeline.ProvenanceChange;
import org.jspdl.pipeline.internal.checkpoint.RunState.BudgetState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.MixState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.source.Position;

/// Combines what several ranks have left, for [CheckpointRedistribution] to another number of ranks.
///
/// In each epoch of a combined state, `pending` lists single places of the common order that are left, in order, and
/// `next` is the place from which all are left; its state is the place before which the epoch ends.
public final class CheckpointMerge {
    /// Ranks that are more epochs apart than this were not running beside each other.
    private static final long MOST_EPOCHS_APART = 100;

    private CheckpointMerge() {}

    /// Combines the checkpoints of all ranks, as JSON.
    public static String combine(List<String> checkpoints) {
        if (checkpoints.isEmpty()) {
            throw new IllegalArgumentException("no checkpoints to combine");
        }
        return StateJson.write(combineStates(checkpoints.stream()
                .map(StateJson::read)
                .sorted(Comparator.comparingInt(CheckpointMerge::rank))
                .toList()));
    }

    /// @param ranks in their order
    static RunState combineStates(List<RunState> ranks) {
        check(ranks);
        RunState first = ranks.getFirst();
        Map<Integer, Set<Long>> partly = partlyDelivered(ranks);
        List<SourceState> sources = new ArrayList<>();
        for (int source = 0; source < first.sources().size(); source++) {
            int index = source;
            sources.add(combineSource(
                    ranks.stream().map(state -> state.sources().get(index)).toList(),
                    partly.getOrDefault(index, Set.of())));
        }
        long epoch = ranks.stream().mapToLong(RunState::epoch).min().orElseThrow();
        NodeTable nodes = new NodeTable();
        Map<Integer, String> parts = new LinkedHashMap<>();
        List<int[]> numbers = new ArrayList<>();
        for (RunState state : ranks) {
            int[] here = addNodes(state, nodes);
            state.parts().forEach((split, settled) -> parts.put(here[split], settled));
            numbers.add(here);
        }
        return new RunState(
                combineIdentities(ranks),
                epoch,
                ranks.stream().mapToLong(RunState::delivered).max().orElseThrow(),
                sources,
                nodes,
                parts,
                combineDraws(ranks),
                GathererStates.together(ranks, numbers, nodes),
                combineBudgets(ranks));
    }

    /// By source: its epochs of which items were delivered in part.
    private static Map<Integer, Set<Long>> partlyDelivered(List<RunState> ranks) {
        Map<Integer, Set<Long>> partly = new HashMap<>();
        for (RunState state : ranks) {
            state.nodes().reachable(state.named()).stream().forEach(number -> {
                if (state.nodes().node(number) instanceof Node.Origin(int source, long epoch, Position _)) {
                    partly.computeIfAbsent(source, _ -> new HashSet<>()).add(epoch);
                }
            });
        }
        return partly;
    }

    private static RunIdentity combineIdentities(List<RunState> ranks) {
        RunIdentity first = ranks.getFirst().identity();
        List<ProvenanceChange> more = new ArrayList<>();
        for (RunState state : ranks) {
            more.addAll(first.changesTo(state.identity(), state.epoch()));
            state.identity().changes().stream()
                    .filter(change -> !first.changes().contains(change) && !more.contains(change))
                    .forEach(more::add);
        }
        return first.with(more);
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
            RunIdentity first = ranks.getFirst().identity();
            first.requireSame(state.identity(), "rank " + rank + " does not go with rank 0");
            first.requireSameWeights(state.identity(), "rank " + rank + " does not go with rank 0");
            for (SourceState source : state.sources()) {
                Share share = source.share();
                if (share.worldSize() == 0) {
                    throw new IllegalArgumentException("the checkpoint of rank " + rank
                            + " has a source that isn't shared by ranks, as samplers and streams of shards are");
                }
                if (share.rank() != rank || share.worldSize() != worldSize) {
                    throw new IllegalArgumentException("the checkpoint of every rank is needed once, but of "
                            + share.worldSize() + " ranks there are those of "
                            + ranks.stream().map(CheckpointMerge::rank).toList());
                }
            }
        }
    }

    /// Adds what is named by a rank's state, by places of the order common to all ranks: a rank's first place is
    /// written as the start unless it was dealt. Returns the numbers of the rank's nodes.
    private static int[] addNodes(RunState state, NodeTable nodes) {
        NodeTable own = state.nodes();
        return nodes.addAll(own, own.reachable(state.named()), node -> {
            if (node instanceof Node.Group group) {
                return nodes.find(group) == NodeTable.NONE ? group : GathererStates.apart(group, nodes);
            }
            Node.Origin origin = (Node.Origin) node;
            if (state.isElastic(origin.source())) {
                return origin;
            }
            boolean start = origin.position().equals(Position.START);
            long place = start ? rank(state) : origin.position().index();
            return new Node.Origin(origin.source(), origin.epoch(), Position.at(place));
        });
    }

    /// Merges go on with draws that no rank has made. The items of open draws come again by later ones.
    private static Map<String, List<MixState>> combineDraws(List<RunState> ranks) {
        if (ranks.size() == 1) {
            return ranks.getFirst().draws();
        }
        Map<String, TreeMap<Long, Long>> next = new LinkedHashMap<>();
        for (RunState state : ranks) {
            requireWithoutStates(state, rank(state), ranks.size());
            state.draws()
                    .forEach((stage, epochs) ->
                            epochs.forEach(epoch -> next.computeIfAbsent(stage, name -> new TreeMap<>())
                                    .merge(epoch.epoch(), epoch.next(), CheckpointMerge::laterDraw)));
        }
        Map<String, List<MixState>> draws = new LinkedHashMap<>();
        next.forEach((stage, epochs) -> draws.put(
                stage,
                epochs.entrySet().stream()
                        .map(epoch -> new MixState(epoch.getKey(), epoch.getValue(), List.of(), List.of(), null))
                        .toList()));
        return draws;
    }

    /// The later of two draws; one that ends the epoch on one rank does not end it on the others.
    private static long laterDraw(long one, long other) {
        boolean ends = one == Long.MAX_VALUE || other == Long.MAX_VALUE;
        return ends ? Math.min(one, other) : Math.max(one, other);
    }

    /// Refuses merges with states, unless there is but one rank.
    static void requireWithoutStates(RunState state, int rank, int worldSize) {
        state.draws().forEach((stage, epochs) -> {
            if (worldSize > 1 && epochs.stream().anyMatch(epoch -> epoch.text() != null)) {
                throw belongsToRank(stage, rank);
            }
        });
    }

    static IllegalArgumentException belongsToRank(String stage, int rank) {
        return new IllegalArgumentException("stage '" + stage + "' of rank " + rank
                + " is in the middle of an epoch, with a state that belongs to its rank; resume each rank"
                + " from its own checkpoint, or take the checkpoints between epochs");
    }

    /// Policies allow failures to each rank, so each goes on with what the ranks have had on average, rounded up.
    private static Map<String, BudgetState> combineBudgets(List<RunState> ranks) {
        Map<String, BudgetState> sums = new LinkedHashMap<>();
        for (RunState state : ranks) {
            state.budgets().forEach((stage, budget) -> sums.merge(stage, budget, CheckpointMerge::sum));
        }
        sums.replaceAll((stage, sum) ->
                new BudgetState(Math.ceilDiv(sum.calls(), ranks.size()), Math.ceilDiv(sum.failures(), ranks.size())));
        return sums;
    }

    private static BudgetState sum(BudgetState one, BudgetState other) {
        try {
            return new BudgetState(
                    Math.addExact(one.calls(), other.calls()), Math.addExact(one.failures(), other.failures()));
        } catch (ArithmeticException tooMany) {
            throw new IllegalArgumentException("not a checkpoint: no run counts so many calls", tooMany);
        }
    }

    /// @param partly the epochs of which items were delivered in part
    private static SourceState combineSource(List<SourceState> ranks, Set<Long> partly) {
        long first = ranks.stream()
                .flatMap(source -> source.epochs().stream())
                .mapToLong(EpochState::epoch)
                .min()
                .orElseThrow();
        long last = ranks.stream()
                .mapToLong(source -> source.epochs().getLast().epoch())
                .max()
                .orElseThrow();
        requireBesideEachOther(first, last);
        Share share = ranks.getFirst().share();
        Share all = new Share(Share.ALL_RANKS, share.worldSize(), share.places());
        SourceCounts counts = ranks.stream().map(SourceState::counts).reduce(SourceCounts.NONE, SourceCounts::and);
        if (share.isElastic()) {
            return combineElastic(ranks, all, first, counts);
        }
        List<EpochState> epochs = new ArrayList<>();
        for (long epoch = first; epoch <= last; epoch++) {
            EpochState combined = combineEpoch(ranks, epoch);
            epochs.add(isUntouched(combined, ranks) && !partly.contains(epoch) ? EpochState.whole(epoch) : combined);
        }
        return new SourceState(epochs, all, Map.of(), List.of(), counts);
    }

    static void requireBesideEachOther(long firstEpoch, long lastEpoch) {
        if (lastEpoch - firstEpoch > MOST_EPOCHS_APART) {
            throw new IllegalArgumentException("a rank is at epoch " + firstEpoch + " and another at " + lastEpoch
                    + ": too far apart to have run together");
        }
    }

    /// Keeps what each rank has left: only the source can tell what that is together.
    private static SourceState combineElastic(List<SourceState> ranks, Share all, long first, SourceCounts counts) {
        Map<Long, List<String>> shares = new TreeMap<>();
        for (SourceState rank : ranks) {
            rank.shares().forEach((epoch, texts) -> {
                List<String> other = shares.putIfAbsent(epoch, texts);
                if (other != null && !other.equals(texts)) {
                    throw new IllegalArgumentException("the ranks did not run together: they shared out epoch " + epoch
                            + " after other checkpoints");
                }
            });
        }
        EpochState begin = EpochState.whole(first);
        return new SourceState(
                List.of(begin),
                all,
                shares,
                ranks.stream().map(SourceState::epochs).toList(),
                counts);
    }

    private static EpochState combineEpoch(List<SourceState> ranks, long epoch) {
        TreeSet<Long> left = new TreeSet<>();
        long end = endOf(ranks, epoch);
        long[] goesOnAt = new long[ranks.size()];
        long farthest = 0;
        for (int rank = 0; rank < goesOnAt.length; rank++) {
            EpochState state = find(ranks.get(rank).epochs(), epoch);
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

    /// Whether nothing of an epoch was delivered, though ranks may have begun to read it. Such an epoch is dealt
    /// anew, so that its ends fit the number of ranks that read it. One that was shared out before is not: of that
    /// something was delivered then, though all of what was left may be left still.
    private static boolean isUntouched(EpochState combined, List<SourceState> ranks) {
        boolean shared = ranks.stream()
                .map(rank -> find(rank.epochs(), combined.epoch()))
                .anyMatch(rank -> !rank.next().state().isEmpty()
                        || rank.pending().stream()
                                .anyMatch(place -> !place.state().isEmpty()));
        if (shared) {
            return false;
        }
        long farthest = combined.next().index();
        return combined.pending().size() == farthest
                && (farthest > 0
                        || ranks.stream()
                                .anyMatch(rank ->
                                        find(rank.epochs(), combined.epoch()).goesOn()));
    }

    /// The place before which an epoch ends: an earlier number of ranks may have set it.
    private static long endOf(List<SourceState> ranks, long epoch) {
        for (SourceState rank : ranks) {
            Position next = find(rank.epochs(), epoch).next();
            if (!next.state().isEmpty()) {
                return endBefore(next.state());
            }
        }
        return ranks.getFirst().share().places();
    }

    static long endBefore(String state) {
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
    static EpochState find(List<EpochState> epochs, long epoch) {
        for (EpochState state : epochs) {
            if (state.epoch() == epoch) {
                return state;
            }
        }
        boolean past = epochs.getLast().epoch() > epoch;
        return new EpochState(epoch, List.of(), !past, Position.START);
    }
}
