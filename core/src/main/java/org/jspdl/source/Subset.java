package org.jspdl.source;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspdl.internal.Arguments;

/// Some of the indices of a dataset, numbered from 0. Immutable.
///
/// Ranges and random splits take no memory; listed indices take 4 bytes each, or 8 if one needs them.
public final class Subset {
    private final long size;
    private final String text;
    private final LongUnaryOperator indices;

    private Subset(long size, String text, LongUnaryOperator indices) {
        this.size = size;
        this.text = text;
        this.indices = indices;
    }

    /// The indices from `from` to `to` - 1.
    public static Subset range(long from, long to) {
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("a range must have 0 <= from <= to but was " + from + " to " + to);
        }
        return new Subset(to - from, "range " + from + " to " + to, number -> from + number);
    }

    /// These indices, in this order; an index may stand there several times.
    public static Subset of(long... indices) {
        long largest = 0;
        for (long index : indices) {
            Arguments.notNegative("index", index);
            largest = Math.max(largest, index);
        }
        String text = indices.length + " listed, #" + Integer.toHexString(Arrays.hashCode(indices));
        if (largest <= Integer.MAX_VALUE) {
            int[] small = Arrays.stream(indices).mapToInt(Math::toIntExact).toArray();
            return new Subset(small.length, text, number -> small[(int) number]);
        }
        long[] copy = indices.clone();
        return new Subset(copy.length, text, number -> copy[(int) number]);
    }

    /// Part `from` to `to` - 1 of the indices below `size` in an order drawn by `seed`: ranges that don't overlap
    /// are a random split, as for training and validation.
    public static Subset randomSplit(long size, long seed, long from, long to) {
        Subset range = range(from, to);
        if (to > size) {
            throw new IndexOutOfBoundsException("a part up to " + to + " of " + size + " indices");
        }
        Permutation order = Permutation.of(size, seed, 0);
        return new Subset(
                range.size(),
                range.text + " of " + size + ", split by seed " + seed,
                number -> order.apply(from + number));
    }

    /// How many indices there are.
    public long size() {
        return size;
    }

    /// Index number `number`.
    public long index(long number) {
        if (number < 0 || number >= size) {
            throw new IndexOutOfBoundsException("number " + number + " of a subset of " + size);
        }
        return indices.applyAsLong(number);
    }

    @Override
    public String toString() {
        return text;
    }
}
