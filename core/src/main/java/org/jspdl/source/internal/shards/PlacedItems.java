package org.jspdl.source.internal.shards;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.jspdl.source.CountableSource;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RangedSource;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Source;
import org.jspdl.source.internal.Items;
import org.jspecify.annotations.Nullable;

/// The items of a stream of shards, each found by its place in the order of an epoch.
///
/// What that order is, the stream itself says: the same stream over the numbers of the items, which reads nothing, is
/// run once for an epoch, and 4 bytes an item are kept of the epochs asked for last. Safe for any thread.
public final class PlacedItems<T> implements RankedSource<T> {
    /// Items in a row that are fetched at most before they are asked for: a piece of a job has as many.
    private static final int NEIGHBORS = 32;

    /// Items of kept orders: 256 MiB of numbers.
    private static final long KEPT = 64L << 20;

    private final String identity;
    private final List<? extends Source<T>> shards;
    /// The number of the first item of each shard, and of all items.
    private final long[] starts;
    /// The stream over numbers; null if they come one after the other.
    private final @Nullable Source<Long> mixed;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<Long, int[]> orders = new LinkedHashMap<>(16, 0.75f, true);

    private PlacedItems(
            String identity, List<? extends Source<T>> shards, long[] starts, @Nullable Source<Long> mixed) {
        this.identity = identity;
        this.shards = shards;
        this.starts = starts;
        this.mixed = mixed;
    }

    /// The items of a stream by their places.
    ///
    /// @param identity of the stream
    /// @param choice   which items are read; empty for all
    /// @param same     makes the same stream of other shards
    /// @throws IllegalStateException if that can't be; the message says what to do
    public static <T> PlacedItems<T> of(
            String identity,
            List<? extends Source<T>> shards,
            ShardMix mix,
            String choice,
            Function<List<Source<Long>>, Source<Long>> same) {
        if (mix.worldSize() != 1) {
            throw new IllegalStateException("places are those of all ranks together, not of rank " + mix.rank());
        }
        if (!choice.isEmpty()) {
            throw new IllegalStateException("items can't be found by their places where only some are read ("
                    + choice.strip() + "); leave out others in the pipeline");
        }
        long[] starts = new long[shards.size() + 1];
        List<Source<Long>> numbers = new ArrayList<>(shards.size());
        for (int i = 0; i < shards.size(); i++) {
            Source<T> shard = shards.get(i);
            String selection = shard instanceof CountableSource<T> countable ? countable.selection() : "";
            if (shard.resume() != Resume.SEEK || shard.size().isEmpty() || !selection.isEmpty()) {
                throw new IllegalStateException("items of " + shard.identity() + selection
                        + " can't be found by their places. Write an index beside every tar ('jspdl index SHARDS'), or"
                        + " convert other formats ('jspdl pack SHARDS --to FOLDER')");
            }
            long items = shard.size().getAsLong();
            numbers.add(new Numbers(starts[i], items));
            starts[i + 1] = Math.addExact(starts[i], items);
        }
        boolean isMixed = mix.shuffled() || mix.interleave() > 1;
        if (isMixed && starts[shards.size()] > Integer.MAX_VALUE) {
            throw new IllegalStateException("a shuffled order of " + starts[shards.size()] + " items has too many to be"
                    + " found by their places; leave out 'shuffle'");
        }
        return new PlacedItems<>(identity, shards, starts, isMixed ? same.apply(numbers) : null);
    }

    /// The items of one shard as their numbers.
    private record Numbers(long first, long items) implements RangedSource<Long> {
        @Override
        public boolean isRanged() {
            return true;
        }

        @Override
        public Cursor<Long> open(long epoch, Position from) {
            return open(epoch, from, items);
        }

        @Override
        public Cursor<Long> open(long epoch, Position from, long to) {
            return new Cursor<>() {
                private long next = from.index();

                @Override
                public boolean advance() {
                    if (next >= to) {
                        return false;
                    }
                    next++;
                    return true;
                }

                @Override
                public Long item() {
                    return first + next - 1;
                }

                @Override
                public Position position() {
                    return Position.at(next);
                }
            };
        }

        @Override
        public OptionalLong size() {
            return OptionalLong.of(items);
        }
    }

    /// Which item of all comes at each place of an epoch.
    private LongUnaryOperator order(long epoch) throws Exception {
        Source<Long> stream = mixed;
        if (stream == null) {
            return LongUnaryOperator.identity();
        }
        lock.lock();
        try {
            int[] known = orders.get(epoch);
            int[] order = known == null ? numbers(stream, epoch) : known;
            if (known == null) {
                orders.put(epoch, order);
                while (orders.size() > 1 && orders.size() * places() > KEPT) {
                    orders.pollFirstEntry();
                }
            }
            return place -> order[(int) place];
        } finally {
            lock.unlock();
        }
    }

    private int[] numbers(Source<Long> stream, long epoch) throws Exception {
        int[] order = new int[Math.toIntExact(places())];
        int place = 0;
        try (Cursor<Long> cursor = stream.open(epoch, Position.START)) {
            while (cursor.advance()) {
                order[place++] = Math.toIntExact(cursor.item());
            }
        }
        if (place != order.length) {
            throw new IllegalStateException("the order of epoch " + epoch + " of " + identity + " has " + place
                    + " places, not " + order.length);
        }
        return order;
    }

    @Override
    public Cursor<T> open(long epoch, Position from) throws Exception {
        if (!from.state().isEmpty() || from.index() < 0 || from.index() > places()) {
            throw new IllegalArgumentException(from + " is no place of " + identity);
        }
        return new AtPlaces(epoch, order(epoch), from.index());
    }

    @Override
    public OptionalLong size() {
        return OptionalLong.of(places());
    }

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public int worldSize() {
        return 1;
    }

    @Override
    public long places() {
        return starts[starts.length - 1];
    }

    @Override
    public String identity() {
        return identity + ", by place";
    }

    @Override
    public String toString() {
        return identity();
    }

    /// The shard with item `number` of all.
    private int shardOf(long number) {
        int shard = Arrays.binarySearch(starts, number);
        shard = shard < 0 ? -shard - 2 : shard;
        while (starts[shard + 1] == number) { // empty ones before it begin with the same number
            shard++;
        }
        return shard;
    }

    /// Reads items at neighboring places; a shard stays open as long as its items come one after the other.
    private final class AtPlaces implements Cursor<T> {
        private final long epoch;
        private final LongUnaryOperator order;
        private long place;
        private int shard = -1;
        /// How far the open shard may be read.
        private long end;
        private @Nullable Cursor<T> open;
        private @Nullable T item;

        AtPlaces(long epoch, LongUnaryOperator order, long place) {
            this.epoch = epoch;
            this.order = order;
            this.place = place;
        }

        @Override
        public boolean advance() throws Exception {
            if (place >= places()) {
                return false;
            }
            long number = order.applyAsLong(place);
            int in = shardOf(number);
            long wanted = number - starts[in];
            Cursor<T> cursor = open;
            if (cursor == null
                    || in != shard
                    || wanted >= end
                    || cursor.position().index() != wanted) {
                close();
                cursor = opened(in, wanted);
                open = cursor;
                shard = in;
            }
            boolean found = cursor.advance();
            if (!found || cursor.position().index() != wanted + 1) {
                if (found) {
                    Items.close(cursor.item());
                }
                throw new IllegalStateException(
                        "item " + wanted + " of " + shards.get(in).identity()
                                + " is not there, or was left out as broken, so that others have its place: items can't be"
                                + " found by their places. Make the shards again without it ('jspdl pack')");
            }
            item = cursor.item();
            place++;
            return true;
        }

        /// A neighbor is likely to come next only where nothing is mixed: else no more than one is asked for.
        private Cursor<T> opened(int in, long wanted) throws Exception {
            Position from = Position.at(wanted);
            if (shards.get(in) instanceof RangedSource<T> ranged && ranged.isRanged()) {
                end = mixed == null ? Math.min(wanted + NEIGHBORS, starts[in + 1] - starts[in]) : wanted + 1;
                return ranged.open(epoch, from, end);
            }
            end = Long.MAX_VALUE;
            return shards.get(in).open(epoch, from);
        }

        @Override
        public T item() {
            T taken = item;
            if (taken == null) {
                throw new IllegalStateException("an item is asked for once after each advance");
            }
            item = null;
            return taken;
        }

        @Override
        public Position position() {
            return Position.at(place);
        }

        @Override
        public void close() throws IOException {
            Cursor<T> last = open;
            open = null;
            if (last != null) {
                last.close();
            }
        }
    }
}
