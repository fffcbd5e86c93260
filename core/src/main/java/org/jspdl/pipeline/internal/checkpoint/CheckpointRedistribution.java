package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspdl.pipeline.internal.checkpoint.OriginKeys.Place;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Source;

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

    private CheckpointRedistribution(RunState state, int rank, int worldSize) {
        this.state = state;
        this.rank = rank;
        this.worldSize = worldSize;
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
        Map<String, String> parts = new LinkedHashMap<>();
        state.parts().forEach((key, settled) -> {
            if (isMine(OriginKeys.places(key))) {
                parts.put(OriginKeys.dealt(key), settled);
            }
        });
        Map<String, List<List<String>>> groups = new LinkedHashMap<>();
        state.groups().forEach((stage, all) -> {
            List<List<String>> mine = new ArrayList<>();
            for (List<String> members : all) {
                if (isMine(placesOf(members))) {
                    mine.add(members.stream().map(OriginKeys::dealt).toList());
                }
            }
            groups.put(stage, mine);
        });
        return new RunState(
                state.recipe(), state.epoch(), dealt, parts, groups, state.draws(), state.states(), state.budgets());
    }

    private boolean isMine(List<Place> places) {
        return !places.isEmpty() && owners.getOrDefault(places.getFirst(), -1) == rank;
    }

    private static List<Place> placesOf(List<String> members) {
        return members.stream().flatMap(key -> OriginKeys.places(key).stream()).toList();
    }

    /// Finds the places that must stay together, and gives them to ranks.
    private void keepTogether() {
        List<NavigableSet<Place>> units = new ArrayList<>();
        state.parts().keySet().forEach(key -> add(OriginKeys.places(key), units));
        state.groups().values().forEach(groups -> groups.forEach(members -> add(placesOf(members), units)));
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

    /// Adds places, joining the units that they have in common.
    private static void add(List<Place> places, List<NavigableSet<Place>> units) {
        NavigableSet<Place> unit = new TreeSet<>(places);
        units.removeIf(other -> join(other, unit));
        units.add(unit);
    }

    private static boolean join(NavigableSet<Place> other, NavigableSet<Place> unit) {
        boolean common = !Collections.disjoint(other, unit);
        if (common) {
            unit.addAll(other);
        }
        return common;
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
                mine.add(new Position(place.index(), Long.toString(place.index() + 1)));
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
