package org.jspdl.pipeline.resume;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Permutation;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;

/// What the killed processes run, over a sampler whose items can be told apart.
enum KilledRecipe {
    /// One rank in input order: the sequence is checked.
    ORDERED {
        @Override
        Pipeline<String> share(int rank, int worldSize, Tuning tuning) {
            return chain(SAMPLER.shard(rank, worldSize), Order.INPUT, tuning);
        }
    },
    /// One rank in completion order through a mix, a route and elements of batches: the multiset is checked.
    MIXED {
        @Override
        Pipeline<String> share(int rank, int worldSize, Tuning tuning) {
            Pipeline<String> other =
                    Pipeline.from(Samplers.sequential(SIZE / 4)).map(item -> "other " + item);
            return Pipeline.mix(4, 1, 2)
                    .<String>of(StoppingStrategy.ALL_EXHAUSTED, chain(SAMPLER, Order.COMPLETION, tuning), other)
                    .route("way", item -> item.hashCode() % 2)
                    .when(0, way -> way.pipe("even", Tuning.uneven(item -> item), tuning.options(Order.COMPLETION)))
                    .otherwise(way -> way.batch(5, Remainder.KEEP).unbatch(Tuning.elements()))
                    .merge();
        }
    },
    /// A changing number of ranks in input order: the multiset is checked, and the order of each rank.
    RANKS {
        @Override
        Pipeline<String> share(int rank, int worldSize, Tuning tuning) {
            return Pipeline.from(SAMPLER.shard(rank, worldSize))
                    .pipeSeeded(
                            "augment",
                            (item, random) -> item + " " + random.nextInt(1_000),
                            tuning.options(Order.INPUT))
                    .prefetch(tuning.sink());
        }
    },
    /// A changing number of ranks over shuffled shards, of which items are divided and packed: the multiset is
    /// checked.
    SHARDS {
        @Override
        Pipeline<String> share(int rank, int worldSize, Tuning tuning) {
            return Pipeline.from(SHARDED.shard(rank, worldSize))
                    .pipe("work", Tuning.uneven(item -> item), tuning.options(Order.COMPLETION))
                    .<String>flatMap(
                            "copies", item -> List.of(item + " a", item + " b"), tuning.options(Order.COMPLETION))
                    .batch(7, Remainder.KEEP)
                    .unbatch(Tuning.elements())
                    .prefetch(tuning.sink());
        }
    };

    /// A multiple of every number of ranks.
    static final int SIZE = Campaign.scale(12_000, 24_000);

    static final int EPOCHS = 2;
    private static final long SEED = 9;
    private static final Sampler SAMPLER = Samplers.shuffled(SIZE, SEED);
    private static final ShardStream<Long> SHARDED =
            ShardStream.of(shards()).shuffled(SEED).interleaved(4).window(100);

    private static List<Source<Long>> shards() {
        List<Source<Long>> shards = new ArrayList<>();
        for (long first = 0; first < SIZE; first += SIZE / 40) {
            long from = first;
            shards.add(Sources.indexed(SIZE / 40, index -> from + index));
        }
        return shards;
    }

    boolean changesRanks() {
        return this == RANKS || this == SHARDS;
    }

    /// The pipeline of one rank. Everything but `tuning` is the same in every process.
    abstract Pipeline<String> share(int rank, int worldSize, Tuning tuning);

    private static Pipeline<String> chain(Sampler sampler, Order order, Tuning tuning) {
        Pipeline<List<String>> batches = Pipeline.from(sampler)
                .<String>pipeSeeded(
                        "augment", (item, random) -> item + " " + random.nextInt(1_000), tuning.options(order))
                .batch(8, Remainder.KEEP);
        return batches.pipe("stack", Tuning.uneven(batch -> batch), tuning.options(order))
                .<String>unbatch(Tuning.elements())
                .flatMap("copies", item -> List.of(item + " a", item + " b"), tuning.options(order))
                .prefetch(tuning.sink());
    }

    /// By item, its place in the order of `epoch` that is common to all ranks.
    static long[] places(long epoch) {
        Permutation permutation = Permutation.of(SIZE, SEED, epoch);
        long[] places = new long[SIZE];
        for (int place = 0; place < SIZE; place++) {
            places[(int) permutation.apply(place)] = place;
        }
        return places;
    }
}
