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
import org.jspdl.source.Source;
import org.jspdl.source.Sources;

/// Batches of samples of shards that cost the same on all ranks, by what is known of each sample. Immutable.
///
/// Costs come from the index of the dataset, which `jspdl pack` and `jspdl index` write, or from one pass over the
/// shards ([#measuredBy]). With neither ([#withoutPass]) a rank balances what it reads by itself, and says so; of
/// several ranks only where they may end apart.
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
    private Map<String, Measured> functions = Map.of();
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

    /// A function that tells a cost, and which one it is.
    private record Measured(ToLongFunction<ShardSample> function, Optional<String> version) {}

    /// The same, asking `function` for a cost that the index does not have, in one pass over the shards for each
    /// run.
    ///
    /// @param function 0 or more, always the same of a sample; called by several threads; the sample stays the
    ///     caller's
    public BalancedShards measuredBy(String name, ToLongFunction<ShardSample> function) {
        return measuredBy(name, new Measured(requireNonNull(function, "function"), Optional.empty()));
    }

    /// The same with a pass that is remembered, for as long as all shards are the same.
    ///
    /// @param version which function it is: another function needs another version, or what this one told is taken
    ///     for what that one would. Some samples are asked again each time, and a difference is an error
    public BalancedShards measuredBy(String name, String version, ToLongFunction<ShardSample> function) {
        return measuredBy(name, new Measured(requireNonNull(function, "function"), Optional.of(version)));
    }

    private BalancedShards measuredBy(String name, Measured measured) {
        Map<String, Measured> all = new LinkedHashMap<>(functions);
        all.put(name, measured);
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
    /// @throws DatasetException if a cost is neither in the index nor told by a function, or ranks that balance by
    ///     themselves would get different numbers of batches and may not
    public Pipeline<List<ShardSample>> batches(StageOptions reading) throws IOException {
        Optional<List<SampleCosts>> costs = costs();
        return costs.isEmpty()
                ? alone(requireNonNull(functions.get(cost), cost).function)
                : Pipeline.from(unread(costs.get())).pipe("read", UnreadBatch::read, reading);
    }

    /// The batches before they are read. Places are those that all ranks share, as with a sampler.
    ///
    /// @throws DatasetException if a cost is neither in the index nor told by a function
    public Source<UnreadBatch> unread() throws IOException {
        Optional<List<SampleCosts>> costs = costs();
        if (costs.isEmpty()) {
            throw new DatasetException("without costs in the index of " + shards.getFirst() + " and without a pass, a"
                    + " rank balances what it has read: use batches(...)");
        }
        return unread(costs.get());
    }

    private Source<UnreadBatch> unread(List<SampleCosts> costs) throws IOException {
        SampleCosts counted = costs.getFirst();
        List<SampleCost> balanced = new ArrayList<>(costs.subList(1, costs.size()));
        if (squares) {
            balanced.addFirst(counted.squared());
        }
        IndexedSamples samples = IndexedSamples.of(Shards.open(storage, shards, options, pool));
        if (samples.size() != counted.size()) {
            throw new DatasetException("the shards have " + samples.size() + " samples and the index costs of "
                    + counted.size() + "; make it again with 'jspdl index'");
        }
        BalancedBatchSampler sampler = BalancedBatchSampler.of(
                        counted.size(), counted, budget, balanced.toArray(SampleCost[]::new))
                .named(samples.samples().identity());
        sampler = seed.isPresent() ? sampler.shuffled(seed.getAsLong()) : sampler;
        if (worldSize > 1) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "rank " + rank + " of " + worldSize + " deals " + sampler.identity()
                            + ": ranks whose numbers here differ would have samples twice and lack others");
        }
        return Sources.map(sampler.shard(rank, worldSize).even(even), batch -> new UnreadBatch(samples, batch));
    }

    /// What a batch is to hold.
    ///
    /// @param samples of all shards
    /// @param places  the numbers of those of this batch
    public record UnreadBatch(IndexedSamples samples, IndexBatch places) {
        /// Reads the samples, which are the caller's to close.
        ///
        /// @throws Exception if one cannot be read; none is left open
        public List<ShardSample> read() throws Exception {
            List<ShardSample> read = new ArrayList<>(places.size());
            try {
                for (long index : places.indices()) {
                    read.add(samples.get(index));
                }
                return read;
            } catch (Throwable failure) {
                Closeables.closeItem(read);
                throw failure;
            }
        }
    }

    /// What the budget counts, and what is balanced besides; empty if a rank is to balance by itself.
    private Optional<List<SampleCosts>> costs() throws IOException {
        if (budget < 1) {
            throw new IllegalArgumentException("a budget must be given: budget(\"bytes\", 1_000_000)");
        }
        List<SampleCosts> all = new ArrayList<>();
        Optional<SampleCosts> counted = costs(cost);
        if (counted.isEmpty()) {
            return Optional.empty();
        }
        all.add(counted.get());
        for (String other : others) {
            Optional<SampleCosts> found = costs(other);
            if (found.isEmpty()) {
                if (!functions.containsKey(cost)) {
                    throw new DatasetException("the cost '" + other + "' is told by a function and no pass is made to"
                            + " ask it of all samples, and a rank that balances by itself needs a function for '" + cost
                            + "', too: allow the pass, or say measuredBy(\"" + cost + "\", ...)");
                }
                return Optional.empty();
            }
            all.add(found.get());
        }
        return Optional.of(all);
    }

    /// Empty if a rank is to balance by itself.
    private Optional<SampleCosts> costs(String name) throws IOException {
        Optional<SampleCosts> indexed =
                options.where().isPresent() ? Optional.empty() : SampleCosts.find(storage, shards, name, pool);
        Measured measured = functions.get(name);
        if (indexed.isPresent() || (measured != null && !passes)) {
            return indexed;
        }
        if (measured == null) {
            throw new DatasetException(
                    "the index of " + shards.getFirst() + " has no cost '" + name + "' of each sample"
                            + " but " + SampleCosts.names(storage, shards, pool)
                            + "; make it with 'jspdl index' or 'jspdl pack', or say by measuredBy(...) what a sample costs");
        }
        return Optional.of(
                SampleCosts.measure(storage, shards, options, name, measured.version, measured.function, pool));
    }

    private Pipeline<List<ShardSample>> alone(ToLongFunction<ShardSample> function) throws IOException {
        if (worldSize > 1 && even != Even.UNEVEN) {
            throw new DatasetException("the index of " + shards.getFirst() + " has no cost '" + cost
                    + "' of each sample, and no pass is made to find it: ranks that balance by themselves get different"
                    + " numbers of batches, and training would hang. Make the index with 'jspdl index', or allow the"
                    + " pass, or say even(Even.UNEVEN) if ranks may end apart");
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "the index of " + shards.getFirst() + " has no cost '" + cost
                        + "' of each sample, and no pass is made to"
                        + " find it: batches are balanced within each rank only, so in each step ranks wait for the"
                        + " one whose batch costs most");
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
