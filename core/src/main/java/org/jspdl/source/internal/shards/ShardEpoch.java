package org.jspdl.source.internal.shards;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspdl.source.Cursor;
import org.jspdl.source.ElasticSource.Left;
import org.jspdl.source.Even;
import org.jspdl.source.Position;
import org.jspdl.source.ShardOrders;
import org.jspdl.source.Source;
import org.jspdl.source.internal.Items;
import org.jspdl.source.internal.shards.ShardSegments.Segment;
import org.jspecify.annotations.Nullable;

/// One epoch of a stream of shards: opens it at any place, and shares out what ranks have left of it.
///
/// @param mix    of the rank that asks
/// @param turns  whether every rank reads all shards, and keeps each n-th item
/// @param shares what was left when the number of ranks changed, oldest first: a number that tells the kind, then a
///     [SharedItems], or a [SharedTurns] if ranks take turns
public record ShardEpoch<T>(
        List<? extends Source<T>> shards,
        ShardMix mix,
        ShardOrders orders,
        long epoch,
        boolean turns,
        List<String> shares) {
    private static final int ITEMS = 0;
    private static final int TURNS = 1;

    /// Whose share a place is of, as text.
    public static String owner(Position place) {
        return place.state().isEmpty() ? "" : Lane.of(place).toString();
    }

    /// A cursor at a place of this rank, or at one of another that tells so.
    public Cursor<T> open(Position from) throws Exception {
        Lane lane = from.state().isEmpty() ? new Lane(shares.size(), mix.rank(), mix.worldSize()) : Lane.of(from);
        if (turns) {
            return turns(lane, from);
        }
        long start = lane.generation() == 0
                ? 0
                : sharedItems(lane.generation(), ordered()).start();
        boolean begins = from.equals(Position.START) && lane.generation() > 0;
        return cursor(lane, begins ? new Position(start, "") : from, start);
    }

    private Cursor<T> turns(Lane lane, Position from) throws Exception {
        SharedTurns shared = sharedTurns(lane.generation());
        Position at = from.equals(Position.START) ? shared.position() : from;
        return new TurnsCursor<>(
                cursor(lane, at, 0),
                () -> cursor(lane, Position.START, 0),
                mix.of(lane),
                shared.given(),
                lane.generation() == 0);
    }

    private Cursor<T> cursor(Lane lane, Position from, long start) throws Exception {
        ShardSegments segments = segments(lane);
        // of blocks all shards are needed all the time
        ShardOrders.Epoch told = orders == ShardOrders.UNHEARD || mix.block() > 0
                ? () -> {}
                : orders.begins(
                        epoch,
                        segments.order(),
                        ShardSegments.of(shards, mix, epoch + 1, turns).order());
        InterleavingCursor<T> cursor =
                new InterleavingCursor<>(shards, segments, epoch, mix.block() == 0 ? 0 : mix.interleave(), told);
        return WindowCursor.open(cursor, mix, lane, epoch, from, start);
    }

    private ShardSegments segments(Lane lane) {
        return lane.generation() == 0 || turns
                ? ShardSegments.of(shards, mix.of(lane), epoch, turns)
                : sharedItems(lane.generation(), ordered()).of(lane, shards);
    }

    private List<Segment> ordered() {
        return ShardSegments.ordered(shards, mix, epoch);
    }

    private SharedItems sharedItems(int generation, List<Segment> ordered) {
        return SharedItems.read(shared(generation, ITEMS), ordered);
    }

    private SharedTurns sharedTurns(int generation) {
        return generation == 0 ? SharedTurns.ALL : SharedTurns.read(shared(generation, TURNS));
    }

    private StateText.Reader shared(int generation, int kind) {
        if (generation > shares.size() || shares.get(generation - 1).isEmpty()) {
            throw new IllegalArgumentException("a place of a stream of shards is of share " + generation + " of epoch "
                    + epoch + ", which is not known; only a checkpoint tells what ranks had left");
        }
        StateText.Reader text =
                new StateText.Reader(shares.get(generation - 1), "what ranks left of a stream of shards");
        if (text.number(TURNS) != kind) {
            throw text.refused();
        }
        return text;
    }

    /// Adds to [#shares] what ranks have left.
    ///
    /// @param left  by rank of the latest share
    /// @param apart places that stay as they are
    public List<String> share(List<Left> left, List<Position> apart) throws Exception {
        String more = turns ? shareTurns(left, apart) : shareItems(left);
        Set<Integer> needed = new HashSet<>();
        for (Position place : apart) {
            needed.add(place.state().isEmpty() ? 0 : Lane.of(place).generation());
        }
        List<String> all = new ArrayList<>();
        for (int generation = 1; generation <= shares.size(); generation++) {
            all.add(needed.contains(generation) ? shares.get(generation - 1) : "");
        }
        all.add(more);
        return all;
    }

    private String shareItems(List<Left> left) {
        List<Segment> ordered = ordered();
        List<Segment> parts = new ArrayList<>();
        long had = shares.isEmpty() ? 0 : sharedItems(shares.size(), ordered).start();
        for (int rank = 0; rank < left.size(); rank++) {
            Lane lane = new Lane(shares.size(), rank, left.size());
            for (Left each : byLane(left.get(rank), lane)) {
                Lane own =
                        each.pending().isEmpty() ? lane : Lane.of(each.pending().getFirst());
                parts.addAll(SharedItems.of(each, segments(own), mix.of(own), epoch));
            }
            Position next = left.get(rank).next();
            had = Math.max(had, next == null ? 0 : next.index());
        }
        SharedItems shared = SharedItems.sorted(had, parts);
        OptionalLong total = mix.worldSize() > 1 ? ShardSegments.total(shards) : OptionalLong.empty();
        OptionalLong each = total.isPresent() ? shared.each(mix.worldSize(), shards) : OptionalLong.empty();
        if (total.isPresent() && each.isPresent()) {
            // as if every rank had had as many as it is short of a whole share: numbers then say who has
            // which
            shared = shared.startingAt(Math.max(0, total.getAsLong() / mix.worldSize() - each.getAsLong()));
        }
        return ITEMS + "," + shared.write(ordered, shards);
    }

    /// What a rank has left by the shares that it is of: single places may be of earlier ones.
    private static List<Left> byLane(Left left, Lane lane) {
        List<Left> lanes = new ArrayList<>();
        List<Position> own = new ArrayList<>();
        for (Position place : left.pending()) {
            if (Lane.of(place).equals(lane)) {
                own.add(place);
            } else {
                lanes.add(new Left(List.of(place), null));
            }
        }
        lanes.add(new Left(own, left.next()));
        return lanes;
    }

    private String shareTurns(List<Left> left, List<Position> apart) throws Exception {
        SharedTurns before = sharedTurns(shares.size());
        TreeSet<Long> pending = new TreeSet<>();
        long[] next = new long[left.size()];
        Position at = null;
        Position farthest = before.position();
        for (int rank = 0; rank < next.length; rank++) {
            for (Position place : left.get(rank).pending()) {
                Lane lane = Lane.of(place);
                pending.add(sharedTurns(lane.generation()).item(place.index(), lane.rank()));
                at = earlier(at, place);
                farthest = later(farthest, place);
            }
            Position goesOn = left.get(rank).next();
            next[rank] = -1;
            if (goesOn != null) {
                Position from = goesOn.equals(Position.START) ? before.position() : goesOn;
                next[rank] = from.index();
                at = earlier(at, from);
                farthest = later(farthest, from);
            }
        }
        for (Position place : at == null ? apart : List.<Position>of()) { // nothing else waits
            at = earlier(at, place);
            farthest = later(farthest, place);
        }
        if (at == null) {
            throw new IllegalArgumentException("ranks have nothing left of epoch " + epoch + " to share out");
        }
        boolean ends = left.stream().anyMatch(each -> each.next() == null);
        long end = ends ? end(farthest) : Long.MAX_VALUE;
        boolean dropped = shares.isEmpty() && mix.even() == Even.STOP_TOGETHER;
        return TURNS + "," + before.after(at, next, pending, end, dropped).write();
    }

    private static Position earlier(@Nullable Position one, Position other) {
        return one == null || other.index() < one.index() ? other : one;
    }

    private static Position later(Position one, Position other) {
        return other.index() > one.index() ? other : one;
    }

    /// The number of all items, counted from a place on.
    private long end(Position from) throws Exception {
        try (Cursor<T> cursor = cursor(new Lane(0, 0, 1), from, 0)) {
            while (cursor.advance()) {
                Items.close(cursor.item());
            }
            return cursor.position().index();
        }
    }
}
