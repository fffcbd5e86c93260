package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What 1 to 16 ranks get of every source in every way to match: as many as is promised, and each item as often.
class RanksMatchTest {
    private static final int MOST_RANKS = 16;

    static LongStream seeds() {
        return LongStream.range(0, Boolean.getBoolean("campaign") ? 2_000 : 20);
    }

    /// A source that ranks share.
    ///
    /// @param knows whether it knows how many items it has
    private record Dealt(String name, boolean knows, Shares shares) {}

    private interface Shares {
        Source<?> of(Even even, int rank, int worldSize) throws Exception;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyRankGetsWhatIsPromised(long seed) throws Exception {
        Random random = new Random(seed);
        long epoch = random.nextInt(3);
        for (Dealt dealt : sources(random)) {
            List<Object> all = read(dealt.shares.of(Even.COUNT, 0, 1), epoch);
            for (int worldSize = 1; worldSize <= MOST_RANKS; worldSize++) {
                for (Even even : Even.values()) {
                    if (dealt.knows || even != Even.COUNT || worldSize == 1) {
                        requireAsPromised(dealt, even, worldSize, epoch, all, "seed " + seed);
                    }
                }
            }
        }
    }

    private static void requireAsPromised(
            Dealt dealt, Even even, int worldSize, long epoch, List<Object> all, String seed) throws Exception {
        String what = dealt.name + ", " + all.size() + " items, " + even + ", " + worldSize + " ranks, " + seed;
        List<List<Object>> shares = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            Source<?> share = dealt.shares.of(even, rank, worldSize);
            List<Object> items = read(share, epoch);
            share.size().ifPresent(size -> assertThat(items).as(what).hasSize(Math.toIntExact(size)));
            assertThat(share.size().isPresent()).as(what).isEqualTo(dealt.knows);
            shares.add(items);
        }
        List<Object> together = shares.stream().flatMap(List::stream).toList();
        int each = all.size() / worldSize;
        int left = all.size() % worldSize;
        switch (even) {
            case COUNT, STOP_TOGETHER -> {
                assertThat(shares).as(what).allMatch(share -> share.size() == each);
                assertThat(together).as(what).doesNotHaveDuplicates().isSubsetOf(all);
            }
            case REPEAT -> {
                assertThat(shares).as(what).allMatch(share -> share.size() == each + (left > 0 ? 1 : 0));
                assertThat(new HashSet<>(together)).as(what).isEqualTo(new HashSet<>(all));
                Map<Object, Integer> times = new HashMap<>();
                together.forEach(item -> times.merge(item, 1, Integer::sum));
                int most = all.isEmpty() ? 0 : Math.ceilDiv(together.size(), all.size());
                assertThat(times.values()).as(what).allMatch(count -> count <= most);
            }
            case UNEVEN -> {
                assertThat(together).as(what).containsExactlyInAnyOrderElementsOf(all);
                if (dealt.knows) {
                    assertThat(shares).as(what).allMatch(share -> share.size() == each || share.size() == each + 1);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRankGoesOnAnywhereInAnyWay(long seed) throws Exception {
        Random random = new Random(seed);
        int worldSize = 1 + random.nextInt(MOST_RANKS);
        int rank = random.nextInt(worldSize);
        for (Dealt dealt : sources(random)) {
            for (Even even : Even.values()) {
                if (!dealt.knows && even == Even.COUNT) {
                    continue;
                }
                Source<?> share = dealt.shares.of(even, rank, worldSize);
                List<Object> whole = read(share, 1);
                try (Cursor<?> cursor = share.open(1, Position.START)) {
                    for (int taken = 1; cursor.advance(); taken++) {
                        cursor.item();
                        if (taken % 7 == 1 || taken == whole.size()) {
                            assertThat(Read.from(share, 1, cursor.position()).stream()
                                            .map(RanksMatchTest::named)
                                            .toList())
                                    .as("%s, %s, rank %d of %d, seed %d", dealt.name, even, rank, worldSize, seed)
                                    .isEqualTo(whole.subList(taken, whole.size()));
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void ranksThatAreNotUnevenMatchEverywhereAndUnevenOnesSayUpToWhere(long seed) throws Exception {
        Random random = new Random(seed);
        int worldSize = 2 + random.nextInt(MOST_RANKS - 1);
        for (boolean knows : new boolean[] {true, false}) {
            ShardStream<Long> stream = shards(random, knows);
            long least = Long.MAX_VALUE;
            for (int rank = 0; rank < worldSize; rank++) {
                ShardStream<Long> share = stream.shard(rank, worldSize).even(Even.UNEVEN);
                least = Math.min(least, Read.all(share, 0).size());
                assertThat(stream.shard(rank, worldSize).even(Even.REPEAT).everywhere())
                        .isEqualTo(Long.MAX_VALUE);
            }
            long everywhere = stream.shard(0, worldSize).even(Even.UNEVEN).everywhere();
            assertThat(everywhere).as("seed %d", seed).isEqualTo(knows ? least : 0);
        }
    }

    @Test
    void itemsOfOtherRanksAreClosedAndThoseHandedOutAreNot() throws Exception {
        List<Closing> made = Collections.synchronizedList(new ArrayList<>());
        List<Source<Closing>> shards = List.of(Sources.map(unsized(Sources.range(23)), number -> {
            Closing item = new Closing();
            made.add(item);
            return item;
        }));
        for (Even even : List.of(Even.STOP_TOGETHER, Even.REPEAT)) {
            made.clear();
            List<Closing> mine = Read.all(ShardStream.of(shards).shard(3, 5).even(even), 0);
            assertThat(mine).hasSize(even == Even.REPEAT ? 5 : 4).noneMatch(item -> item.closed);
            assertThat(made.stream().filter(item -> item.closed).count()).isEqualTo(made.size() - mine.size());
        }
    }

    private static final class Closing implements AutoCloseable {
        private boolean closed;

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void shardsThatCanBeCountedAreCounted() throws Exception {
        ShardStream<Long> stream = ShardStream.of(
                List.of(new Countable(unsized(Sources.range(7))), new Countable(unsized(Sources.range(4)))));

        assertThatThrownBy(() -> stream.shard(0, 2).open(0, Position.START))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'stop-together' or 'repeat'");
        for (int rank = 0; rank < 2; rank++) {
            assertThat(Read.all(stream.shard(rank, 2).counted(), 0)).hasSize(5);
        }
    }

    private record Countable(Source<Long> source) implements CountableSource<Long> {
        @Override
        public long count() {
            try {
                return Read.all(source, 0).size();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }

        @Override
        public Cursor<Long> open(long epoch, Position from) throws Exception {
            return source.open(epoch, from);
        }
    }

    private static List<Object> read(Source<?> source, long epoch) throws Exception {
        return Read.all(source, epoch).stream().map(RanksMatchTest::named).toList();
    }

    private static Object named(Object item) {
        return item instanceof IndexBatch batch ? Arrays.toString(batch.indices()) : item;
    }

    private static List<Dealt> sources(Random random) {
        int size = random.nextInt(120);
        long seed = random.nextLong();
        int[] lengths = random.ints(size, 1, 50).toArray();
        Subset subset = Subset.range(7, 7 + size);
        BatchSampler batches =
                BatchSampler.byTokens(lengths, 100).shuffled(seed).stepsOf(1 + random.nextInt(4));
        BalancedBatchSampler balanced = BalancedBatchSampler.of(size, SampleCost.of(lengths), 60)
                .window(3)
                .shuffled(seed);
        ShardStream<Long> known = shards(random, true);
        ShardStream<Long> unknown = shards(random, false);
        return List.of(
                sampler("sequential", Samplers.sequential(size)),
                sampler("shuffled", Samplers.shuffled(size, seed)),
                sampler("subset", Samplers.shuffled(size, seed).within(subset)),
                new Dealt(
                        "batches",
                        true,
                        (even, rank, ranks) -> batches.shard(rank, ranks).even(even)),
                new Dealt(
                        "balanced batches",
                        true,
                        (even, rank, ranks) -> balanced.shard(rank, ranks).even(even)),
                new Dealt(
                        "shards",
                        true,
                        (even, rank, ranks) -> known.shard(rank, ranks).even(even)),
                new Dealt(
                        "unknown shards",
                        false,
                        (even, rank, ranks) -> unknown.shard(rank, ranks).even(even)));
    }

    private static Dealt sampler(String name, Sampler whole) {
        return new Dealt(name, true, (even, rank, ranks) -> whole.even(even).shard(rank, ranks));
    }

    /// Up to 8 shards, some of them empty; no item is in two.
    private static ShardStream<Long> shards(Random random, boolean known) {
        int count = random.nextInt(8);
        int[] sizes = IntStream.generate(() -> random.nextInt(4) == 0 ? 0 : random.nextInt(40))
                .limit(count)
                .toArray();
        List<Source<Long>> shards = new ArrayList<>();
        for (int shard = 0; shard < count; shard++) {
            long first = Arrays.stream(sizes).limit(shard).asLongStream().sum();
            Source<Long> indexed = Sources.indexed(sizes[shard], index -> first + index);
            shards.add(known ? indexed : unsized(indexed));
        }
        if (!known && count == 0) {
            shards.add(unsized(Sources.range(0)));
        }
        ShardStream<Long> stream = ShardStream.of(shards);
        return random.nextBoolean() ? stream.shuffled(3).interleaved(3).window(10) : stream;
    }

    private static Source<Long> unsized(Source<Long> source) {
        return new Source<>() {
            @Override
            public Cursor<Long> open(long epoch, Position from) throws Exception {
                return source.open(epoch, from);
            }

            @Override
            public OptionalLong size() {
                return OptionalLong.empty();
            }
        };
    }
}
