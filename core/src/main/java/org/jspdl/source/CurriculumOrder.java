package org.jspdl.source;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspdl.source.internal.Mixing;

/// Every index once in each epoch, at random among those that a limit admits: at each place the limit is raised, and
/// one of the indices below it is drawn that has not come yet. If none is left, the one with the least value comes.
///
/// The order of an epoch is drawn when it is first opened, and kept until another epoch is.
final class CurriculumOrder implements IndexOrder {
    private final double[] values;
    /// Indices by their values.
    private final int[] sorted;
    private final Samplers.Limit limit;
    private final String name;
    private final long seed;
    private final int fingerprint;
    private final EpochIndices indices = new EpochIndices(this::draw);

    private CurriculumOrder(double[] values, int[] sorted, Samplers.Limit limit, String name, long seed) {
        this.values = values;
        this.sorted = sorted;
        this.limit = limit;
        this.name = name;
        this.seed = seed;
        this.fingerprint = Arrays.hashCode(values);
    }

    static CurriculumOrder of(double[] values, Samplers.Limit limit, String name, long seed) {
        double[] copy = values.clone();
        Integer[] order = new Integer[copy.length];
        for (int i = 0; i < copy.length; i++) {
            if (Double.isNaN(copy[i])) {
                throw new IllegalArgumentException("the value of index " + i + " is not a number");
            }
            order[i] = i;
        }
        Arrays.parallelSort(order, (one, other) -> {
            int byValue = Double.compare(copy[one], copy[other]);
            return byValue != 0 ? byValue : Integer.compare(one, other);
        });
        int[] sorted = new int[order.length];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = order[i];
        }
        return new CurriculumOrder(copy, sorted, limit, name, seed);
    }

    @Override
    public long size() {
        return values.length;
    }

    @Override
    public LongUnaryOperator in(long epoch) {
        return indices.in(epoch);
    }

    private int[] draw(long epoch) {
        long key = Mixing.key(seed, epoch);
        int[] indices = new int[sorted.length];
        int[] admitted = new int[sorted.length];
        int waiting = 0;
        int next = 0;
        double before = Double.NEGATIVE_INFINITY;
        for (int place = 0; place < indices.length; place++) {
            double now = limit.at(epoch, place);
            if (!(now >= before)) {
                throw new IllegalArgumentException("the limit '" + name + "' must not fall within an epoch, but is "
                        + now + " at place " + place + " of epoch " + epoch + ", and was " + before + " before");
            }
            before = now;
            while (next < sorted.length && values[sorted[next]] <= now) {
                admitted[waiting++] = sorted[next++];
            }
            if (waiting == 0) {
                indices[place] = sorted[next++];
            } else {
                int drawn = (int) Mixing.below(waiting, Mixing.draw(key, place));
                indices[place] = admitted[drawn];
                admitted[drawn] = admitted[--waiting];
            }
        }
        return indices;
    }

    @Override
    public String identity() {
        return "curriculum(" + values.length + " values #" + Integer.toHexString(fingerprint) + ", " + name + ", seed "
                + seed + ")";
    }
}
