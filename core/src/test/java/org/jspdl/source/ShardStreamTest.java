package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShardStreamTest {

    static LongStream seeds() {
        return LongStream.range(0, 80);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyItemComesOnceHoweverTheyAreMixedAndReadingGoesOnAnywhere(long seed) throws Exception {
        Random random = new Random(seed);
        int size = random.nextInt(200);
        ShardStream<Long> stream = stream(random, size);
        List<Long> whole = Read.all(stream, 1);

        assertThat(whole)
                .as("seed %d, %s", seed, stream)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, size).boxed().toList());
        try (Cursor<Long> cursor = stream.open(1, Position.START)) {
            for (int taken = 1; cursor.advance(); taken++) {
                cursor.item();
                assertThat(Read.from(stream, 1, cursor.position()))
                        .as("seed %d, %s, %s", seed, stream, cursor.position())
                        .isEqualTo(whole.subList(taken, size));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void ranksOfShardsWithKnownSizesGetEqualPartsWithoutOverlap(long seed) throws Exception {
        Random random = new Random(seed);
        int size = random.nextInt(200);
        int worldSize = 1 + random.nextInt(7);
        ShardStream<Long> stream = stream(random, size);
        List<Long> together = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            List<Long> share = Read.all(stream.shard(rank, worldSize), 3);
            assertThat(share).hasSize(size / worldSize);
            together.addAll(share);
        }
        assertThat(together).as("seed %d, %s", seed, stream).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void unevenRanksGetEveryItemOfShardsWithKnownSizes(long seed) throws Exception {
        Random random = new Random(seed);
        int size = random.nextInt(200);
        int worldSize = 1 + random.nextInt(7);
        ShardStream<Long> stream = stream(random, size).even(Even.UNEVEN);
        List<Long> together = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            ShardStream<Long> share = stream.shard(rank, worldSize);
            List<Long> items = Read.all(share, 3);
            assertThat(share.size()).hasValue(items.size());
            assertThat(items.size()).isBetween(size / worldSize, size / worldSize + 1);
            together.addAll(items);
        }
        assertThat(together)
                .as("seed %d, %s", seed, stream)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, size).boxed().toList());
    }

    private static List<Source<Long>> unsized(int... sizes) {
        List<Source<Long>> shards = new ArrayList<>();
        long next = 0;
        for (int size : sizes) {
            long first = next;
            next += size;
            Iterable<Long> items =
                    LongStream.range(first, next).boxed().collect(Collectors.toCollection(LinkedHashSet::new));
            shards.add(Sources.of(items));
        }
        return shards;
    }

    @Test
    void ranksOfShardsWithoutSizesAreRefusedBeforeTheFirstItem() {
        for (int rank = 0; rank < 2; rank++) {
            ShardStream<Long> share = ShardStream.of(unsized(40, 10, 70)).shard(rank, 2);
            assertThatThrownBy(() -> share.open(0, Position.START))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the 2 ranks would get different numbers of samples")
                    .hasMessageContaining("jspdl index")
                    .hasMessageContaining("uneven");
        }
    }

    @Test
    void oneShardWithoutSizeIsEnoughToRefuseRanks() {
        List<Source<Long>> shards = new ArrayList<>(shards(40, 10));
        shards.addAll(unsized(70));

        assertThatThrownBy(() -> ShardStream.of(shards).shuffled(1).shard(1, 2).requireEqualShares())
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void unevenRanksOfShardsWithoutSizesGetWholeShards() throws Exception {
        List<Long> together = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            ShardStream<Long> share = ShardStream.of(unsized(2, 2, 2, 2, 2, 2, 2))
                    .shuffled(1)
                    .shard(rank, 3)
                    .even(Even.UNEVEN);
            assertThat(share.size()).isEmpty();
            together.addAll(Read.all(share, 0));
        }
        assertThat(together).hasSize(14).doesNotHaveDuplicates();
    }

    @Test
    void aBatchOfBlocksHasSamplesOfNearlyAllShards() throws Exception {
        int[] sizes = new int[64];
        Arrays.fill(sizes, 1280);
        ShardStream<Long> whole = ShardStream.of(shards(sizes)).shuffled(5);
        double blocks = shardsInBatch(whole.interleaved(16).window(1024).blocks(16), sizes);
        double interleaved = shardsInBatch(whole.interleaved(16).window(1024), sizes);
        double before = shardsInBatch(whole.interleaved(4).window(1000), sizes);
        System.out.printf(
                "of 64 shards in a batch of 256: blocks of 16 %.1f, 16 interleaved %.1f, 4 interleaved %.1f%n",
                blocks, interleaved, before);

        assertThat(blocks).isGreaterThanOrEqualTo(60);
        assertThat(interleaved).isGreaterThanOrEqualTo(16);
        int[] uneven = new int[64];
        Arrays.setAll(uneven, i -> 400 + 37 * i);
        ShardStream<Long> rank =
                ShardStream.of(shards(uneven)).shuffled(5).interleaved(16).window(1024);
        assertThat(shardsInBatch(rank.blocks(16).shard(1, 2), uneven)).isGreaterThanOrEqualTo(52);
    }

    /// How many shards a batch of 256 has items of, on average; shards are told by the sizes of those before.
    private static double shardsInBatch(ShardStream<Long> stream, int... sizes) throws Exception {
        List<Long> all = Read.all(stream, 1);
        long[] ends = Arrays.stream(sizes).asLongStream().toArray();
        Arrays.parallelPrefix(ends, Long::sum);
        double found = 0;
        int batches = all.size() / 256;
        for (int batch = 0; batch < batches; batch++) {
            found += all.subList(batch * 256, batch * 256 + 256).stream()
                    .mapToInt(item -> {
                        int place = Arrays.binarySearch(ends, item + 1);
                        return place < 0 ? -place - 1 : place;
                    })
                    .distinct()
                    .count();
        }
        return found / batches;
    }

    @Test
    void shardsAreReadByTurns() throws Exception {
        assertThat(Read.all(ShardStream.of(shards(3, 2, 3, 1)).interleaved(2), 0))
                .containsExactly(0L, 3L, 1L, 4L, 2L, 5L, 8L, 6L, 7L);
    }

    @Test
    void aWindowMixesWhatLiesNearAndEpochsDiffer() throws Exception {
        ShardStream<Long> stream = ShardStream.of(shards(1_000)).shuffled(2).window(100);
        List<Long> mixed = Read.all(stream, 0);

        assertThat(mixed).isNotEqualTo(Read.all(stream, 1)).isEqualTo(Read.all(stream, 0));
        for (int i = 0; i < mixed.size(); i++) {
            assertThat(mixed.get(i) / 100).isEqualTo(i / 100);
        }
    }

    @Test
    void noMoreThanAWindowWaitsAndAllOfItIsClosed() throws Exception {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        record Item(AtomicInteger open) implements AutoCloseable {
            @Override
            public void close() {
                open.decrementAndGet();
            }
        }
        Source<Item> shard = Sources.indexed(90, index -> {
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
            return new Item(open);
        });
        ShardStream<Item> stream =
                ShardStream.of(List.of(shard, shard)).shuffled(1).interleaved(2).window(50);
        Position middle;
        try (Cursor<Item> cursor = stream.open(0, Position.START)) {
            for (int i = 0; i < 77; i++) {
                cursor.advance();
                cursor.item().close();
            }
            middle = cursor.position();
        }
        assertThat(open).hasValue(0);
        assertThat(most.get()).isLessThanOrEqualTo(51);
        stream.open(0, middle).close();
        assertThat(open).hasValue(0);
    }

    @Test
    void aPlaceIsSmallWhateverTheWindow() throws Exception {
        ShardStream<Long> stream = ShardStream.of(shards(10_000, 10_000, 10_000))
                .shuffled(2)
                .interleaved(3)
                .window(5_000);
        try (Cursor<Long> cursor = stream.open(0, Position.START)) {
            for (int i = 0; i < 20_000; i++) {
                cursor.advance();
                cursor.item();
            }
            assertThat(cursor.position().state()).hasSizeLessThan(100);
        }
    }

    @Test
    void damagedPlacesAreRefused() {
        ShardStream<Long> stream = ShardStream.of(shards(10, 10)).interleaved(2);
        for (String state : List.of(
                "x",
                "1,",
                "0,1,1,0,0,1,0,0,",
                "0,0,1,0,0,9,0,0,",
                "0,0,1,0,0,1,5,2,",
                "0,0,1,0,0,1,0,1,5,0,0,9,,",
                "0,0,1,-1,0,1,0,0,")) {
            assertThatThrownBy(() -> stream.open(0, new Position(3, state)))
                    .as(state)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not a place");
        }
        assertThatThrownBy(() -> stream.open(0, new Position(500, "0,0,1,0,0,2,0,0,")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("500");
    }

    @Test
    void shardsThatCannotBeReadAgainAreRefused() {
        assertThatThrownBy(() -> ShardStream.of(List.of(Sources.once(List.of(1)::iterator))))
                .hasMessageContaining("shard 0");
    }

    private static ShardStream<Long> stream(Random random, int size) {
        int[] sizes = new int[size + 10];
        int count = 0;
        for (int left = size; left > 0 || (random.nextInt(3) == 0 && count < sizes.length); count++) {
            sizes[count] = Math.min(left, random.nextInt(20));
            left -= sizes[count];
        }
        ShardStream<Long> stream = ShardStream.of(shards(Arrays.copyOf(sizes, count)));
        stream = random.nextInt(4) == 0 ? stream : stream.shuffled(random.nextLong());
        stream = random.nextInt(4) == 0 ? stream : stream.interleaved(1 + random.nextInt(6));
        stream = random.nextInt(2) == 0
                ? stream
                : stream.shuffled(random.nextLong()).blocks(1 + random.nextInt(9));
        return random.nextInt(4) == 0 ? stream : stream.window(1 + random.nextInt(60));
    }

    /// A shard that is asked for no more than a range of it.
    private record Ranged(Source<Long> whole) implements RangedSource<Long> {
        @Override
        public boolean isRanged() {
            return true;
        }

        @Override
        public Cursor<Long> open(long epoch, Position from, long to) throws Exception {
            AtomicLong left = new AtomicLong(to - from.index());
            return new MappedCursor<>(whole.open(epoch, from), item -> {
                assertThat(left.decrementAndGet())
                        .as("what is left of the range")
                        .isNotNegative();
                return item;
            });
        }

        @Override
        public Cursor<Long> open(long epoch, Position from) throws Exception {
            return whole.open(epoch, from);
        }

        @Override
        public OptionalLong size() {
            return whole.size();
        }

        @Override
        public String identity() {
            return whole.identity();
        }
    }

    /// Shards of numbers that count on from shard to shard.
    private static List<Source<Long>> shards(int... sizes) {
        List<Source<Long>> shards = new ArrayList<>();
        long next = 0;
        for (int size : sizes) {
            long first = next;
            shards.add(new Ranged(Sources.indexed(size, index -> first + index)));
            next += size;
        }
        return shards;
    }
}
