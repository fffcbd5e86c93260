package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.checkpoint.Together.Place;
import org.jspdl.source.ElasticSource;
import org.jspdl.source.Even;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Source;

/// Deals a [combined][CheckpointMerge#combine] state to the ranks that resume from it. Each rank computes the same deal
/// and takes its own part.
///
/// Places that are left go round in their order, filled up with more of them where ranks that match by [Even#REPEAT]
/// would get unequally many. Those that a partly delivered group was made of go to one rank
/// together, the one that has got the fewest so far, and the others make up for it.
public final class CheckpointRedistribution {
    private final RunState state;
    private final int rank;
    private final int worldSize;
    private final Map<Place, Integer> owners = new HashMap<>();
    private final Together together;

    private CheckpointRedistribution(RunState state, int rank, int worldSize) {
        this.state = state;
        this.rank = rank;
        this.worldSize = worldSize;
        this.together = Together.of(state, worldSize);
    }

    /// The state that a run over `sources`, in the order in which the recipe names them, starts with: from the
    /// state of its own rank, or its share of the state of all ranks, which that of one rank alone is.
    public static RunState deal(RunState state, List<Source<?>> sources) {
        if (sources.size() != state.sources().size()) {
            throw new IllegalArgumentException("not a checkpoint of this pipeline: it has "
                    + state.sources().size() + " sources, and the pipeline " + sources.size());
        }
        Share first = null;
        for (int i = 0; i < sources.size(); i++) {
            Share share = state.sources().get(i).share();
            Share now = Share.of(sources.get(i));
            if (now.isElastic() != share.isElastic() || (now.worldSize() == 0) != (share.worldSize() == 0)) {
                throw new IllegalArgumentException(
                        "not a checkpoint of this pipeline: source " + i + " is shared by ranks in another way");
            }
            if (now.worldSize() == 0) {
                continue;
            }
            if (share.rank() != Share.ALL_RANKS && share.worldSize() == 1 && now.worldSize() > 1) {
                return deal(CheckpointMerge.combineStates(List.of(state)), sources);
            }
            if (share.rank() == Share.ALL_RANKS) {
                first = first == null ? now : first;
                requireSameRank(first, now);
            } else if (share.rank() != now.rank() || share.worldSize() != now.worldSize()) {
                throw new IllegalArgumentException("the checkpoint is of rank " + share.rank() + " of "
                        + share.worldSize() + " but the source is rank " + now.rank() + " of " + now.worldSize()
                        + "; combine the checkpoints of all ranks to resume on another number of them");
            }
        }
        if (first == null) {
            return state;
        }
        if (state.sources().stream().anyMatch(source -> source.share().rank() != Share.ALL_RANKS)) {
            throw new IllegalArgumentException("not a checkpoint: some sources are of all ranks, and others are not");
        }
        return spread(state, first.worldSize(), first.rank()).deal(sources);
    }

    /// A state of one rank alone may have a gatherer's state to go on from, which other ranks can't.
    private static CheckpointRedistribution spread(RunState state, int worldSize, int rank) {
        boolean alone = worldSize == 1 || state.states().isEmpty();
        RunState ended = alone
                ? state
                : new RunState(
                        state.identity(),
                        state.epoch(),
                        state.delivered(),
                        state.sources(),
                        state.nodes(),
                        state.parts(),
                        state.draws(),
                        GathererStates.ended(state, state.nodes()),
                        state.budgets());
        return new CheckpointRedistribution(ended, rank, worldSize);
    }

    private static void requireSameRank(Share one, Share other) {
        if (one.rank() != other.rank() || one.worldSize() != other.worldSize()) {
            throw new IllegalArgumentException("one source is rank " + one.rank() + " of " + one.worldSize()
                    + " and another rank " + other.rank() + " of " + other.worldSize()
                    + "; the sources of one run must be of one rank");
        }
    }

    private RunState deal(List<Source<?>> sources) {
        CheckpointMerge.requireWithoutStates(state, rank, worldSize);
        List<SourceState> dealt = new ArrayList<>();
        for (int source = 0; source < sources.size(); source++) {
            dealt.add(
                    sources.get(source) instanceof ElasticSource<?> elastic
                            ? new ElasticShares(source, elastic, state.sources().get(source), together, rank).dealt()
                            : deal(source, sources.get(source)));
        }
        Set<Integer> mine = new TreeSet<>();
        for (int named : state.named()) {
            if (owner(named) == rank) {
                mine.add(named);
            }
        }
        NodeTable nodes = new NodeTable();
        int[] numbers = nodes.addAll(state.nodes(), state.nodes().reachable(mine), this::dealt);
        Map<Integer, String> parts = new LinkedHashMap<>();
        state.parts().forEach((split, settled) -> {
            if (mine.contains(split)) {
                parts.put(numbers[split], settled);
            }
        });
        return new RunState(
                state.identity(),
                state.epoch(),
                state.delivered(),
                dealt,
                nodes,
                parts,
                state.draws(),
                GathererStates.of(state.states(), mine::contains, numbers),
                state.budgets());
    }

    private SourceState deal(int source, Source<?> ranked) {
        boolean fills = ranked instanceof RankedSource<?> places && places.even() == Even.REPEAT;
        List<EpochState> epochs = new ArrayList<>();
        for (EpochState epoch : state.sources().get(source).epochs()) {
            epochs.add(deal(source, fills && !epoch.isWhole() ? filledUp(epoch) : epoch));
        }
        SourceCounts counts = state.sources().get(source).counts().part(rank, worldSize);
        return new SourceState(epochs, Share.of(ranked), Map.of(), List.of(), counts);
    }

    private int owner(int node) {
        int unit = together.owner(node);
        Place first = together.firstPlace(node);
        return unit >= 0 || first == null ? unit : owners.getOrDefault(first, -1);
    }

    /// A dealt place ends behind itself.
    private Node dealt(Node leaf) {
        return leaf instanceof Node.Origin(int source, long epoch, Position position) && !state.isElastic(source)
                ? new Node.Origin(source, epoch, dealt(position.index()))
                : leaf;
    }

    private static Position dealt(long index) {
        return new Position(index, Long.toString(index + 1));
    }

    /// The epoch with as many places more as it takes for ranks to get equally many; none if nothing is left of it.
    private EpochState filledUp(EpochState epoch) {
        long behind = epoch.pending().stream().mapToLong(Position::index).max().orElse(-1) + 1;
        // ranks that have all read to the end do not tell where that was
        long begin = Math.max(epoch.next().index(), behind);
        long end = Math.max(CheckpointMerge.endBefore(epoch.next().state()), begin);
        long left = epoch.pending().size() + end - begin;
        long filled = left == 0 ? end : Math.addExact(end, Math.floorMod(-left, (long) worldSize));
        return new EpochState(epoch.epoch(), epoch.pending(), true, new Position(begin, Long.toString(filled)));
    }

    private EpochState deal(int source, EpochState epoch) {
        if (epoch.isWhole()) {
            return epoch;
        }
        List<Position> pending = epoch.pending();
        int[] quota = new int[worldSize];
        for (int i = 0; i < pending.size(); i++) {
            quota[i % worldSize]++;
        }
        for (Position place : pending) {
            int owner = together.owner(new Place(source, epoch.epoch(), place));
            if (owner >= 0) {
                quota[owner]--;
            }
        }
        List<Position> mine = new ArrayList<>();
        for (int i = 0; i < pending.size(); i++) {
            Place place = new Place(source, epoch.epoch(), pending.get(i));
            int owner = together.owner(place);
            if (owner < 0) {
                owner = i % worldSize;
                while (quota[owner] <= 0) {
                    owner = (owner + 1) % worldSize;
                }
                quota[owner]--;
            }
            owners.put(place, owner);
            if (owner == rank) {
                mine.add(dealt(place.position().index()));
            }
        }
        long skipped = Math.floorMod(rank - pending.size(), worldSize);
        return new EpochState(
                epoch.epoch(),
                mine,
                true,
                new Position(epoch.next().index() + skipped, epoch.next().state()));
    }
}
