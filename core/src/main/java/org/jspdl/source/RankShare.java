package org.jspdl.source;

import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.jspdl.internal.Arguments;

/// One rank's share of an order of `size` places: r, r + w, r + 2w, ... Immutable.
///
/// @param even what becomes of a remainder
record RankShare(long size, int rank, int worldSize, Even even) {

    static RankShare whole(long size) {
        return new RankShare(size, 0, 1, Even.COUNT);
    }

    RankShare of(int newRank, int newWorldSize) {
        Arguments.rank(newRank, newWorldSize);
        return new RankShare(size, newRank, newWorldSize, even);
    }

    RankShare resized(long newSize) {
        return new RankShare(newSize, rank, worldSize, even);
    }

    RankShare with(Even newEven) {
        return new RankShare(size, rank, worldSize, newEven);
    }

    OptionalLong perRank() {
        if (worldSize == 1 || size == 0) {
            return OptionalLong.of(size);
        }
        return OptionalLong.of(
                switch (even) {
                    case COUNT, STOP_TOGETHER -> size / worldSize;
                    case REPEAT -> Math.ceilDiv(size, (long) worldSize);
                    case UNEVEN -> size / worldSize + (rank < size % worldSize ? 1 : 0);
                });
    }

    long everywhere() {
        return even == Even.UNEVEN && worldSize > 1 ? size / worldSize : Long.MAX_VALUE;
    }

    long places() {
        return even == Even.UNEVEN ? size : Math.multiplyExact(perRank().orElseThrow(), (long) worldSize);
    }

    /// A cursor whose positions count in the order common to all ranks, so that they mean the same on any number of
    /// ranks.
    ///
    /// @param items the item at a place below `size`
    <T> RankCursor<T> open(LongFunction<T> items, Position from) {
        long first = from.equals(Position.START) ? rank : from.index();
        long end = from.state().isEmpty() ? places() : endBefore(from);
        return new RankCursor<>(items, size, worldSize, first, end, from.state());
    }

    /// A place of another number of ranks says where its epoch ends, which their remainder decides.
    private long endBefore(Position from) {
        try {
            long end = Long.parseLong(from.state());
            if (end >= 0 && end <= (even == Even.REPEAT ? size + Integer.MAX_VALUE : size)) {
                return end;
            }
        } catch (NumberFormatException notNumber) {
            // refused below
        }
        throw new IllegalArgumentException(from + " is not a place of an order of " + size + text());
    }

    /// What makes this a share, as it is written behind the order.
    String text() {
        return (worldSize == 1 ? "" : ".shard(" + rank + ", " + worldSize + ")") + even.text();
    }

    /// The items at every `stride`-th place.
    static final class RankCursor<T> implements Cursor<T> {
        private final LongFunction<T> items;
        private final long size;
        private final int stride;
        private final long end;
        private final String state;
        private long place;

        RankCursor(LongFunction<T> items, long size, int stride, long first, long end, String state) {
            this.items = items;
            this.size = size;
            this.stride = stride;
            this.end = end;
            this.state = state;
            this.place = first - stride;
        }

        @Override
        public boolean advance() {
            if (isLast()) {
                return false;
            }
            place += stride;
            return true;
        }

        /// Whether no place follows the present one.
        boolean isLast() {
            return place + stride >= end;
        }

        @Override
        public T item() {
            return items.apply(place % size);
        }

        @Override
        public Position position() {
            return new Position(place + stride, state);
        }
    }
}
