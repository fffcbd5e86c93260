package org.jspdl.plan.record;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspdl.pipeline.SourcePlace;
import org.jspdl.stats.ItemObserver;
import org.jspecify.annotations.Nullable;

/// Follows the items of a run, and knows of the one that was delivered last which places of its source it was made
/// from. Used for one run; told by any number of threads, asked by the consumer's.
///
/// What came of several epochs, of divided items or of a gatherer that made it of nothing is not known.
final class RunMembers implements ItemObserver {
    /// More items than a run has between its source and its consumer.
    private static final int MOST = 1 << 18;
    /// More batches than wait for the consumer.
    private static final int MOST_MOVED = 1 << 14;

    /// Places by the number of their item, and the numbers of a group's members; guarded by itself.
    private final Map<Long, Object> made = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Object> eldest) {
            return size() > MOST; // filters tell nobody what they drop
        }
    };

    /// Of batches that are not delivered yet, how their samples were moved; guarded by the places, too.
    private final ArrayDeque<Moved> moved = new ArrayDeque<>();

    private @Nullable Members last;

    /// A place of a source.
    private record Place(long epoch, SourcePlace of) {}

    /// Whose samples were moved, and how.
    private record Moved(Object batch, int[] order) {}

    /// What an item was made from.
    ///
    /// @param places in its order, all of one epoch
    record Members(long epoch, List<SourcePlace> places) {}

    RunMembers() {}

    @Override
    public void placed(String from, int source, long item, long epoch, long place) {
        synchronized (made) {
            made.put(item, new Place(epoch, new SourcePlace(source, place)));
        }
    }

    @Override
    public void grouped(String stage, long item, long[] members, long now) {
        synchronized (made) {
            made.put(item, members);
        }
    }

    @Override
    public void delivered(long item, long asked, long received) {
        synchronized (made) {
            List<Place> places = new ArrayList<>();
            boolean isKnown = take(item, places) && !places.isEmpty();
            last = isKnown && places.stream().allMatch(place -> place.epoch == places.getFirst().epoch)
                    ? new Members(
                            places.getFirst().epoch,
                            places.stream().map(Place::of).toList())
                    : null;
        }
    }

    /// Puts the places that an item was made from behind `into`, and forgets it; false if one is not known.
    private boolean take(long item, List<Place> into) {
        return switch (made.remove(item)) {
            case Place place -> into.add(place);
            case long[] members -> {
                boolean all = true;
                for (long member : members) {
                    all &= take(member, into);
                }
                yield all;
            }
            case null, default -> false;
        };
    }

    /// Hears that the samples of `batch` lie in another order than they came in.
    void moved(Object batch, int[] order) {
        synchronized (made) {
            if (moved.size() == MOST_MOVED) {
                moved.removeFirst(); // closed before it was delivered
            }
            moved.addLast(new Moved(batch, order));
        }
    }

    /// What `item`, which was delivered last, was made from; null if that is not known.
    @Nullable
    Members last(Object item) {
        synchronized (made) {
            Members members = last;
            for (Moved each : moved) {
                if (each.batch == item && members != null) {
                    moved.remove(each);
                    return each.order.length == members.places.size() ? ordered(members, each.order) : null;
                }
            }
            return members;
        }
    }

    private static Members ordered(Members members, int[] order) {
        return new Members(
                members.epoch,
                Arrays.stream(order).mapToObj(members.places::get).toList());
    }
}
