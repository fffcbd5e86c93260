package org.jspdl.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspdl.source.BalancedBatchSampler;
import org.jspdl.source.Cursor;
import org.jspdl.source.IndexBatch;
import org.jspdl.source.Position;
import org.jspdl.source.SampleCost;

/// Deals batches of 65,536 tokens to 8 ranks so that their squared lengths match, and prints how equal the ranks of
/// each step are, what is padded, and the processor time that dealing takes. Lengths are log-normal with a median of
/// 600, at most 8,192.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.BatchDealing`
public final class BatchDealing {
    private static final int RANKS = 8;
    private static final int TOKENS = 65_536;
    private static final int LONGEST = 8_192;
    private static final int SAMPLES = 400_000;
    private static final double[] SPREADS = {0.3, 0.5, 0.8, 1.0, 1.5, 2.0};
    private static final int[] STEPS = {16, 64};
    private static final int PASSES = 3;

    private BatchDealing() {}

    /// Takes no arguments.
    public static void main(String[] arguments) throws Exception {
        IO.println("steps of a window, sigma, largest over mean of squared lengths (worst step, mean step), costliest"
                + " sample over mean batch, padded, us of CPU a sample");
        for (int steps : STEPS) {
            for (double spread : SPREADS) {
                measure(steps, spread);
            }
        }
    }

    private static void measure(int steps, double spread) throws Exception {
        Random random = new Random(1);
        int[] lengths = new int[SAMPLES];
        Arrays.setAll(lengths, _ ->
                (int) Math.clamp(Math.exp(Math.log(600) + spread * random.nextGaussian()), 1, LONGEST));
        SampleCost tokens = SampleCost.of(lengths);
        BalancedBatchSampler sampler = BalancedBatchSampler.of(SAMPLES, tokens, TOKENS, tokens.squared())
                .window(steps * RANKS)
                .shuffled(7);
        List<IndexBatch> batches = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (int pass = 0; pass < PASSES; pass++) {
            batches.clear();
            long begun = CpuClock.nanos();
            try (Cursor<IndexBatch> cursor = sampler.open(pass, Position.START)) {
                while (cursor.advance()) {
                    batches.add(cursor.item());
                }
            }
            least = Math.min(least, (CpuClock.nanos() - begun) / 1e3 / SAMPLES);
        }
        double worst = 0;
        double sum = 0;
        int count = 0;
        for (int step = 0; step + RANKS <= batches.size(); step += RANKS, count++) {
            double[] costs = batches.subList(step, step + RANKS).stream()
                    .mapToDouble(batch -> Arrays.stream(batch.indices())
                            .mapToDouble(index -> (double) lengths[(int) index] * lengths[(int) index])
                            .sum())
                    .toArray();
            double ratio = Arrays.stream(costs).max().orElseThrow()
                    / Arrays.stream(costs).average().orElseThrow();
            worst = Math.max(worst, ratio);
            sum += ratio;
        }
        double longest = Arrays.stream(lengths).max().orElseThrow();
        double squares = Arrays.stream(lengths)
                .mapToDouble(length -> (double) length * length)
                .sum();
        double used = Arrays.stream(lengths).asLongStream().sum();
        IO.println(String.format(
                Locale.ROOT,
                "%d  %.1f  %.4f  %.4f  %.2f  %.2f %%  %.2f",
                steps,
                spread,
                worst,
                sum / count,
                longest * longest * batches.size() / squares,
                100 * (1 - used / TOKENS / batches.size()),
                least));
    }
}
