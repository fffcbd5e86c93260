package org.jspdl.source;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspdl.internal.Arguments;
import org.jspdl.source.internal.Mixing;

/// An order in which some indices never come: at their places are indices of earlier places of the epoch.
///
/// Earlier ones, because those are allowed at a place wherever an order grows more difficult; drawn, because neighbors
/// would come twice in one batch. A place costs what it costs in the order, and a binary search.
final class ReplacedOrder implements IndexOrder {
    /// Nearly all places hold an index that is not left out, so the first draw is one.
    private static final int DRAWS = 64;
    private static final long KEY = 0x6C656674206F7574L;

    private final IndexOrder order;
    private final long[] without;
    private final String identity;

    /// @param indices copied; one may stand there several times
    ReplacedOrder(IndexOrder order, long[] indices) {
        this.order = order;
        this.without = Arrays.stream(indices).sorted().distinct().toArray();
        long hash = 0;
        for (long index : without) {
            hash = Mixing.draw(hash, Arguments.notNegative("index", index));
        }
        this.identity = order.identity() + ".without(" + without.length + " indices #" + Long.toHexString(hash) + ")";
    }

    @Override
    public long size() {
        return order.size();
    }

    @Override
    public double passes() {
        return order.passes();
    }

    @Override
    public LongUnaryOperator in(long epoch) {
        LongUnaryOperator indices = order.in(epoch);
        return place -> {
            long index = indices.applyAsLong(place);
            return isLeftOut(index) ? replacement(indices, epoch, place) : index;
        };
    }

    private boolean isLeftOut(long index) {
        return Arrays.binarySearch(without, index) >= 0;
    }

    private long replacement(LongUnaryOperator indices, long epoch, long place) {
        long key = Mixing.key(KEY ^ place, epoch);
        for (int draw = 0; place > 0 && draw < DRAWS; draw++) {
            long index = indices.applyAsLong(Mixing.below(place, Mixing.draw(key, draw)));
            if (!isLeftOut(index)) {
                return index;
            }
        }
        for (long earlier = place - 1; earlier >= 0; earlier--) {
            long index = indices.applyAsLong(earlier);
            if (!isLeftOut(index)) {
                return index;
            }
        }
        for (long later = place + 1; later < size(); later++) {
            long index = indices.applyAsLong(later);
            if (!isLeftOut(index)) {
                return index;
            }
        }
        throw new IllegalStateException("all indices of epoch " + epoch + " of " + identity + " are left out");
    }

    @Override
    public String identity() {
        return identity;
    }
}
