package org.jspdl.source;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Which parts of which shards one rank reads in an epoch, in order: 12 to 24 bytes for each shard it reads.
///
/// @param all a part of a shard each
record ShardSegments(List<Segment> all) {

    /// Items `from` to `to` - 1 of a shard; all from `from` on if `to` is the largest long.
    record Segment(int shard, long from, long to) {}

    static ShardSegments of(List<? extends Source<?>> shards, ShardStream.Mix mix, long epoch) {
        Permutation order = Permutation.of(shards.size(), mix.seed(), epoch);
        List<Segment> segments = new ArrayList<>();
        // one rank reads all shards, however many samples they have: asking for that may take requests
        OptionalLong total = mix.worldSize() == 1 ? OptionalLong.empty() : total(shards);
        long share = share(total.orElse(0), mix);
        long first = first(total.orElse(0), mix);
        long before = 0;
        for (int place = 0; place < shards.size(); place++) {
            int shard = mix.shuffled() ? (int) order.apply(place) : place;
            if (total.isEmpty()) {
                if (place % mix.worldSize() == mix.rank()) {
                    segments.add(new Segment(shard, 0, Long.MAX_VALUE));
                }
                continue;
            }
            long size = shards.get(shard).size().orElseThrow();
            long from = Math.max(0, first - before);
            long to = Math.min(size, first + share - before);
            if (from < to) {
                segments.add(new Segment(shard, from, to));
            }
            before += size;
        }
        return new ShardSegments(segments);
    }

    /// How many of `total` items a rank gets.
    static long share(long total, ShardStream.Mix mix) {
        return total / mix.worldSize() + (mix.uneven() && mix.rank() < total % mix.worldSize() ? 1 : 0);
    }

    private static long first(long total, ShardStream.Mix mix) {
        long more = mix.uneven() ? Math.min(mix.rank(), total % mix.worldSize()) : 0;
        return total / mix.worldSize() * mix.rank() + more;
    }

    /// The items of all shards, if every shard knows how many it has.
    static OptionalLong total(List<? extends Source<?>> shards) {
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
    int[] order() {
        return all.stream().mapToInt(Segment::shard).toArray();
    }

    int count() {
        return all.size();
    }

    Segment get(int number) {
        return all.get(number);
    }
}
