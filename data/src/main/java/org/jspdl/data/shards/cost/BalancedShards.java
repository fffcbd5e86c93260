package org.jspdl.data.shards.cost;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.BalancedBatchSampler;
import org.jspdl.source.Even;
import org.jspdl.source.IndexBatch;
import org.jspdl.source.SampleCost;

/// Batches of samples of shards that cost the same on all ranks, by what is known of each sample. Immutable.
///
/// Costs come from the index of the dataset, which `jspdl pack` and `jspdl index` write, or from one pass over the
/// shards, which is remembered ([#measuredBy]). With neither ([#withoutPass]) a rank balances what it reads by itself,
/// and says so.
///
/// ```java
/// Pipeline<List<ShardSample>> batches = BalancedShards.of(storage, shards, ShardOptions.defaults(), pool)
///         .budget("txt.bytes", 65_536).squared().also("jpg.pixels")
///         .shuffled(7).shard(rank, worldSize)
///         .batches(StageOptions.io(16).inputOrder());
/// ```
public final class BalancedShards {
    private static final System.Logger LOG = System.getLogger(BalancedShards.class.getName());
    /// Samples among which a rank alone looks for those that fit together.
    private static final int ALONE = 1_024;

    private final Storage storage;
    private final List<Location> shards;
    private final ShardOptions options;
    private final BufferPool pool;
    // Written only by a method that has just made the object, before anybody else sees it.
    private String cost = "";
    private int budget;
    private boolean squares;
    private List<String> others = List.of();
    private Map<String, ToLongFunction<ShardSample>> functions = Map.of();
    private boolean passes = true;
    private OptionalLong seed = OptionalLong.empty();
    private int rank;
    private int worldSize = 1;
    private Even even = Even.COUNT;

    private BalancedShards(Storage storage, List<Location> shards, ShardOptions options, BufferPool pool) {
        this.storage = requireNonNull(storage, "storage");
        this.shards = List.copyOf(shards);
        this.options = requireNonNull(options, "options");
        this.pool = requireNonNull(pool, "pool");
    }

    /// Batches of what these shards hold; a [#budget] is to be given.
    ///
    /// @param pool for samples, and what is read to find them
    public static BalancedShards of(Storage storage, List<Location> shards, ShardOptions options, BufferPool pool) {
        return new BalancedShards(storage, shards, options, pool);
    }

    private interface Change {
        void of(BalancedShards copy);
    }

    private BalancedShards with(Change change) {
        BalancedShards copy = new BalancedShards(storage, shards, options, pool);
        copy.cost = cost;
        copy.budget = budget;
        copy.squares = squares;
        copy.others = others;
        copy.functions = functions;
        copy.passes = passes;
        copy.seed = seed;
        copy.rank = rank;
        copy.worldSize = worldSize;
        copy.even = even;
        change.of(copy);
        return copy;
    }

    /// The same with batches of which the samples cost `most` together, at most.
    ///
    /// @param name of the cost, as the index or [#measuredBy] calls it
    public BalancedShards budget(String name, int most) {
        return with(copy -> {
            copy.cost = name;
            copy.budget = most;
        });
    }

    /// The same, balancing the squares of what the budget counts, too: what attention costs.
    public BalancedShards squared() {
        return with(copy -> copy.squares = true);
    }

    /// The same, balancing other costs, too, such as pixels beside tokens.
    public BalancedShards also(String... names) {
        return with(copy -> copy.others = List.of(names));
    }

    /// The same, asking `function` for a cost that the index does not have.
    ///
    /// @param function 0 or more; called by several threads; the sample stays the caller's
    public BalancedShards measuredBy(String name, ToLongFunction<ShardSample> function) {
        Map<String, ToLongFunction<ShardSample>> all = new LinkedHashMap<>(functions);
        all.put(name, function);
        return with(copy -> copy.functions = all);
    }

    /// The same without a pass over the shards: where the index has no costs, each rank balances what it reads.
    public BalancedShards withoutPass() {
        return with(copy -> copy.passes = false);
    }

    /// The same with other batches in each epoch.
    public BalancedShards shuffled(long newSeed) {
        return with(copy -> copy.seed = OptionalLong.of(newSeed));
    }

    /// The share of one of several ranks.
    public BalancedShards shard(int newRank, int newWorldSize) {
        return with(copy -> {
            copy.rank = newRank;
            copy.worldSize = newWorldSize;
        });
    }

    /// The same, with ranks that match in this way.
    public BalancedShards even(Even how) {
        return with(copy -> copy.even = how);
    }

    /// The batches. Each is read by one call; its samples are the consumer's to close.
    ///
    /// @param reading how; in input order if runs are to have the same batches in the same order
    /// @throws DatasetException if a cost is neither in the index nor told by a function
    public Pipeline<List<ShardSample>> batches(StageOptions reading) throws IOException {
        if (budget < 1) {
            throw new IllegalArgumentException("a budget must be given: budget(\"bytes\", 1_000_000)");
        }
        Optional<SampleCosts> counted = costs(cost);
        if (counted.isEmpty()) {
            return alone(requireNonNull(functions.get(cost)));
        }
        List<SampleCost> balanced = new ArrayList<>();
        if (squares) {
            balanced.add(counted.get().squared());
        }
        for (String other : others) {
            Optional<SampleCosts> found = costs(other);
            if (found.isEmpty()) {
                return alone(requireNonNull(functions.get(cost), "functions"));
            }
            balanced.add(found.get());
        }
        IndexedSamples samples = IndexedSamples.of(Shards.open(storage, shards, options, pool));
        if (samples.size() != counted.get().size()) {
            throw new DatasetException("the shards have " + samples.size() + " samples and the index costs of "
                    + counted.get().size() + "; make it again with 'jspdl index'");
        }
        BalancedBatchSampler sampler = BalancedBatchSampler.of(
                Math.toIntExact(samples.size()), counted.get(), budget, balanced.toArray(SampleCost[]::new));
        sampler = seed.isPresent() ? sampler.shuffled(seed.getAsLong()) : sampler;
        return Pipeline.from(sampler.shard(rank, worldSize).even(even))
                .pipe("read", batch -> read(samples, batch), reading);
    }

    private static List<ShardSample> read(IndexedSamples samples, IndexBatch batch) throws Exception {
        List<ShardSample> read = new ArrayList<>(batch.size());
        try {
            for (long index : batch.indices()) {
                read.add(samples.get(index));
            }
            return read;
        } catch (Throwable failure) {
            Closeables.closeItem(read);
            throw failure;
        }
    }

    /// Empty if a rank is to balance by itself.
    private Optional<SampleCosts> costs(String name) throws IOException {
        Optional<SampleCosts> indexed =
                options.where().isPresent() ? Optional.empty() : SampleCosts.find(storage, shards, name, pool);
        ToLongFunction<ShardSample> function = functions.get(name);
        if (indexed.isPresent() || (function != null && !passes)) {
            return indexed;
        }
        if (function == null) {
            throw new DatasetException(
                    "the index of " + shards.getFirst() + " has no cost '" + name + "' of each sample"
                            + " but " + SampleCosts.names(storage, shards, pool)
                            + "; make it with 'jspdl index' or 'jspdl pack', or say by measuredBy(...) what a sample costs");
        }
        return Optional.of(SampleCosts.measure(storage, shards, options, name, function, pool));
    }

    private Pipeline<List<ShardSample>> alone(ToLongFunction<ShardSample> function) throws IOException {
        LOG.log(
                System.Logger.Level.WARNING,
                "the index of " + shards.getFirst() + " has no cost '" + cost
                        + "' of each sample, and no pass is made to"
                        + " find it: batches are balanced within each rank only, so in each step ranks wait for the"
                        + " one whose batch costs most, and may get different numbers of batches");
        var stream = Shards.open(storage, shards, options, pool);
        if (seed.isPresent()) {
            stream = Shards.shuffled(stream, seed.getAsLong(), 16, ALONE, 0);
        }
        return Pipeline.from(Shards.share(stream, rank, worldSize, even))
                .aggregate(
                        "balance",
                        FittingBatches.gatherer(function, cost, budget, ALONE),
                        GathererState.emptyAfterEmission());
    }
}
