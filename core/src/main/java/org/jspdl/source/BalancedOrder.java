package org.jspdl.source;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspdl.source.internal.ItemGroups;
import org.jspdl.source.internal.Mixing;

/// Every class once in each run of as many places as there are classes; the items of a class in turn.
final class BalancedOrder implements IndexOrder {
    private final ItemGroups classes;
    private final long draws;
    private final long seed;
    private final int fingerprint;

    private BalancedOrder(ItemGroups classes, long draws, long seed, int fingerprint) {
        this.classes = classes;
        this.draws = draws;
        this.seed = seed;
        this.fingerprint = fingerprint;
    }

    static BalancedOrder of(int[] labels, long draws, long seed) {
        if (labels.length == 0) {
            throw new IllegalArgumentException("there must be at least one label");
        }
        return new BalancedOrder(
                ItemGroups.of(dense(labels), classCount(labels)), draws, seed, Arrays.hashCode(labels));
    }

    /// The labels, renumbered without gaps.
    private static int[] dense(int[] labels) {
        int[] distinct = Arrays.stream(labels).sorted().distinct().toArray();
        if (distinct[0] < 0) {
            throw new IllegalArgumentException("labels must not be negative but one was " + distinct[0]);
        }
        int[] dense = new int[labels.length];
        for (int i = 0; i < labels.length; i++) {
            dense[i] = Arrays.binarySearch(distinct, labels[i]);
        }
        return dense;
    }

    private static int classCount(int[] labels) {
        return (int) Arrays.stream(labels).distinct().count();
    }

    @Override
    public long size() {
        return draws;
    }

    @Override
    public double passes() {
        return (double) draws / classes.items();
    }

    @Override
    public LongUnaryOperator in(long epoch) {
        int count = classes.groups();
        long roundsPerEpoch = (draws + count - 1) / count;
        return new LongUnaryOperator() {
            private long round = -1;
            private Permutation order = Permutation.of(count, seed, 0);

            @Override
            public long applyAsLong(long place) {
                long wanted = epoch * roundsPerEpoch + place / count;
                if (wanted != round) {
                    round = wanted;
                    order = Permutation.of(count, seed, round);
                }
                return item((int) order.apply(place % count), round);
            }
        };
    }

    /// Item number `turn` of a class, in passes over the class that are each shuffled anew.
    private long item(int group, long turn) {
        int size = classes.size(group);
        Permutation pass = Permutation.of(size, Mixing.draw(seed, group), turn / size);
        return classes.item(group, (int) pass.apply(turn % size));
    }

    @Override
    public String identity() {
        return "class-balanced(labels #" + Integer.toHexString(fingerprint) + ", " + draws + " draws, seed " + seed
                + ")";
    }
}
