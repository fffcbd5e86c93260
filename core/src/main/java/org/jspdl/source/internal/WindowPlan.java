package org.jspdl.source.internal;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

/// How the windows of a sampler of batches of equal cost are dealt: how many there are, and how many batches each has.
/// Immutable.
///
/// The number of batches is the least with which the costliest samples of all strata can be dealt well. No window holds
/// more than those, stratum by stratum, so where they go is a place for the samples of any window.
public record WindowPlan(Costs costs, CostStrata strata, int batchesPerWindow, int[] safe) {
    /// What samples cost.
    ///
    /// @param sorted   the samples by what they count, see [CostStrata#sorted]
    /// @param count    what each counts against the budget
    /// @param balanced what else is balanced
    public record Costs(int[] sorted, LongUnaryOperator count, int budget, List<LongUnaryOperator> balanced) {}

    /// What the largest cost of a batch may be, as a share of the mean.
    private static final double GOOD = 1.05;
    /// How many more batches than the fewest are tried, in thousandths.
    private static final int[] MORE = {0, 2, 4, 6, 8, 10, 14, 18};
    /// How many dealings a number of batches has to serve, and how often a window is dealt before its samples go to
    /// their safe places.
    private static final int TRIES = 8;
    /// Batches of a window that follow each other cost alike, in blocks of this share.
    private static final int BLOCKS = 8;

    /// Plans windows of about `window` batches.
    public static WindowPlan of(Costs costs, int window) {
        int size = costs.sorted().length;
        if (size == 0) {
            return new WindowPlan(costs, CostStrata.of(new int[1], 1), 0, new int[0]);
        }
        double total = 0;
        for (int sample : costs.sorted()) {
            total += costs.count().applyAsLong(sample);
        }
        double windows = Math.rint(total / costs.budget() / window);
        CostStrata strata = CostStrata.of(costs.sorted(), (int) Math.clamp(windows, 1, size));
        int[] costliest =
                IntStream.range(0, strata.count()).map(strata::costliest).toArray();
        CostDealer.BestFit fit = CostDealer.bestFit(costs.budget(), counts(costs, costliest));
        int found = fit.count();
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < MORE.length && least > GOOD; i++) {
            int batches = fit.count() + Math.ceilDiv(fit.count() * MORE[i], 1000);
            double largest = largest(costs, costliest, batches);
            found = largest < least ? batches : found;
            least = Math.min(largest, least);
        }
        return new WindowPlan(costs, strata, found, fit.batches());
    }

    /// The largest cost of a batch as a share of the mean, in some dealings; infinite if one of them failed.
    private static double largest(Costs costs, int[] samples, int batches) {
        double largest = 0;
        for (int i = 1; i <= TRIES; i++) {
            CostDealer dealer = dealer(costs, samples, batches, i);
            if (dealer.deal().length == 0) {
                return Double.POSITIVE_INFINITY;
            }
            largest = Math.max(largest, dealer.largest());
        }
        return largest;
    }

    /// How many batches an epoch has.
    public long batches() {
        return (long) strata.windows() * batchesPerWindow;
    }

    private static int[] counts(Costs costs, int[] samples) {
        return Arrays.stream(samples)
                .map(sample -> (int) costs.count().applyAsLong(sample))
                .toArray();
    }

    private static CostDealer dealer(Costs costs, int[] samples, int batches, long key) {
        double[][] others = costs.balanced().stream()
                .map(cost ->
                        Arrays.stream(samples).mapToDouble(cost::applyAsLong).toArray())
                .toArray(double[][]::new);
        return new CostDealer(costs.budget(), counts(costs, samples), others, batches, key);
    }

    /// The batches of a window, in their order.
    ///
    /// @param key the key of the seed and the epoch; 0 for an order without chance
    public long[][] deal(int window, long key) {
        int[] samples = IntStream.range(0, strata.count())
                .map(stratum -> strata.sample(stratum, window, key))
                .toArray();
        int[] present = samples[0] < 0 ? Arrays.copyOfRange(samples, 1, samples.length) : samples;
        long chance = key == 0 ? 0 : Mixing.draw(key, ~(long) window);
        CostDealer dealer = dealer(costs, present, batchesPerWindow, chance);
        int[] batchOf = dealer.deal();
        for (int i = 1; i < TRIES && batchOf.length == 0 && key != 0; i++) {
            dealer = dealer(costs, present, batchesPerWindow, chance + i);
            batchOf = dealer.deal();
        }
        if (batchOf.length == 0) {
            batchOf = Arrays.copyOfRange(safe, samples.length - present.length, safe.length);
        }
        long[][] members = members(present, batchOf);
        int[] order = order(dealer, chance);
        long[][] batches = new long[members.length][];
        for (int i = 0; i < batches.length; i++) {
            long[] indices = members[order[i]];
            if (key != 0) {
                shuffle(indices, Mixing.draw(key, ((long) window << 32) + i));
            }
            batches[i] = indices;
        }
        return batches;
    }

    private long[][] members(int[] samples, int[] batchOf) {
        int[] sizes = new int[batchesPerWindow];
        for (int batch : batchOf) {
            sizes[batch]++;
        }
        long[][] members = new long[batchesPerWindow][];
        Arrays.setAll(members, batch -> new long[sizes[batch]]);
        for (int i = 0; i < samples.length; i++) {
            int batch = batchOf[i];
            members[batch][--sizes[batch]] = samples[i];
        }
        return members;
    }

    /// The batches of a window in the order in which they come. Those of a block cost alike, in case that not all
    /// of the window do: the ranks of a step get neighbors.
    private int[] order(CostDealer dealer, long key) {
        int[] byCost = IntStream.range(0, batchesPerWindow)
                .boxed()
                .sorted(Comparator.comparingDouble(dealer::load).thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
        if (key == 0) {
            return byCost;
        }
        int block = Math.ceilDiv(batchesPerWindow, BLOCKS);
        int blocks = Math.ceilDiv(batchesPerWindow, block);
        int[] order = new int[batchesPerWindow];
        int next = 0;
        for (int i = 0; i < blocks; i++) {
            int from = block * (int) new FeistelNetwork(blocks, key).apply(i);
            int size = Math.min(block, batchesPerWindow - from);
            for (int j = 0; j < size; j++) {
                order[next++] = byCost[from + (int) new FeistelNetwork(size, key + from + 1).apply(j)];
            }
        }
        return order;
    }

    /// Fisher and Yates' shuffle.
    private static void shuffle(long[] values, long key) {
        for (int i = values.length - 1; i > 0; i--) {
            int other = (int) Mixing.below(i + 1, Mixing.draw(key, i));
            long value = values[i];
            values[i] = values[other];
            values[other] = value;
        }
    }
}
