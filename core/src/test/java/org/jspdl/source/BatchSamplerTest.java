package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchSamplerTest {

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyItemIsInOneBatchAndNoBatchBreaksItsLimits(long seed) throws Exception {
        Random random = new Random(seed);
        int[] lengths = lengths(random, 1 + random.nextInt(500), 400);
        int tokens = 400 + random.nextInt(3_000);
        BatchSampler sampler = BatchSampler.byTokens(lengths, tokens);
        sampler = random.nextBoolean() ? sampler.shuffled(seed) : sampler;
        sampler = random.nextBoolean() ? sampler.stepsOf(1 + random.nextInt(9)) : sampler;

        Set<Long> seen = new HashSet<>();
        List<IndexBatch> batches = Read.all(sampler, random.nextInt(3));
        for (IndexBatch batch : batches) {
            assertThat((long) batch.size() * batch.length()).isLessThanOrEqualTo(tokens);
            for (long index : batch.indices()) {
                assertThat(lengths[(int) index]).isLessThanOrEqualTo(batch.length());
                assertThat(seen.add(index)).isTrue();
            }
        }
        assertThat(seen).hasSize(lengths.length);
        assertThat(batches).hasSize((int) sampler.size().orElseThrow());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void ranksGetEquallyManyBatchesAndGoOnAnywhere(long seed) throws Exception {
        Random random = new Random(seed);
        int[] lengths = lengths(random, 1 + random.nextInt(300), 100);
        BatchSampler sampler = BatchSampler.byLength(lengths, 1 + random.nextInt(9), LengthBuckets.upTo(10, 40, 100))
                .shuffled(seed);
        int worldSize = 1 + random.nextInt(6);
        List<IndexBatch> alone = Read.all(sampler, 2);
        List<IndexBatch> together = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            BatchSampler share = sampler.shard(rank, worldSize);
            List<IndexBatch> batches = Read.all(share, 2);
            assertThat(batches).hasSize(alone.size() / worldSize);
            together.addAll(batches);
            try (Cursor<IndexBatch> cursor = share.open(2, Position.START)) {
                for (int taken = 1; cursor.advance(); taken++) {
                    assertThat(Read.from(share, 2, cursor.position()))
                            .isEqualTo(batches.subList(taken, batches.size()));
                }
            }
        }
        assertThat(together)
                .containsExactlyInAnyOrderElementsOf(alone.subList(0, alone.size() / worldSize * worldSize));
    }

    @Test
    void littleIsPadded() throws Exception {
        int[] lengths = lengths(new Random(1), 20_000, 2_000);
        long real = IntStream.of(lengths).asLongStream().sum();
        long padded = 0;
        for (IndexBatch batch : Read.all(BatchSampler.byTokens(lengths, 16_384).shuffled(1), 0)) {
            padded += (long) batch.size() * batch.length();
        }
        assertThat((double) real / padded).isGreaterThan(0.93);
    }

    @Test
    void theRanksOfAStepPadToAboutTheSameLength() throws Exception {
        int ranks = 8;
        int[] lengths = lengths(new Random(1), 20_000, 2_000);
        BatchSampler sampler = BatchSampler.byTokens(lengths, 16_384).shuffled(1);

        assertThat(waiting(Read.all(sampler, 0), ranks)).isGreaterThan(1.4);
        List<IndexBatch> batches = Read.all(sampler.stepsOf(ranks), 0);
        assertThat(waiting(batches, ranks)).isLessThan(1.05);
        assertThat(batches.stream().map(IndexBatch::length).limit(2_000).toList())
                .isNotEqualTo(batches.stream()
                        .map(IndexBatch::length)
                        .sorted()
                        .limit(2_000)
                        .toList());
    }

    /// What all steps take if each waits for its costliest batch, over what they would take if none had to wait, by
    /// what attention costs padded batches.
    private static double waiting(List<IndexBatch> batches, int ranks) {
        double largest = 0;
        double mean = 0;
        for (int step = 0; step + ranks <= batches.size(); step += ranks) {
            double[] costs = batches.subList(step, step + ranks).stream()
                    .mapToDouble(batch -> (double) batch.size() * batch.length() * batch.length())
                    .toArray();
            largest += DoubleStream.of(costs).max().orElseThrow();
            mean += DoubleStream.of(costs).average().orElseThrow();
        }
        return largest / mean;
    }

    @Test
    void epochsMixItemsAndBatchesAnew() throws Exception {
        int[] lengths = lengths(new Random(1), 1_000, 100);
        BatchSampler sampler = BatchSampler.byTokens(lengths, 1_000).shuffled(1);
        List<IndexBatch> first = Read.all(sampler, 0);

        assertThat(Read.all(sampler, 0)).isEqualTo(first);
        assertThat(Read.all(sampler, 1)).hasSameSizeAs(first).doesNotContainAnyElementsOf(first);
        assertThat(Read.all(BatchSampler.byTokens(lengths, 1_000), 0))
                .extracting(IndexBatch::length)
                .isSorted();
    }

    @Test
    void bucketsGrowAndEndAtTheLast() {
        LengthBuckets buckets = LengthBuckets.growing(8, 1_000, 1.5);
        assertThat(buckets.limit(0)).isEqualTo(8);
        assertThat(buckets.limit(buckets.count() - 1)).isEqualTo(1_000);
        assertThat(buckets.of(1)).isZero();
        assertThat(buckets.of(8)).isZero();
        assertThat(buckets.of(9)).isEqualTo(1);
        assertThat(buckets.of(1_001)).isEqualTo(buckets.count());
        assertThat(LengthBuckets.growing(1, 300, 1.01).count()).isGreaterThan(64);
    }

    @Test
    void whatDoesNotFitIsNamed() {
        assertThatThrownBy(() -> BatchSampler.byTokens(new int[] {5, 99}, 50))
                .hasMessageContaining("item 1")
                .hasMessageContaining("99")
                .hasMessageContaining("50");
        assertThatThrownBy(() -> BatchSampler.byLength(new int[] {5, 41}, 2, LengthBuckets.upTo(10, 40)))
                .hasMessageContaining("item 1")
                .hasMessageContaining("40");
        assertThatThrownBy(() -> BatchSampler.byTokens(new int[] {5, 90}, 100, LengthBuckets.upTo(64, 128)))
                .hasMessageContaining("item 1 has a length of 90 and would be padded to 128, above the 100 tokens");
        assertThatThrownBy(() -> LengthBuckets.upTo(4, 4)).hasMessageContaining("[4, 4]");
        assertThatThrownBy(() -> LengthBuckets.growing(9, 4, 2)).hasMessageContaining("9, 4");
    }

    @Test
    void noItemsAreNoBatches() throws Exception {
        assertThat(Read.all(BatchSampler.byTokens(new int[0], 50).shuffled(1), 0))
                .isEmpty();
    }

    private static int[] lengths(Random random, int count, int most) {
        return random.ints(count, 1, most + 1).toArray();
    }
}
