package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// Which places must go to one rank together, because items that were partly delivered were made from them: they go to
/// the rank that has got the fewest such places so far.
///
/// A place of a [Share][RunState.Share] that has no common order is among them also when it is alone.
final class Together {
    /// Stands for nobody.
    static final int NOBODY = -1;

    /// By node, one that stands for all that are made from each other.
    private final int[] root;
    private final @Nullable Place[] firstPlaces;
    private final Map<Integer, Integer> byRoot = new HashMap<>();
    private final Map<Place, Integer> byPlace = new HashMap<>();

    /// A place of a source.
    record Place(int source, long epoch, Position position) implements Comparable<Place> {
        private static final Comparator<Place> ORDER = Comparator.comparingLong(Place::epoch)
                .thenComparingInt(Place::source)
                .thenComparingLong(place -> place.position.index())
                .thenComparing(place -> place.position.state());

        static @Nullable Place of(Node node) {
            return node instanceof Node.Origin(int source, long epoch, Position position)
                    ? new Place(source, epoch, position)
                    : null;
        }

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    /// Nodes that are made from each other.
    private static final class Unit {
        final int root;
        final TreeSet<Place> places = new TreeSet<>();
        /// Whether it is given to a rank here.
        boolean isGiven;
        long epoch = Long.MAX_VALUE;

        Unit(int root) {
            this.root = root;
        }
    }

    private Together(NodeTable nodes) {
        root = new int[nodes.size()];
        firstPlaces = new @Nullable Place[nodes.size()];
        Arrays.setAll(root, number -> number);
        for (int number = 0; number < root.length; number++) {
            int made = number;
            firstPlaces[made] = Place.of(nodes.node(made));
            nodes.node(made).forEachChild(child -> {
                root[find(child)] = find(made);
                firstPlaces[made] = firstPlaces[made] == null ? firstPlaces[child] : firstPlaces[made];
            });
        }
    }

    static Together of(RunState state, int worldSize) {
        Together together = new Together(state.nodes());
        together.give(together.units(state), worldSize);
        return together;
    }

    private int find(int number) {
        int of = number;
        while (root[of] != of) {
            root[of] = root[root[of]];
            of = root[of];
        }
        return of;
    }

    private List<Unit> units(RunState state) {
        NodeTable nodes = state.nodes();
        Map<Integer, Unit> units = new TreeMap<>();
        for (int number = 0; number < root.length; number++) {
            Unit unit = units.computeIfAbsent(find(number), Unit::new);
            Node node = nodes.node(number);
            Place place = Place.of(node);
            if (place != null) {
                unit.places.add(place);
                unit.isGiven |= unit.places.size() > 1 || state.isElastic(place.source());
                unit.epoch = Math.min(unit.epoch, place.epoch());
            } else if (node instanceof Node.Group group && group.members().isEmpty()) {
                unit.isGiven = true;
                unit.epoch = Math.min(unit.epoch, group.epoch());
            }
        }
        return new ArrayList<>(units.values());
    }

    private void give(List<Unit> units, int worldSize) {
        units.removeIf(unit -> !unit.isGiven);
        units.sort(Comparator.<Unit>comparingLong(unit -> unit.epoch)
                .thenComparing(unit -> unit.places.isEmpty())
                .thenComparing((one, other) -> one.places.isEmpty()
                        ? Integer.compare(one.root, other.root)
                        : one.places.first().compareTo(other.places.first())));
        TreeMap<Long, int[]> given = new TreeMap<>();
        for (Unit unit : units) {
            int[] counts = given.computeIfAbsent(unit.epoch, epoch -> new int[worldSize]);
            int fewest = 0;
            for (int r = 1; r < worldSize; r++) {
                fewest = counts[r] < counts[fewest] ? r : fewest;
            }
            counts[fewest] += Math.max(1, unit.places.size());
            byRoot.put(unit.root, fewest);
            for (Place place : unit.places) {
                byPlace.put(place, fewest);
            }
        }
    }

    /// Who gets a place; [#NOBODY] if it need not stay with others.
    int owner(Place place) {
        return byPlace.getOrDefault(place, NOBODY);
    }

    /// Who gets all that a node is made from; [#NOBODY] if that is a single place.
    int owner(int node) {
        return byRoot.getOrDefault(find(node), NOBODY);
    }

    /// The first place that a node is made from; null if a gatherer made it of nothing.
    @Nullable
    Place firstPlace(int node) {
        return firstPlaces[node];
    }
}
