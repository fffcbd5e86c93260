package org.jspdl.source;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspdl.internal.Arguments;
import org.jspdl.source.internal.ItemGroups;
import org.jspdl.source.internal.Mixing;

/// Batches of items of similar length, or the share of them that falls to one rank.
///
/// Immutable; any batch is computed at once, so resuming and dealing to other ranks are arithmetic, as with a
/// [Sampler]. Every item is in one batch of each epoch. Takes 4 bytes for each item. An epoch has equally many batches
/// whatever its order, and so has every rank.
///
/// ```java
/// BatchSampler batches = BatchSampler.byTokens(lengths, 16_384).shuffled(7).shard(rank, worldSize);
/// ```
public final class BatchSampler implements RankedSource<IndexBatch> {
    private static final double GROWTH = 1.1;

    private final ItemGroups members;
    private final LengthBuckets buckets;
    private final int[] sizes;
    private final long[] ends;
    private final String name;
    private final OptionalLong seed;
    private final int step;
    private final RankShare share;

    private BatchSampler(
            ItemGroups members,
            LengthBuckets buckets,
            int[] sizes,
            long[] ends,
            String name,
            OptionalLong seed,
            int step,
            RankShare share) {
        this.members = members;
        this.buckets = buckets;
        this.sizes = sizes;
        this.ends = ends;
        this.name = name;
        this.seed = seed;
        this.step = step;
        this.share = share;
    }

    /// Batches of `size` items from one bucket; the last of each bucket may hold fewer.
    ///
    /// @param lengths the length of every item; none above the last bucket
    public static BatchSampler byLength(int[] lengths, int size, LengthBuckets buckets) {
        Arguments.atLeastOne("size", size);
        int[] sizes = new int[buckets.count()];
        Arrays.fill(sizes, size);
        return create(lengths, buckets, sizes, "batches of " + size + " by length, " + buckets);
    }

    /// Batches as large as `tokens` allows when every item is padded to the largest length of its bucket; buckets
    /// grow by 10 %.
    ///
    /// @param lengths the length of every item; none above `tokens`
    public static BatchSampler byTokens(int[] lengths, int tokens) {
        Arguments.atLeastOne("tokens", tokens);
        int longest = Math.max(1, Arrays.stream(lengths).max().orElse(1));
        return byTokens(lengths, tokens, LengthBuckets.growing(Math.min(8, longest), longest, GROWTH));
    }

    /// As [#byTokens(int[], int)], with these buckets; those above `tokens` must be empty.
    public static BatchSampler byTokens(int[] lengths, int tokens, LengthBuckets buckets) {
        Arguments.atLeastOne("tokens", tokens);
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] > tokens) {
                throw new IllegalArgumentException("item " + i + " has a length of " + lengths[i] + ", above the "
                        + tokens + " tokens of a batch; cut or leave out such items, or raise the budget");
            }
            int bucket = buckets.of(Math.max(0, lengths[i]));
            if (bucket < buckets.count() && buckets.limit(bucket) > tokens) {
                throw new IllegalArgumentException("item " + i + " has a length of " + lengths[i]
                        + " and would be padded to " + buckets.limit(bucket) + ", above the " + tokens
                        + " tokens of a batch; end a bucket at " + tokens + ", or raise the budget");
            }
        }
        int[] sizes = new int[buckets.count()];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = Math.max(1, tokens / buckets.limit(i));
        }
        return create(lengths, buckets, sizes, "batches of " + tokens + " tokens, " + buckets);
    }

    private static BatchSampler create(int[] lengths, LengthBuckets buckets, int[] sizes, String name) {
        int[] groups = new int[lengths.length];
        for (int i = 0; i < lengths.length; i++) {
            groups[i] = buckets.of(lengths[i]);
            if (lengths[i] < 0 || groups[i] == buckets.count()) {
                throw new IllegalArgumentException("item " + i + " has a length of " + lengths[i]
                        + ", outside the buckets, which end at " + buckets.limit(buckets.count() - 1));
            }
        }
        ItemGroups members = ItemGroups.of(groups, buckets.count());
        long[] ends = new long[buckets.count()];
        long batches = 0;
        for (int i = 0; i < ends.length; i++) {
            batches += Math.ceilDiv(members.size(i), sizes[i]);
            ends[i] = batches;
        }
        String identity = name + ", " + lengths.length + " lengths #" + Integer.toHexString(Arrays.hashCode(lengths));
        return new BatchSampler(
                members, buckets, sizes, ends, identity, OptionalLong.empty(), 1, RankShare.whole(batches));
    }

    /// The same with other batches in each epoch, in another order: the items of a bucket are shuffled, and then
    /// the batches of all buckets. Without it, batches come from the shortest to the longest.
    public BatchSampler shuffled(long newSeed) {
        return with(OptionalLong.of(newSeed), step, share);
    }

    /// The same, shuffled so that each run of `ranks` batches comes from one bucket, or from neighbors where one
    /// ends: the ranks of a step pad to about the same length, and none waits for another.
    public BatchSampler stepsOf(int ranks) {
        Arguments.atLeastOne("ranks", ranks);
        return with(seed, ranks, share);
    }

    /// The share of `rank` among `worldSize` ranks; a remainder of batches is dropped, unless [#even(Even)] says
    /// otherwise.
    public BatchSampler shard(int rank, int worldSize) {
        return with(seed, step, share.of(rank, worldSize));
    }

    /// The same, with ranks that match in this way.
    public BatchSampler even(Even how) {
        return with(seed, step, share.with(how));
    }

    private BatchSampler with(OptionalLong newSeed, int newStep, RankShare newShare) {
        return new BatchSampler(members, buckets, sizes, ends, name, newSeed, newStep, newShare);
    }

    @Override
    public Cursor<IndexBatch> open(long epoch, Position from) {
        if (seed.isEmpty()) {
            return share.open(place -> batch(place, (bucket, number) -> number), from);
        }
        LongUnaryOperator order = StepOrder.of(share.size(), step, seed.getAsLong(), epoch);
        Permutation[] within = new Permutation[buckets.count()];
        for (int i = 0; i < within.length; i++) {
            within[i] = Permutation.of(members.size(i), Mixing.draw(seed.getAsLong(), i), epoch);
        }
        return share.open(
                place -> batch(order.applyAsLong(place), (bucket, number) -> (int) within[bucket].apply(number)), from);
    }

    private IndexBatch batch(long number, InBucket order) {
        int found = Arrays.binarySearch(ends, number);
        int bucket = found < 0 ? -found - 1 : found + 1;
        while (members.size(bucket) == 0) {
            bucket++; // empty buckets end where the one before them does
        }
        long before = bucket == 0 ? 0 : ends[bucket - 1];
        int first = Math.toIntExact((number - before) * sizes[bucket]);
        long[] indices = new long[Math.min(sizes[bucket], members.size(bucket) - first)];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = members.item(bucket, order.item(bucket, first + i));
        }
        return new IndexBatch(indices, buckets.limit(bucket));
    }

    /// Which item of a bucket stands at a place of it.
    @FunctionalInterface
    private interface InBucket {
        int item(int bucket, int place);
    }

    @Override
    public OptionalLong size() {
        return share.perRank();
    }

    @Override
    public int rank() {
        return share.rank();
    }

    @Override
    public int worldSize() {
        return share.worldSize();
    }

    @Override
    public long places() {
        return share.places();
    }

    @Override
    public String identity() {
        return name
                + (seed.isEmpty() ? "" : ", seed " + seed.getAsLong())
                + (step == 1 ? "" : ", steps of " + step)
                + share.even().text();
    }

    @Override
    public String toString() {
        return identity() + (worldSize() == 1 ? "" : ".shard(" + rank() + ", " + worldSize() + ")");
    }
}
