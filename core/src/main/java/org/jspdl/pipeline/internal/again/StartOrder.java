package org.jspdl.pipeline.internal.again;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspdl.pipeline.SourcePlace;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspecify.annotations.Nullable;

/// In which order items are to be started that were delivered in another one, because some had let others pass.
///
/// When an item was delivered, all items before it in its source's order had been started. So each is started before
/// any later one of its source, which is where it was started then, or later, and whoever was late is not waited for
/// again. Nothing takes exactly as long twice, and while one is a little later than then, little passes where room is
/// scarce. So who was late is started a little earlier than then: it waits for its turn, in the room of one item, and
/// nobody waits for it. An item that came more than [#MOST_AHEAD] turns late is started that much before its turn.
/// Those that a run needs to find out what items weigh are started first, whoever is late.
///
/// @param places in the order in which they are started
/// @param isAnother whether that is another one than that in which they were delivered
/// @param turns  of each item, its number in the order in which they were delivered
public record StartOrder(List<SourcePlace> places, boolean isAnother, Recipe.Turns turns) {
    /// How many turns before its own an item is started, at most.
    static final int MOST_AHEAD = 1 << 14;
    /// An item that came more than so many turns after a later one of its source is late: started as many turns
    /// earlier than then, and [one in so many][#SHARE] of those that it was late.
    private static final int EARLIER = 32;
    private static final int SHARE = 10;

    /// That of items, by the order in which they were delivered.
    ///
    /// @param delivered in that order
    /// @param first     how many of them are to be started before all others, in that order
    public static StartOrder of(List<SourcePlace> delivered, long first) {
        int size = delivered.size();
        Integer[] order = IntStream.range(0, size).boxed().toArray(Integer[]::new);
        Arrays.sort(
                order,
                Comparator.<Integer>comparingInt(turn -> delivered.get(turn).source())
                        .thenComparingLong(turn -> delivered.get(turn).place()));
        Map<Integer, Share> shares = new HashMap<>();
        int[] start = new int[size];
        boolean isOnce = true;
        for (int begin = 0, end; begin < size; begin = end) {
            int source = delivered.get(order[begin]).source();
            end = begin;
            while (end < size && delivered.get(order[end]).source() == source) {
                end++;
            }
            long[] places = new long[end - begin];
            int[] turns = new int[end - begin];
            int earliest = Integer.MAX_VALUE;
            for (int i = end - 1; i >= begin; i--) {
                int turn = order[i];
                earliest = Math.min(earliest, turn);
                start[turn] = turn < first ? turn - size : start(turn, earliest);
                places[i - begin] = delivered.get(turn).place();
                turns[i - begin] = turn;
                isOnce &= i + 1 == end || places[i - begin] != places[i + 1 - begin];
            }
            shares.put(source, new Share(places, turns));
        }
        Arrays.sort(
                order,
                Comparator.<Integer>comparingInt(turn -> start[turn])
                        .thenComparingLong(turn -> delivered.get(turn).place()));
        boolean isAnother = isOnce && IntStream.range(0, size).anyMatch(i -> order[i] != i);
        return new StartOrder(
                Arrays.stream(order).map(delivered::get).toList(),
                isAnother,
                (source, place) -> turn(shares.get(source), source, place));
    }

    /// @param earliest the first turn of the item and of all later ones of its source
    private static int start(int turn, int earliest) {
        int late = turn - earliest;
        int begun = late > EARLIER ? Math.max(0, earliest - EARLIER - late / SHARE) : earliest;
        return Math.max(begun, turn - MOST_AHEAD);
    }

    /// The turns of a source's items, by their places.
    private record Share(long[] places, int[] turns) {}

    private static long turn(@Nullable Share share, int source, long place) {
        int at = share == null ? -1 : Arrays.binarySearch(share.places, place);
        if (share == null || at < 0) {
            throw new IllegalStateException("place " + place + " of source " + source + " is not wanted");
        }
        return share.turns[at];
    }
}
