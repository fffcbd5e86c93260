package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BalancedBatchSamplerTest {
    private static final int RANKS = 8;
    private static final int TOKENS = 65_536;
    private static final int LONGEST = 8_192;

    static LongStream seeds() {
        return LongStream.range(0, Boolean.getBoolean("campaign") ? 5_000 : 50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everySampleIsInOneBatchWithinTheBudget(long seed) throws Exception {
        Random random = new Random(seed);
        int budget = 1 + random.nextInt(3_000);
        int[] counts = counts(random, random.nextInt(1_500), budget);
        BalancedBatchSampler sampler = sampler(random, counts, budget);
        for (long epoch = 0; epoch < 2; epoch++) {
            List<IndexBatch> batches = Read.all(sampler, epoch);
            for (IndexBatch batch : batches) {
                assertThat(Arrays.stream(batch.indices())
                                .map(index -> counts[(int) index])
                                .sum())
                        .isLessThanOrEqualTo(budget);
            }
            assertThat(batches.stream().flatMapToLong(batch -> Arrays.stream(batch.indices())))
                    .hasSize(counts.length)
                    .doesNotHaveDuplicates();
            assertThat(batches).hasSize((int) sampler.size().orElseThrow());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void ranksGetEquallyManyBatchesAndGoOnAnywhere(long seed) throws Exception {
        Random random = new Random(seed);
        int budget = 1 + random.nextInt(500);
        BalancedBatchSampler sampler = sampler(random, counts(random, random.nextInt(600), budget), budget);
        int worldSize = 1 + random.nextInt(16);
        List<IndexBatch> alone = Read.all(sampler, 2);
        List<IndexBatch> together = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            BalancedBatchSampler share = sampler.shard(rank, worldSize);
            List<IndexBatch> batches = Read.all(share, 2);
            assertThat(batches).hasSize(alone.size() / worldSize);
            together.addAll(batches);
            try (Cursor<IndexBatch> cursor = share.open(2, Position.START)) {
                for (int taken = 1; cursor.advance(); taken++) {
                    if (random.nextInt(8) == 0) {
                        assertThat(Read.from(share, 2, cursor.position()))
                                .isEqualTo(batches.subList(taken, batches.size()));
                    }
                }
            }
        }
        assertThat(together)
                .containsExactlyInAnyOrderElementsOf(alone.subList(0, alone.size() / worldSize * worldSize));
    }

    /// The figures of docs/how-to/data.md; `BatchDealing` of the benchmarks prints them.
    @ParameterizedTest
    @MethodSource("spreads")
    void stepsOfAllRanksCostTheSameAndHardlyAnythingIsPadded(double spread) throws Exception {
        Random random = new Random(1);
        int[] lengths = random.doubles(0, 1)
                .limit(100_000)
                .mapToInt(_ -> (int) Math.clamp(Math.exp(6.4 + spread * random.nextGaussian()), 1, LONGEST))
                .toArray();
        SampleCost tokens = SampleCost.of(lengths);
        for (int steps : new int[] {16, 64}) {
            BalancedBatchSampler sampler = BalancedBatchSampler.of(lengths.length, tokens, TOKENS, tokens.squared())
                    .window(steps * RANKS)
                    .shuffled(7);

            List<IndexBatch> batches = Read.all(sampler, 3);

            // a sample that alone costs more than a batch on average can't be balanced
            double costliest = IntStream.range(0, lengths.length)
                            .mapToLong(tokens.squared()::of)
                            .max()
                            .orElseThrow()
                    * (double) batches.size()
                    / IntStream.range(0, lengths.length)
                            .mapToLong(tokens.squared()::of)
                            .sum();
            assertThat(largestOverMean(batches, tokens.squared()))
                    .as("windows of %d steps", steps)
                    .isLessThanOrEqualTo(Math.max(1.01, 1.01 * costliest));
            assertThat(largestOverMean(batches, tokens)).isLessThanOrEqualTo(1.05);
            double used = Arrays.stream(lengths).asLongStream().sum();
            assertThat(1 - used / TOKENS / batches.size()).isBetween(0.0, 0.02);
        }
    }

    static List<Double> spreads() {
        return List.of(0.3, 0.5, 0.8, 1.0, 1.5, 2.0);
    }

    @Test
    void textAndPicturesAreBalancedAtOnce() throws Exception {
        Random random = new Random(2);
        int[] tokens = counts(random, 40_000, 2_048);
        int[] widths = random.ints(40_000, 0, 1_200).toArray();
        SampleCost text = SampleCost.of(tokens);
        SampleCost patches = SampleCost.patches(widths, widths, 14);
        BalancedBatchSampler sampler = BalancedBatchSampler.of(
                        tokens.length, SampleCost.of(tokens), 32_768, text.squared(), patches)
                .shuffled(7);

        List<IndexBatch> batches = Read.all(sampler, 0);

        assertThat(largestOverMean(batches, text)).isLessThanOrEqualTo(1.05);
        assertThat(largestOverMean(batches, text.squared())).isLessThanOrEqualTo(1.05);
        assertThat(largestOverMean(batches, patches)).isLessThanOrEqualTo(1.05);
    }

    @Test
    void batchesOfAFixedNumberOfSamplesCostTheSame() throws Exception {
        int[] sides = new Random(3).ints(32_000, 64, 2_000).toArray();
        SampleCost pixels = SampleCost.patches(sides, sides, 1);

        List<IndexBatch> batches = Read.all(
                BalancedBatchSampler.of(sides.length, SampleCost.each(), 64, pixels)
                        .shuffled(7),
                0);

        assertThat(batches).hasSize(500).allMatch(batch -> batch.size() == 64);
        assertThat(largestOverMean(batches, pixels)).isLessThanOrEqualTo(1.05);
    }

    @Test
    void epochsDealAnewAndOtherCostsAreAnotherSampler() throws Exception {
        int[] lengths = counts(new Random(1), 3_000, 100);
        BalancedBatchSampler sampler = BalancedBatchSampler.of(lengths.length, SampleCost.of(lengths), 1_000)
                .window(8)
                .shuffled(1);
        List<IndexBatch> first = Read.all(sampler, 0);
        int[] others = lengths.clone();
        others[17] = 101 - others[17];

        assertThat(Read.all(sampler, 0)).isEqualTo(first);
        assertThat(Read.all(sampler, 1)).hasSameSizeAs(first).doesNotContainAnyElementsOf(first);
        assertThat(BalancedBatchSampler.of(others.length, SampleCost.of(others), 1_000)
                        .window(8)
                        .shuffled(1)
                        .identity())
                .isNotEqualTo(sampler.identity());
        assertThat(sampler.shard(1, 3).identity()).isEqualTo(sampler.identity());
    }

    @Test
    void twoSamplesComeTogetherInSomeEpochsOnly() throws Exception {
        int samples = 600;
        int[] together = new int[samples];
        int epochs = 400;
        BalancedBatchSampler sampler = BalancedBatchSampler.of(samples, SampleCost.each(), 30)
                .window(5)
                .shuffled(4);
        for (int epoch = 0; epoch < epochs; epoch++) {
            for (IndexBatch batch : Read.all(sampler, epoch)) {
                if (Arrays.stream(batch.indices()).anyMatch(index -> index == 0)) {
                    Arrays.stream(batch.indices()).forEach(index -> together[(int) index]++);
                }
            }
        }
        // 29 of 596 others come along each time, none of them of its own stratum: 19.5 times on average.
        assertThat(Arrays.stream(together).skip(1).max().orElseThrow()).isLessThan(45);
        assertThat(Arrays.stream(together).filter(times -> times == 0).count()).isEqualTo(3);
    }

    @Test
    void whatDoesNotFitIsNamed() {
        assertThatThrownBy(() -> BalancedBatchSampler.of(2, SampleCost.of(new int[] {5, 99}), 50))
                .hasMessageContaining("sample 1")
                .hasMessageContaining("99")
                .hasMessageContaining("50");
        assertThatThrownBy(() -> BalancedBatchSampler.of(1, SampleCost.each(), 1, index -> -1))
                .hasMessageContaining("costs -1");
    }

    /// The mean over all steps of 8 ranks of the largest cost of a rank over the mean of its step would hide the
    /// worst step, so this is the worst.
    private static double largestOverMean(List<IndexBatch> batches, SampleCost cost) {
        double worst = 1;
        for (int step = 0; step + RANKS <= batches.size(); step += RANKS) {
            double[] costs = batches.subList(step, step + RANKS).stream()
                    .mapToDouble(batch ->
                            Arrays.stream(batch.indices()).map(cost::of).sum())
                    .toArray();
            worst = Math.max(
                    worst,
                    Arrays.stream(costs).max().orElseThrow()
                            / Arrays.stream(costs).average().orElseThrow());
        }
        return worst;
    }

    private static BalancedBatchSampler sampler(Random random, int[] counts, int budget) {
        SampleCost tokens = SampleCost.of(counts);
        BalancedBatchSampler sampler = switch (random.nextInt(3)) {
            case 0 -> BalancedBatchSampler.of(counts.length, tokens, budget);
            case 1 -> BalancedBatchSampler.of(counts.length, tokens, budget, tokens.squared());
            default -> BalancedBatchSampler.of(counts.length, tokens, budget, tokens.squared(), index -> index % 7);
        };
        sampler = sampler.window(1 + random.nextInt(20));
        return random.nextBoolean() ? sampler.shuffled(random.nextLong()) : sampler;
    }

    /// Even, heavy-tailed, or of a few values only.
    private static int[] counts(Random random, int samples, int most) {
        int shape = random.nextInt(3);
        int values = 1 + random.nextInt(4);
        return random.ints(samples, 0, Integer.MAX_VALUE)
                .map(_ -> switch (shape) {
                    case 0 -> 1 + random.nextInt(most);
                    case 1 -> (int) Math.clamp(most / 50.0 * Math.exp(1.5 * random.nextGaussian()), 0, most);
                    default -> most / (1 + random.nextInt(values));
                })
                .toArray();
    }
}
