package org.jspdl.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspdl.internal.Arguments;
import org.jspdl.source.internal.shards.PlacedItems;
import org.jspdl.source.internal.shards.ShardEpoch;
import org.jspdl.source.internal.shards.ShardMix;
import org.jspdl.source.internal.shards.ShardSegments;

/// The items of many shards, such as tar files, in a shuffled order that never holds more than a window of them.
///
/// Three steps mix the items, each if asked for: the order of the shards is drawn anew for each epoch; several shards
/// are read round-robin; and the items that come are shuffled within windows. While one window is handed out the next
/// one is filled, so that reading goes on evenly and at most `window` items wait. Everything depends on the seed and
/// the epoch alone.
///
/// A place in the stream says where the shards stood at the beginning of a window, so a checkpoint is small; going on
/// from it reads that window again. Items that wait are closed with the cursor if
/// they are `AutoCloseable`. Immutable.
///
/// Ranks: if all shards know their size, each rank gets the same number of items, which are neighbors in the epoch's
/// order of shards (the remainder is dropped); a rank skips the first part of a shard that it shares. If a shard does
/// not know its size, several ranks are refused, because unequal shares make distributed training hang: have them
/// [#counted], or say by [#even] what to do. A position within an epoch belongs to its rank. What ranks have left can
/// be [shared out][ElasticSource] to any other number of ranks: each gets equally many of the items that are left, or
/// one more, from as few shards as can be.
public final class ShardStream<T> implements ElasticSource<T> {
    private final List<? extends Source<T>> shards;
    private final ShardMix mix;
    private final ShardOrders orders;
    private final Map<Long, List<String>> shares;
    private final String name;
    private final String choice;

    private ShardStream(
            List<? extends Source<T>> shards,
            ShardMix mix,
            ShardOrders orders,
            Map<Long, List<String>> shares,
            String name,
            String choice) {
        this.name = name;
        this.choice = choice;
        this.shards = shards;
        this.mix = mix;
        this.orders = orders;
        this.shares = shares;
    }

    /// The items of `shards`, one shard after the other.
    ///
    /// @param shards can be read again, each by one epoch's cursor at a time
    public static <T> ShardStream<T> of(List<? extends Source<T>> shards) {
        for (int i = 0; i < shards.size(); i++) {
            if (shards.get(i).resume() == Resume.NONE) {
                throw new IllegalArgumentException("shard " + i + " can't be read again");
            }
        }
        return new ShardStream<>(
                List.copyOf(shards),
                new ShardMix(false, 0, 1, 1, 0, 0, 1, Even.COUNT),
                ShardOrders.UNHEARD,
                Map.of(),
                "",
                "");
    }

    /// The same, called by what its shards are: a checkpoint is refused where they are others.
    ///
    /// @param what the same as long as the shards are, wherever they lie
    public ShardStream<T> named(String what) {
        return new ShardStream<>(shards, mix, orders, shares, " " + what, choice);
    }

    /// The same, telling `listener` in which order shards are read.
    public ShardStream<T> telling(ShardOrders listener) {
        return new ShardStream<>(shards, mix, listener, shares, name, choice);
    }

    /// The same, of whose shards only some items are read: a checkpoint is refused where others are.
    ///
    /// @param what which ones, such as `where label = 3`
    public ShardStream<T> choosing(String what) {
        return new ShardStream<>(shards, mix, orders, shares, name, " " + what);
    }

    /// The same with other shards in the places of these.
    ///
    /// @param change makes the shard with a number of the one that was there; called once for each
    public ShardStream<T> changed(Change<T> change) {
        List<Source<T>> others = new ArrayList<>(shards.size());
        for (int i = 0; i < shards.size(); i++) {
            others.add(change.of(i, shards.get(i)));
        }
        return new ShardStream<>(others, mix, orders, shares, name, choice);
    }

    /// Makes a shard of another.
    @FunctionalInterface
    public interface Change<T> {
        /// The shard in place of `shard`, which is number `number` of the stream; it can be read again.
        Source<T> of(int number, Source<T> shard);
    }

    /// The same with an order of shards, and of the items in a window, that `seed` draws for each epoch.
    public ShardStream<T> shuffled(long seed) {
        return with(new ShardMix(
                true, seed, mix.interleave(), mix.window(), mix.block(), mix.rank(), mix.worldSize(), mix.even()));
    }

    /// The same, reading `open` shards round-robin.
    public ShardStream<T> interleaved(int open) {
        Arguments.atLeastOne("open", open);
        return with(new ShardMix(
                mix.shuffled(), mix.seed(), open, mix.window(), mix.block(), mix.rank(), mix.worldSize(), mix.even()));
    }

    /// The same with items shuffled within windows of `items`; needs [#shuffled].
    public ShardStream<T> window(int items) {
        Arguments.atLeastOne("items", items);
        return with(new ShardMix(
                mix.shuffled(),
                mix.seed(),
                mix.interleave(),
                items,
                mix.block(),
                mix.rank(),
                mix.worldSize(),
                mix.even()));
    }

    /// The same, shuffling over all shards: each is cut into blocks of `items` neighbors, the blocks of all shards
    /// are put into one order in which each shard has its share everywhere, and they are mixed in windows as shards
    /// are. So a batch has items of as many shards as a window has blocks; a window of twice as many blocks as
    /// there are shards has all of them. Each block is fetched by itself; as many as are [#interleaved] are open,
    /// and as many again on their way. Needs [#shuffled] and [#canUseBlocks].
    public ShardStream<T> blocks(int items) {
        Arguments.atLeastOne("items", items);
        return with(new ShardMix(
                mix.shuffled(),
                mix.seed(),
                mix.interleave(),
                mix.window(),
                items,
                mix.rank(),
                mix.worldSize(),
                mix.even()));
    }

    /// Whether all shards can be read in blocks; asks those that must look for an index.
    public boolean canUseBlocks() {
        return shards.stream().allMatch(shard -> shard instanceof RangedSource<?> ranged && ranged.isRanged());
    }

    /// How many shards an epoch takes its items from at any time, before they are shuffled within a window: all if
    /// blocks of all shards are read and a window has as many, else those that are read at once.
    public int mixedShards() {
        long atOnce = mix.block() == 0
                ? mix.interleave()
                : Math.max(mix.interleave(), Math.ceilDiv(mix.window(), mix.block()));
        return (int) Math.min(atOnce, shards.size());
    }

    /// The share of `rank` among `worldSize` ranks.
    public ShardStream<T> shard(int rank, int worldSize) {
        Arguments.rank(rank, worldSize);
        return with(new ShardMix(
                mix.shuffled(), mix.seed(), mix.interleave(), mix.window(), mix.block(), rank, worldSize, mix.even()));
    }

    /// The same, with ranks that match in this way.
    public ShardStream<T> even(Even how) {
        return with(mix.with(how));
    }

    /// The same, in which all shards know how many items they have: those that do not, and are [countable][
    /// CountableSource], are asked, which may take as long as reading them.
    public ShardStream<T> counted() throws IOException {
        if (ShardSegments.total(shards).isPresent()) {
            return this;
        }
        List<Source<T>> known = new ArrayList<>(shards.size());
        for (Source<T> shard : shards) {
            known.add(
                    shard.size().isEmpty() && shard instanceof CountableSource<T> countable
                            ? new Counted<>(shard, countable.count())
                            : shard);
        }
        return new ShardStream<>(known, mix, orders, shares, name, choice);
    }

    /// A shard whose items were counted.
    private record Counted<T>(Source<T> shard, long items) implements CountableSource<T> {
        @Override
        public long count() {
            return items;
        }

        @Override
        public String selection() {
            return ShardStream.selection(shard);
        }

        @Override
        public Cursor<T> open(long epoch, Position from) throws Exception {
            return shard.open(epoch, from);
        }

        @Override
        public OptionalLong size() {
            return OptionalLong.of(items);
        }

        @Override
        public String identity() {
            return shard.identity();
        }

        @Override
        public Resume resume() {
            return shard.resume();
        }
    }

    /// The same items in the same orders, each found by its place: for who wants some places of an epoch only, such
    /// as a part of a job over many machines. An order that is shuffled takes 4 bytes an item of memory, and is
    /// computed once for an epoch without reading a shard.
    ///
    /// @throws IllegalStateException if it is the share of one of several ranks, or a shard does not know its size
    ///     or where its items are, or has fewer than it has places; the message says what to do
    public RankedSource<T> placed() {
        return PlacedItems.of(
                identity(),
                shards,
                mix,
                choice,
                of -> new ShardStream<>(of, mix, ShardOrders.UNHEARD, Map.of(), "", ""));
    }

    /// Refuses ranks that would get different numbers of items. [#open] does the same; call this to know it
    /// earlier.
    ///
    /// @throws IllegalStateException if there are several ranks, a shard does not know its size, and [#even] does
    ///     not say what to do about it; the message says what to do
    public void requireEqualShares() {
        if (mix.worldSize() == 1 || mix.even() != Even.COUNT) {
            return;
        }
        for (Source<T> shard : shards) {
            if (shard.size().isEmpty()) {
                throw new IllegalStateException("the " + mix.worldSize()
                        + " ranks would get different numbers of samples, because one of the shards ("
                        + shard.identity()
                        + ") does not say how many it has. Write an index beside every tar ('jspdl index SHARDS'),"
                        + " convert other formats ('jspdl pack SHARDS --to FOLDER'), or say how ranks match: even"
                        + " 'stop-together' or 'repeat', by which every rank reads all shards, or 'uneven' for"
                        + " validation only: in training, ranks would wait for each other indefinitely");
            }
        }
    }

    /// Whether every rank reads all shards, and keeps each n-th item; one rank alone all of them.
    private boolean takesTurns() {
        return mix.even().takesTurns() && ShardSegments.total(shards).isEmpty();
    }

    /// How many items of an epoch no rank has fewer of, as far as that is known: all of them, unless [Even#UNEVEN].
    public long everywhere() {
        if (mix.worldSize() == 1 || mix.even() != Even.UNEVEN) {
            return Long.MAX_VALUE;
        }
        return ShardSegments.total(shards).orElse(0) / mix.worldSize();
    }

    private ShardStream<T> with(ShardMix newMix) {
        return new ShardStream<>(shards, newMix, orders, shares, name, choice);
    }

    @Override
    public Cursor<T> open(long epoch, Position from) throws Exception {
        requireEqualShares();
        if (mix.block() > 0 && !(mix.shuffled() && canUseBlocks())) {
            throw new IllegalStateException(
                    "blocks need shuffled shards, all of which can be read at any sample: tar files"
                            + " with an index beside each ('jspdl index SHARDS')");
        }
        return epoch(epoch).open(from);
    }

    private ShardEpoch<T> epoch(long epoch) {
        return new ShardEpoch<>(shards, mix, orders, epoch, takesTurns(), shares.getOrDefault(epoch, List.of()));
    }

    @Override
    public ShardStream<T> sharing(Map<Long, List<String>> newShares) {
        return new ShardStream<>(shards, mix, orders, Map.copyOf(newShares), name, choice);
    }

    @Override
    public String owner(Position place) {
        return ShardEpoch.owner(place);
    }

    @Override
    public List<String> share(long epoch, List<Left> left, List<Position> apart) throws Exception {
        requireEqualShares();
        return epoch(epoch).share(left, apart);
    }

    @Override
    public int rank() {
        return mix.rank();
    }

    @Override
    public int worldSize() {
        return mix.worldSize();
    }

    /// The number of items on this rank, if all shards know theirs.
    @Override
    public OptionalLong size() {
        OptionalLong total = ShardSegments.total(shards);
        return total.isEmpty() ? total : OptionalLong.of(mix.share(total.getAsLong()));
    }

    @Override
    public Resume resume() {
        return Resume.REPLAY;
    }

    private static String selection(Source<?> shard) {
        return shard instanceof CountableSource<?> countable ? countable.selection() : "";
    }

    @Override
    public String identity() {
        return shards.size() + " shards"
                + (size().isPresent() ? " of " + ShardSegments.total(shards).getAsLong() : "")
                + name
                + choice
                + (mix.shuffled() ? ".shuffled(" + mix.seed() + ")" : "")
                + (mix.interleave() == 1 ? "" : ".interleaved(" + mix.interleave() + ")")
                + (mix.block() == 0 ? "" : ".blocks(" + mix.block() + ")")
                + (mix.window() == 1 ? "" : ".window(" + mix.window() + ")")
                + shards.stream().map(ShardStream::selection).collect(Collectors.joining())
                + mix.even().text();
    }

    @Override
    public String toString() {
        return identity() + (mix.worldSize() == 1 ? "" : ".shard(" + mix.rank() + ", " + mix.worldSize() + ")");
    }
}
