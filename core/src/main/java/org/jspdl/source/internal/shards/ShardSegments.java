package org.jspdl.source.internal.shards;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspdl.source.Permutation;
import org.jspdl.source.Source;
import org.jspdl.source.internal.Mixing;
import org.jspecify.annotations.Nullable;

/// Which parts of which shards one rank reads in an epoch, in order: 40 bytes each, and more where items are left out.
///
/// @param all a part of a shard each
public record ShardSegments(List<Segment> all) {

    /// Items `from` to `to` - 1 of a shard; all from `from` on if `to` is the largest long.
    ///
    /// @param ordinal which it is, or is a part of, in the order common to all ranks
    /// @param items   which of these items, at least one; null for all
    public record Segment(
            int shard,
            int ordinal,
            long from,
            long to,
            @Nullable ItemRuns items) {
        ItemRuns runs() {
            return items == null ? ItemRuns.range(from, to) : items;
        }

        /// Those of its items that are `runs`.
        Segment only(ItemRuns runs) {
            return new Segment(shard, ordinal, from, to, runs.equals(ItemRuns.range(from, to)) ? null : runs);
        }

        /// The next of its items from number `number` on; the largest long if there is none.
        long next(long number) {
            return items == null ? Math.max(number, from) : items.next(number);
        }
    }

    /// What a rank reads in an epoch.
    ///
    /// @param all whether what all ranks read is meant
    public static ShardSegments of(List<? extends Source<?>> shards, ShardMix mix, long epoch, boolean all) {
        if (all) {
            return new ShardSegments(wholes(shards.size(), mix, epoch));
        }
        // one rank reads all shards, however many samples they have: asking for that may take requests
        boolean whole = mix.worldSize() == 1 && mix.block() == 0;
        OptionalLong total = whole ? OptionalLong.empty() : total(shards);
        List<Segment> ordered = ordered(shards, mix, epoch);
        if (total.isEmpty()) {
            List<Segment> dealt = new ArrayList<>();
            for (int place = mix.rank(); place < ordered.size(); place += mix.worldSize()) {
                dealt.add(ordered.get(place));
            }
            return new ShardSegments(dealt);
        }
        List<Segment> segments = new ArrayList<>();
        long first = mix.first(total.getAsLong());
        long end = first + mix.share(total.getAsLong());
        // what is filled up comes from a second pass, and from more of them if there are fewer items than ranks
        for (long passed = 0; passed < end; passed += total.getAsLong()) {
            add(segments, ordered, shards, first - passed, end - passed);
        }
        return new ShardSegments(segments);
    }

    /// The order common to all ranks: whole shards, or blocks.
    static List<Segment> ordered(List<? extends Source<?>> shards, ShardMix mix, long epoch) {
        return mix.block() > 0 ? blocks(shards, mix, epoch) : wholes(shards.size(), mix, epoch);
    }

    private static List<Segment> wholes(int shards, ShardMix mix, long epoch) {
        Permutation order = Permutation.of(shards, mix.seed(), epoch);
        List<Segment> ordered = new ArrayList<>(shards);
        for (int place = 0; place < shards; place++) {
            ordered.add(new Segment(mix.shuffled() ? (int) order.apply(place) : place, place, 0, Long.MAX_VALUE, null));
        }
        return ordered;
    }

    /// All blocks of all shards: those of a shard in an order of its own, spread evenly over the epoch from a place
    /// on that is drawn for it. So each shard has its share in any part of an epoch.
    private static List<Segment> blocks(List<? extends Source<?>> shards, ShardMix mix, long epoch) {
        record Placed(double place, int shard, long from, long to) {}
        List<Placed> placed = new ArrayList<>();
        long key = Mixing.key(mix.seed(), epoch);
        for (int shard = 0; shard < shards.size(); shard++) {
            long size = shards.get(shard).size().orElseThrow();
            long count = Math.ceilDiv(size, mix.block());
            Permutation order = Permutation.of(count, Mixing.draw(key, shard), epoch);
            double begin = Mixing.unit(Mixing.draw(~key, shard));
            for (long i = 0; i < count; i++) {
                long from = order.apply(i) * mix.block();
                placed.add(new Placed((i + begin) / count, shard, from, Math.min(size, from + mix.block())));
            }
        }
        placed.sort(Comparator.comparingDouble(Placed::place));
        List<Segment> blocks = new ArrayList<>(placed.size());
        for (Placed each : placed) {
            blocks.add(new Segment(each.shard, blocks.size(), each.from, each.to, null));
        }
        return blocks;
    }

    /// Adds the parts of what `ordered` holds that hold its items from `first` to `end` - 1.
    private static void add(
            List<Segment> segments, List<Segment> ordered, List<? extends Source<?>> shards, long first, long end) {
        long before = 0;
        for (Segment each : ordered) {
            long size = Math.min(each.to, shards.get(each.shard).size().orElseThrow()) - each.from;
            long from = each.from + Math.max(0, first - before);
            long to = each.from + Math.min(size, end - before);
            if (from < to) {
                segments.add(new Segment(each.shard, each.ordinal, from, to, null));
            }
            before += size;
        }
    }

    /// The items of all shards, if every shard knows how many it has.
    public static OptionalLong total(List<? extends Source<?>> shards) {
        long total = 0;
        for (Source<?> shard : shards) {
            if (shard.size().isEmpty()) {
                return OptionalLong.empty();
            }
            total = Math.addExact(total, shard.size().getAsLong());
        }
        return OptionalLong.of(total);
    }

    /// The numbers of the shards.
    public int[] order() {
        return all.stream().mapToInt(Segment::shard).toArray();
    }

    int count() {
        return all.size();
    }

    Segment get(int number) {
        return all.get(number);
    }
}
