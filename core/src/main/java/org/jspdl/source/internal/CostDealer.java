package org.jspdl.source.internal;

import java.util.Arrays;
import java.util.TreeSet;

/// Deals the samples of a window to batches so that every batch costs about the same, by several costs at once.
///
/// From the costliest on, each sample goes to a batch with room for it that lacks most of what the sample brings. What
/// a batch lacks is judged by what it will have when the samples that are still to come have filled it: of two batches
/// of equal cost, the one with fewer tokens will get more of those, and so counts as the costlier one. (Graham's
/// longest-processing-time rule, "Bounds on Multiprocessing Timing Anomalies", 1969, for several costs.)
///
/// Used once, by one thread. A sample takes time in the number of batches, about a nanosecond for each.
final class CostDealer {
    /// What chance adds to or takes from a sample's cost at most, as a share of it. So samples do not meet the same
    /// others in each window.
    private static final double NOISE = 1.0 / 256;
    /// The weight of what was counted so far beside that of the costs to come. Counts become equal by the budget
    /// anyway;
    /// 0.001 to 0.01 serve equally well.
    private static final double WEIGHT_OF_COUNTS = 0.003;

    private final int[] counts;
    private final double[][] costs;
    private final long key;
    /// By cost and sample, as a share of what a batch costs on average; the counts come last.
    private final double[][] shares;
    private final int[] room;
    private final double[][] loads;

    /// @param counts   what each sample counts against the budget
    /// @param costs    by cost and sample; the counts are not among them
    /// @param batches  how many batches there are
    /// @param key      the key of the window's chance; 0 for none
    CostDealer(int budget, int[] counts, double[][] costs, int batches, long key) {
        this.counts = counts;
        this.costs = costs;
        this.key = key;
        this.shares = new double[costs.length + 1][];
        for (int i = 0; i < costs.length; i++) {
            shares[i] = shares(costs[i], batches, key);
        }
        shares[costs.length] = shares(Arrays.stream(counts).asDoubleStream().toArray(), batches, key);
        this.room = new int[batches];
        Arrays.fill(room, budget);
        this.loads = new double[shares.length][batches];
    }

    private static double[] shares(double[] costs, int batches, long key) {
        double mean = Arrays.stream(costs).sum() / batches;
        double[] shares = new double[costs.length];
        for (int i = 0; i < costs.length && mean > 0; i++) {
            double noise = key == 0 ? 1 : 1 - NOISE + 2 * NOISE * Mixing.unit(Mixing.draw(key, i));
            shares[i] = costs[i] / mean * noise;
        }
        return shares;
    }

    /// The batch of each sample; empty if some sample found no room, though another dealing may have.
    int[] deal() {
        int[] batches = new int[counts.length];
        int last = shares.length - 1;
        double[] left = Arrays.stream(shares)
                .mapToDouble(each -> Arrays.stream(each).sum())
                .toArray();
        double[] weights = new double[shares.length];
        int[] order = fromCheapest();
        for (int i = order.length - 1; i >= 0; i--) {
            int sample = order[i];
            double count = shares[last][sample];
            left[last] -= count;
            weights[last] = WEIGHT_OF_COUNTS * count;
            for (int cost = 0; cost < last; cost++) {
                left[cost] -= shares[cost][sample];
                double perCount = i == 0 || left[last] <= 0 ? 0 : left[cost] / left[last];
                weights[cost] = shares[cost][sample] - perCount * count;
                weights[last] -= perCount * weights[cost];
            }
            int batch =
                    shares.length == 2 ? least(weights[0], weights[1], counts[sample]) : least(weights, counts[sample]);
            if (batch < 0) {
                return new int[0];
            }
            batches[sample] = batch;
            room[batch] -= counts[sample];
            for (int cost = 0; cost <= last; cost++) {
                loads[cost][batch] += shares[cost][sample];
            }
        }
        exchangeEqual(batches);
        return batches;
    }

    /// The samples by the largest of their shares.
    private int[] fromCheapest() {
        long[] keys = new long[counts.length];
        for (int i = 0; i < keys.length; i++) {
            double largest = 0;
            for (double[] each : shares) {
                largest = Math.max(largest, each[i]);
            }
            keys[i] = (long) Float.floatToIntBits((float) largest) << 32 | i;
        }
        Arrays.sort(keys);
        return Arrays.stream(keys).mapToInt(each -> (int) each).toArray();
    }

    /// As [#least(double[], int)], for the usual case.
    private int least(double first, double second, int count) {
        double[] firstLoads = loads[0];
        double[] secondLoads = loads[1];
        int found = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < room.length; batch++) {
            double product = firstLoads[batch] * first + secondLoads[batch] * second;
            if (product < least && room[batch] >= count) {
                least = product;
                found = batch;
            }
        }
        return found;
    }

    /// The batch with room whose weighted loads are least; -1 if none has room.
    private int least(double[] weights, int count) {
        int found = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < room.length; batch++) {
            double product = 0;
            for (int i = 0; i < weights.length; i++) {
                product += loads[i][batch] * weights[i];
            }
            if (product < least && room[batch] >= count) {
                least = product;
                found = batch;
            }
        }
        return found;
    }

    /// Shuffles the places of neighbors that cost the same.
    private void exchangeEqual(int[] batches) {
        int from = 0;
        for (int i = 1; i <= batches.length && key != 0; i++) {
            if (i == batches.length || !costTheSame(from, i)) {
                for (int last = i - 1; last > from; last--) {
                    int other = from + (int) Mixing.below(last - from + 1, Mixing.draw(~key, last));
                    int batch = batches[last];
                    batches[last] = batches[other];
                    batches[other] = batch;
                }
                from = i;
            }
        }
    }

    private boolean costTheSame(int one, int other) {
        for (double[] each : costs) {
            if (each[one] != each[other]) {
                return false;
            }
        }
        return counts[one] == counts[other];
    }

    /// The largest cost of a batch, as a share of the mean, after [#deal].
    double largest() {
        return Arrays.stream(loads)
                .mapToDouble(each -> Arrays.stream(each).max().orElse(0))
                .max()
                .orElse(0);
    }

    /// What a batch costs by the first cost, as a share of the mean, after [#deal].
    double load(int batch) {
        return loads[0][batch];
    }

    /// Where samples go that are put, the longest first, each into the fullest batch with room for it.
    ///
    /// @param counts what each sample counts, in ascending order
    static BestFit bestFit(int budget, int[] counts) {
        TreeSet<Long> byRoom = new TreeSet<>(); // the room in the upper half, the batch in the lower
        int[] batches = new int[counts.length];
        int opened = 0;
        for (int sample = counts.length - 1; sample >= 0; sample--) {
            Long fullest = byRoom.ceiling((long) counts[sample] << 32);
            int batch = fullest == null ? opened++ : fullest.intValue();
            int room = fullest == null ? budget : (int) (fullest >>> 32);
            if (fullest != null) {
                byRoom.remove(fullest);
            }
            byRoom.add((long) (room - counts[sample]) << 32 | batch);
            batches[sample] = batch;
        }
        return new BestFit(batches, opened);
    }

    /// @param batches the batch of each sample
    /// @param count   how many batches there are
    record BestFit(int[] batches, int count) {}
}
