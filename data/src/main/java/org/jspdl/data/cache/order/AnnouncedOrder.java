package org.jspdl.data.cache.order;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// The objects that one reader is going to use, in that order, and how far it is. Not thread-safe.
public final class AnnouncedOrder {
    /// The distance of what is not used again.
    public static final int NEVER = Integer.MAX_VALUE;

    private final Map<Long, int[]> places = new HashMap<>();
    private int at;

    /// @param objects their hashes, in order
    /// @param at      how many of them were used before
    AnnouncedOrder(long[] objects, int at) {
        this.at = at;
        for (int i = 0; i < objects.length; i++) {
            int place = i;
            places.merge(objects[i], new int[] {place}, (before, one) -> {
                int[] more = Arrays.copyOf(before, before.length + 1);
                more[before.length] = place;
                return more;
            });
        }
    }

    /// How many uses lie before the next one of `object`; [#NEVER] if it is not used again as far as was announced.
    int distance(long object) {
        int place = next(object);
        return place < 0 ? NEVER : place - at;
    }

    private int next(long object) {
        int[] all = places.get(object);
        if (all == null) {
            return -1;
        }
        int found = Arrays.binarySearch(all, at);
        int index = found < 0 ? -found - 1 : found;
        return index == all.length ? -1 : all[index];
    }

    /// An object is used now.
    ///
    /// @return how many of the objects were used, this one included
    int used(long object) {
        int place = next(object);
        if (place >= 0) {
            at = place + 1;
        }
        return at;
    }

    /// Says how many of the objects were used.
    void moveTo(int used) {
        at = used;
    }
}
