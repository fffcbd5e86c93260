package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Any sampler, on any number of ranks, resumed anywhere.
class SamplerPropertyTest {

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void ranksTogetherReadTheOrderOfOneRankInEqualParts(long seed) throws Exception {
        Random random = new Random(seed);
        Sampler sampler = sampler(random);
        long epoch = random.nextInt(4);
        int worldSize = 1 + random.nextInt(9);
        List<Long> alone = Read.all(sampler, epoch);
        int each = alone.size() / worldSize;

        List<Long> together = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            List<Long> share = Read.all(sampler.shard(rank, worldSize), epoch);
            assertThat(share).as("seed %d, %s", seed, sampler).hasSize(each);
            together.addAll(share);
        }
        assertThat(together)
                .as("seed %d, %s", seed, sampler)
                .containsExactlyInAnyOrderElementsOf(alone.subList(0, each * worldSize));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void paddedRanksReadEverythingAndAsLittleAgainAsPossible(long seed) throws Exception {
        Random random = new Random(seed);
        Sampler sampler = sampler(random).even(Even.REPEAT);
        int worldSize = 1 + random.nextInt(9);
        List<Long> alone = Read.all(sampler, 0);
        int each = Math.ceilDiv(alone.size(), worldSize);

        List<Long> expected = new ArrayList<>(alone);
        for (int i = 0; !alone.isEmpty() && expected.size() < each * worldSize; i++) {
            expected.add(alone.get(i % alone.size()));
        }
        List<Long> together = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            List<Long> share = Read.all(sampler.shard(rank, worldSize), 0);
            assertThat(share).as("seed %d, %s", seed, sampler).hasSize(each);
            together.addAll(share);
        }
        assertThat(together).as("seed %d, %s", seed, sampler).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void readingGoesOnFromAnyPlace(long seed) throws Exception {
        Random random = new Random(seed);
        int worldSize = 1 + random.nextInt(5);
        Sampler sampler = sampler(random).shard(random.nextInt(worldSize), worldSize);
        long epoch = random.nextInt(4);
        List<Long> whole = Read.all(sampler, epoch);
        try (Cursor<Long> cursor = sampler.open(epoch, Position.START)) {
            for (int taken = 1; cursor.advance(); taken++) {
                cursor.item();
                if (random.nextInt(4) == 0) {
                    assertThat(Read.from(sampler, epoch, cursor.position()))
                            .as("seed %d, %s, %s", seed, sampler, cursor.position())
                            .isEqualTo(whole.subList(taken, whole.size()));
                }
            }
        }
    }

    private record Visited(long epoch, long index, boolean last) {}

    @ParameterizedTest
    @MethodSource("seeds")
    void itemsStandWhereTheirIndicesDoAndTheLastIsKnownAsSuch(long seed) throws Exception {
        Random random = new Random(seed);
        int worldSize = 1 + random.nextInt(5);
        Sampler sampler = sampler(random).shard(random.nextInt(worldSize), worldSize);
        long epoch = random.nextInt(4);
        List<Long> indices = Read.all(sampler, epoch);
        RankedSource<Visited> items = sampler.items("visits", Visited::new);

        List<Visited> visited = Read.all(items, epoch);

        assertThat(visited)
                .extracting(Visited::index)
                .as("seed %d, %s", seed, sampler)
                .isEqualTo(indices);
        for (int i = 0; i < visited.size(); i++) {
            assertThat(visited.get(i).epoch()).isEqualTo(epoch);
            assertThat(visited.get(i).last())
                    .as("seed %d, %s, item %d", seed, sampler, i)
                    .isEqualTo(i == visited.size() - 1);
        }
        assertThat(items.size()).isEqualTo(sampler.size());
        assertThat(items.places()).isEqualTo(sampler.places());
        assertThat(items.identity()).isEqualTo("visits " + sampler.identity());
    }

    private static Sampler sampler(Random random) {
        int size = 1 + random.nextInt(60);
        long seed = random.nextLong();
        Sampler sampler = switch (random.nextInt(6)) {
            case 0 -> Samplers.sequential(size);
            case 1 -> Samplers.shuffled(size, seed);
            case 2 -> Samplers.weighted(weights(random, size), random.nextInt(100), seed);
            case 3 -> Samplers.weighted(size, index -> 1 + index % 3, 3, "1, 2, 3", random.nextInt(100), seed);
            case 4 -> Samplers.weightedWithoutReplacement(weights(random, size), random.nextInt(size + 1), seed);
            default -> Samplers.classBalanced(random.ints(size, 0, 5).toArray(), random.nextInt(100), seed);
        };
        long items = sampler.size().orElseThrow();
        return switch (random.nextInt(5)) {
            case 0 -> sampler.repeated(1 + random.nextInt(3));
            case 1 -> sampler.limited(random.nextLong(items + 1));
            case 2 -> sampler.within(Subset.randomSplit(1_000, seed, 500, 600));
            default -> sampler;
        };
    }

    private static double[] weights(Random random, int size) {
        return random.doubles(size, 0.1, 10).toArray();
    }
}
