package org.jspdl.source;

import java.util.List;
import java.util.OptionalLong;

/// The items of many shards, such as tar files, in a shuffled order that never holds more than a window of them.
///
/// Three steps mix the items, each if asked for: the order of the shards is drawn anew for each epoch; several shards
/// are read by turns; and the items that come are shuffled within windows. While one window is handed out the next one
/// is filled, so that reading goes on evenly and at most `window` items wait. Everything depends on the seed and the
/// epoch alone.
///
/// A place in the stream says where the shards stood at the beginning of a window, so a checkpoint is small; going on
/// from it reads that window again, at most twice `window` items. Items that wait are closed with the cursor if
/// they are `AutoCloseable`. Immutable.
///
/// Ranks: if all shards know their size, the items are dealt in equal parts, as neighbours in the epoch's order of
/// shards (the remainder is dropped); a rank passes over the first part of a shard that it shares. If not, whole shards
/// are dealt, and the ranks get unequally many items. A place within an epoch belongs to its rank; another number of
/// ranks can take over at the beginning of an epoch.
public final class ShardStream<T> implements Source<T> {
    private final List<? extends Source<T>> shards;
    private final Mix mix;

    /// How a stream is mixed and dealt.
    record Mix(boolean shuffled, long seed, int interleave, int window, int rank, int worldSize) {}

    private ShardStream(List<? extends Source<T>> shards, Mix mix) {
        this.shards = shards;
        this.mix = mix;
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
        return new ShardStream<>(List.copyOf(shards), new Mix(false, 0, 1, 1, 0, 1));
    }

    /// The same with an order of shards, and of the items in a window, that `seed` draws for each epoch.
    public ShardStream<T> shuffled(long seed) {
        return with(new Mix(true, seed, mix.interleave, mix.window, mix.rank, mix.worldSize));
    }

    /// The same, reading `open` shards by turns.
    public ShardStream<T> interleaved(int open) {
        Checks.atLeastOne("open", open);
        return with(new Mix(mix.shuffled, mix.seed, open, mix.window, mix.rank, mix.worldSize));
    }

    /// The same with items shuffled within windows of `items`; needs [#shuffled].
    public ShardStream<T> window(int items) {
        Checks.atLeastOne("items", items);
        return with(new Mix(mix.shuffled, mix.seed, mix.interleave, items, mix.rank, mix.worldSize));
    }

    /// The share of `rank` among `worldSize` ranks.
    public ShardStream<T> shard(int rank, int worldSize) {
        Checks.rank(rank, worldSize);
        return with(new Mix(mix.shuffled, mix.seed, mix.interleave, mix.window, rank, worldSize));
    }

    private ShardStream<T> with(Mix newMix) {
        return new ShardStream<>(shards, newMix);
    }

    @Override
    public Cursor<T> open(long epoch, Position from) throws Exception {
        return WindowCursor.open(shards, Segments.of(shards, mix, epoch), mix, epoch, from);
    }

    /// The number of items, if all shards know theirs.
    @Override
    public OptionalLong size() {
        OptionalLong total = Segments.total(shards);
        return total.isEmpty() ? total : OptionalLong.of(total.getAsLong() / mix.worldSize);
    }

    @Override
    public Resume resume() {
        return Resume.REPLAY;
    }

    @Override
    public String identity() {
        return shards.size() + " shards"
                + (size().isPresent() ? " of " + Segments.total(shards).getAsLong() : "")
                + (mix.shuffled ? ".shuffled(" + mix.seed + ")" : "")
                + (mix.interleave == 1 ? "" : ".interleaved(" + mix.interleave + ")")
                + (mix.window == 1 ? "" : ".window(" + mix.window + ")");
    }

    @Override
    public String toString() {
        return identity() + (mix.worldSize == 1 ? "" : ".shard(" + mix.rank + ", " + mix.worldSize + ")");
    }
}
