package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// Deals a [combined][CheckpointMerge#combine] state to the ranks that resume from it. Each rank computes the same deal
/// and takes its own part.
///
/// Places that are left go round in their order. Those that a partly delivered group was made of go to one rank
/// together, the one that has got the fewest so far, and the others make up for it.
public final class CheckpointRedistribution {
    private final RunState state;
    private final int rank;
    private final int worldSize;
    /// Who gets the places that must stay together.
    private final Map<Place, Integer> together = new HashMap<>();
    private final Map<Place, Integer> owners = new HashMap<>();
    private final @Nullable Place[] firstPlaces;

    private CheckpointRedistribution(RunState state, int rank, int worldSize) {
        this.state = state;
        this.rank = rank;
        this.worldSize = worldSize;
        this.firstPlaces = firstPlaces(state.nodes());
    }

    /// The state that a run over `sources`, in the order in which the recipe names them, starts with: from the
    /// state of its own rank, or its share of the state of all ranks.
    public static RunState deal(RunState state, List<Source<?>> sources) {
        if (sources.size() != state.sources().size()) {
            throw new IllegalArgumentException("not a checkpoint of this pipeline: it has "
                    + state.sources().size() + " sources, and the pipeline " + sources.size());
        }
        RankedSource<?> first = null;
        for (int i = 0; i < sources.size(); i++) {
            Share share = state.sources().get(i).share();
            if (!(sources.get(i) instanceof RankedSource<?> ranked)) {
                continue;
            }
            if (share.rank() == Share.ALL_RANKS) {
                first = first == null ? ranked : first;
                requireSameRank(first, ranked);
            } else if (share.rank() != ranked.rank() || share.worldSize() != ranked.worldSize()) {
                throw new IllegalArgumentException("the checkpoint is of rank " + share.rank() + " of "
                        + share.worldSize() + " but the source is rank " + ranked.rank() + " of " + ranked.worldSize()
                        + "; combine the checkpoints of all ranks to resume on another number of them");
            }
        }
        return first == null
                ? state
                : new CheckpointRedistribution(state, first.rank(), first.worldSize()).deal(sources);
    }

    private static void requireSameRank(RankedSource<?> one, RankedSource<?> other) {
        if (one.rank() != other.rank() || one.worldSize() != other.worldSize()) {
            throw new IllegalArgumentException("one source is rank " + one.rank() + " of " + one.worldSize()
                    + " and another rank " + other.rank() + " of " + other.worldSize()
                    + "; the sources of one run must be of one rank");
        }
    }

    private RunState deal(List<Source<?>> sources) {
        CheckpointMerge.requireWithoutStates(state, rank, worldSize);
        keepTogether();
        List<SourceState> dealt = new ArrayList<>();
        for (int source = 0; source < sources.size(); source++) {
            SourceState left = state.sources().get(source);
            List<EpochState> epochs = new ArrayList<>();
            for (EpochState epoch : left.epochs()) {
                epochs.add(deal(source, epoch));
            }
            dealt.add(new SourceState(epochs, Share.of(sources.get(source))));
        }
        Set<Integer> mine = new TreeSet<>();
        for (int named : state.named()) {
            if (owners.getOrDefault(firstPlaces[named], -1) == rank) {
                mine.add(named);
            }
        }
        NodeTable nodes = new NodeTable();
        int[] numbers = nodes.addAll(state.nodes(), state.nodes().reachable(mine), CheckpointRedistribution::dealt);
        Map<Integer, String> parts = new LinkedHashMap<>();
        state.parts().forEach((split, settled) -> {
            if (mine.contains(split)) {
                parts.put(numbers[split], settled);
            }
        });
        return new RunState(
                state.identity(),
                state.epoch(),
                dealt,
                nodes,
                parts,
                state.draws(),
                CheckpointMerge.states(state, rank, worldSize, numbers),
                state.budgets());
    }

    /// A dealt place ends behind itself.
    private static Node.Origin dealt(Node.Origin origin) {
        return new Node.Origin(
                origin.source(), origin.epoch(), dealt(origin.position().index()));
    }

    private static Position dealt(long index) {
        return new Position(index, Long.toString(index + 1));
    }

    /// By node, the first place that it is made from; null if a gatherer made it of nothing.
    private static @Nullable Place[] firstPlaces(NodeTable nodes) {
        @Nullable Place[] first = new @Nullable Place[nodes.size()];
        for (int number = 0; number < first.length; number++) {
            int made = number;
            first[made] = Place.of(nodes.node(made));
            nodes.node(made).forEachChild(child -> first[made] = first[made] == null ? first[child] : first[made]);
        }
        return first;
    }

    /// Finds the places that must stay together, and gives them to ranks.
    private void keepTogether() {
        List<NavigableSet<Place>> units = connected();
        units.removeIf(unit -> unit.size() < 2);
        units.sort((one, other) -> one.first().compareTo(other.first()));
        TreeMap<Long, int[]> given = new TreeMap<>();
        for (NavigableSet<Place> unit : units) {
            int[] counts = given.computeIfAbsent(unit.first().epoch(), epoch -> new int[worldSize]);
            int fewest = 0;
            for (int r = 1; r < worldSize; r++) {
                fewest = counts[r] < counts[fewest] ? r : fewest;
            }
            counts[fewest] += unit.size();
            for (Place place : unit) {
                together.put(place, fewest);
            }
        }
    }

    /// The places of nodes that are made from each other, by union-find over the table.
    private List<NavigableSet<Place>> connected() {
        NodeTable nodes = state.nodes();
        int[] root = new int[nodes.size()];
        Arrays.setAll(root, number -> number);
        Map<Integer, NavigableSet<Place>> units = new LinkedHashMap<>();
        for (int number = 0; number < root.length; number++) {
            int made = number;
            nodes.node(number).forEachChild(child -> root[find(root, child)] = find(root, made));
        }
        for (int number = 0; number < root.length; number++) {
            Place place = Place.of(nodes.node(number));
            if (place != null) {
                units.computeIfAbsent(find(root, number), unit -> new TreeSet<>())
                        .add(place);
            }
        }
        return new ArrayList<>(units.values());
    }

    private static int find(int[] root, int number) {
        int of = number;
        while (root[of] != of) {
            root[of] = root[root[of]];
            of = root[of];
        }
        return of;
    }

    /// A place of a source that is dealt to ranks.
    private record Place(int source, long epoch, long index) implements Comparable<Place> {
        static @Nullable Place of(Node node) {
            return node instanceof Node.Origin(int source, long epoch, Position position)
                    ? new Place(source, epoch, position.index())
                    : null;
        }

        @Override
        public int compareTo(Place other) {
            int byEpoch = Long.compare(epoch, other.epoch);
            int bySource = byEpoch == 0 ? Integer.compare(source, other.source) : byEpoch;
            return bySource == 0 ? Long.compare(index, other.index) : bySource;
        }
    }

    private EpochState deal(int source, EpochState epoch) {
        List<Position> pending = epoch.pending();
        int[] quota = new int[worldSize];
        for (int i = 0; i < pending.size(); i++) {
            quota[i % worldSize]++;
        }
        for (Position place : pending) {
            Integer owner = together.get(new Place(source, epoch.epoch(), place.index()));
            if (owner != null) {
                quota[owner]--;
            }
        }
        List<Position> mine = new ArrayList<>();
        for (int i = 0; i < pending.size(); i++) {
            Place place = new Place(source, epoch.epoch(), pending.get(i).index());
            Integer owner = together.get(place);
            if (owner == null) {
                owner = i % worldSize;
                while (quota[owner] <= 0) {
                    owner = (owner + 1) % worldSize;
                }
                quota[owner]--;
            }
            owners.put(place, owner);
            if (owner == rank) {
                mine.add(dealt(place.index()));
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
