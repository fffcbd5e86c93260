package org.jspdl.source;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The indices of a dataset in the order of one epoch, or the share of them that falls to one rank.
///
/// Immutable; takes constant memory whatever the size. Ranks are dealt like cards: rank r of w gets the positions r, r
/// + w, r + 2w, ... of the common order. All ranks get equally many: the remainder is dropped, unless it is
/// [padded][#padded()].
public final class Sampler implements RankedSource<Long> {
    private final long size;
    private final boolean shuffled;
    private final long seed;
    private final int rank;
    private final int worldSize;
    private final boolean padded;

    Sampler(long size, boolean shuffled, long seed, int rank, int worldSize, boolean padded) {
        this.size = size;
        this.shuffled = shuffled;
        this.seed = seed;
        this.rank = rank;
        this.worldSize = worldSize;
        this.padded = padded;
    }

    /// The share of `rank` among `worldSize` ranks.
    public Sampler shard(int rank, int worldSize) {
        if (worldSize < 1 || rank < 0 || rank >= worldSize) {
            throw new IllegalArgumentException(
                    "rank must be in [0, worldSize) but rank was " + rank + " and worldSize " + worldSize);
        }
        return new Sampler(size, shuffled, seed, rank, worldSize, padded);
    }

    /// The same, but a remainder is filled up with items from the start of the order instead of being dropped.
    public Sampler padded() {
        return new Sampler(size, shuffled, seed, rank, worldSize, true);
    }

    @Override
    public OptionalLong size() {
        if (worldSize == 1 || size == 0) {
            return OptionalLong.of(size);
        }
        return OptionalLong.of(padded ? (size + worldSize - 1) / worldSize : size / worldSize);
    }

    /// A cursor whose positions count in the order common to all ranks, so that they mean the same on any number of
    /// ranks.
    @Override
    public Cursor<Long> open(long epoch, Position from) {
        long first = from.equals(Position.START) ? rank : from.index();
        long end = from.state().isEmpty() ? places() : endBefore(from);
        return new RankCursor(
                shuffled ? Permutation.of(size, seed, epoch) : null, size, worldSize, first, end, from.state());
    }

    /// A place of another number of ranks says where its epoch ends, which their remainder decides.
    private long endBefore(Position from) {
        try {
            long end = Long.parseLong(from.state());
            if (end >= 0 && end <= (padded ? size + Integer.MAX_VALUE : size)) {
                return end;
            }
        } catch (NumberFormatException notNumber) {
            // refused below
        }
        throw new IllegalArgumentException(from + " is not a place of " + this);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int worldSize() {
        return worldSize;
    }

    @Override
    public long places() {
        return size().orElseThrow() * worldSize;
    }

    private static final class RankCursor implements Cursor<Long> {
        private final @Nullable Permutation order;
        private final long size;
        private final int stride;
        private final long end;
        private final String state;
        private long place;

        RankCursor(@Nullable Permutation order, long size, int stride, long first, long end, String state) {
            this.order = order;
            this.size = size;
            this.stride = stride;
            this.end = end;
            this.state = state;
            this.place = first - stride;
        }

        @Override
        public boolean advance() {
            if (place + stride >= end) {
                return false;
            }
            place += stride;
            return true;
        }

        @Override
        public Long item() {
            long index = place % size;
            return order == null ? index : order.apply(index);
        }

        @Override
        public Position position() {
            return new Position(place + stride, state);
        }
    }

    @Override
    public String identity() {
        return (shuffled ? "shuffled(" + size + ", seed " + seed + ")" : "sequential(" + size + ")")
                + (padded ? ".padded()" : "");
    }

    @Override
    public String toString() {
        return (shuffled ? "shuffled(" + size + ", seed " + seed + ")" : "sequential(" + size + ")")
                + (worldSize == 1 ? "" : ".shard(" + rank + ", " + worldSize + ")")
                + (padded ? ".padded()" : "");
    }
}
