package org.jspdl.source;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.jspdl.internal.Arguments;
import org.jspdl.source.internal.CostStrata;
import org.jspdl.source.internal.Mixing;
import org.jspdl.source.internal.WindowPlan;
import org.jspdl.source.internal.WindowPlan.Costs;
import org.jspecify.annotations.Nullable;

/// Batches that all cost about the same, or the share of them that falls to one rank, so that no rank waits for
/// another.
///
/// A batch has a budget that it never exceeds, such as 65,536 tokens, and other costs that are balanced, such as
/// squared lengths for attention, or the patches of images beside tokens of text. Which samples come together is a
/// function of the seed, the epoch and the costs: every rank computes it alone. Batches are dealt in windows of equal
/// composition, so any batch is found by dealing its window, and resuming and dealing to other ranks are arithmetic, as
/// with a [Sampler]. Every sample is in one batch of each epoch, and epochs have equally many batches.
///
/// ```java
/// BalancedBatchSampler batches = BalancedBatchSampler.of(lengths.length, tokens, 65_536, tokens.squared())
///         .shuffled(7).shard(rank, worldSize);
/// ```
///
/// Takes 4 bytes for each sample. Dealing takes about a nanosecond for each sample and batch of a window; with more
/// ranks than a window has batches, a rank deals a window for each of its batches. Immutable.
public final class BalancedBatchSampler implements RankedSource<IndexBatch> {
    /// Batches of a window: 16 steps of 8 ranks.
    private static final int WINDOW = 128;

    private final String name;
    private final Costs costs;
    private final int window;
    private final OptionalLong seed;
    private final WindowPlan plan;
    private final RankShare share;

    private BalancedBatchSampler(
            String name, Costs costs, int window, OptionalLong seed, WindowPlan plan, RankShare share) {
        this.name = name;
        this.costs = costs;
        this.window = window;
        this.seed = seed;
        this.plan = plan;
        this.share = share;
    }

    /// Batches in which no more than `budget` is counted, and which cost the same.
    ///
    /// @param size     how many samples there are
    /// @param count    what each sample counts against the budget: its tokens, or [SampleCost#each()] for batches
    ///     of so many samples
    /// @param balanced other costs, balanced as well; the first is balanced best
    /// @throws IllegalArgumentException if a sample counts more than the budget, or less than 0
    public static BalancedBatchSampler of(int size, SampleCost count, int budget, SampleCost... balanced) {
        Arguments.notNegative("size", size);
        Arguments.atLeastOne("budget", budget);
        int[] counts = new int[size];
        long hash = 17;
        for (int i = 0; i < size; i++) {
            long counted = count.of(i);
            if (counted < 0 || counted > budget) {
                throw new IllegalArgumentException("sample " + i + " counts " + counted + ", outside the budget of "
                        + budget + " of a batch; cut or leave out such samples, or raise the budget");
            }
            counts[i] = (int) counted;
            hash = Mixing.mix(hash + counted);
            for (SampleCost each : balanced) {
                long cost = each.of(i);
                if (cost < 0) {
                    throw new IllegalArgumentException("sample " + i + " costs " + cost + ", below 0");
                }
                hash = Mixing.mix(hash + cost);
            }
        }
        LongUnaryOperator second = balanced.length == 0 ? count::of : balanced[0]::of;
        Costs costs = new Costs(
                CostStrata.sorted(counts, second),
                count::of,
                budget,
                Arrays.stream(balanced)
                        .map(each -> (LongUnaryOperator) each::of)
                        .toList());
        String name = "balanced batches of " + budget + ", " + size + " samples, " + (1 + balanced.length) + " costs #"
                + Long.toHexString(hash);
        return create(name, costs, WINDOW, OptionalLong.empty(), null);
    }

    private static BalancedBatchSampler create(
            String name, Costs costs, int window, OptionalLong seed, @Nullable RankShare like) {
        WindowPlan plan = WindowPlan.of(costs, window);
        RankShare whole = RankShare.whole(plan.batches());
        return new BalancedBatchSampler(
                name, costs, window, seed, plan, like == null ? whole : like.resized(whole.size()));
    }

    /// The same, called by what the samples are of: a checkpoint is refused where they are others, although they
    /// cost the same.
    ///
    /// @param what the same as long as the samples are, wherever they lie
    public BalancedBatchSampler named(String what) {
        return new BalancedBatchSampler(name + " of " + what, costs, window, seed, plan, share);
    }

    /// The same, dealt in windows of about `batches` batches. A larger window spreads rare costly samples better,
    /// and takes longer to deal.
    public BalancedBatchSampler window(int batches) {
        Arguments.atLeastOne("batches", batches);
        return create(name, costs, batches, seed, share);
    }

    /// The same with other batches in each epoch, in another order.
    public BalancedBatchSampler shuffled(long newSeed) {
        return new BalancedBatchSampler(name, costs, window, OptionalLong.of(newSeed), plan, share);
    }

    /// The share of `rank` among `worldSize` ranks; a remainder of batches is dropped, unless [#even(Even)] says
    /// otherwise.
    public BalancedBatchSampler shard(int rank, int worldSize) {
        return new BalancedBatchSampler(name, costs, window, seed, plan, share.of(rank, worldSize));
    }

    /// The same, with ranks that match in this way.
    public BalancedBatchSampler even(Even how) {
        return new BalancedBatchSampler(name, costs, window, seed, plan, share.with(how));
    }

    @Override
    public Cursor<IndexBatch> open(long epoch, Position from) {
        long key = seed.isEmpty() ? 0 : Mixing.key(seed.getAsLong(), epoch) | 1;
        return share.open(
                new LongFunction<>() {
                    private long dealt = -1;
                    private long[][] batches = new long[0][];

                    @Override
                    public IndexBatch apply(long place) {
                        long number = place / plan.batchesPerWindow();
                        if (number != dealt) {
                            batches = plan.deal((int) number, key);
                            dealt = number;
                        }
                        return new IndexBatch(batches[(int) (place % plan.batchesPerWindow())], costs.budget());
                    }
                },
                from);
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
        return name + ", window " + window + (seed.isEmpty() ? "" : ", seed " + seed.getAsLong())
                + share.even().text();
    }

    @Override
    public String toString() {
        return identity() + (worldSize() == 1 ? "" : ".shard(" + rank() + ", " + worldSize() + ")");
    }
}
