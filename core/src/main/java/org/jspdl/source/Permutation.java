package org.jspdl.source;

import org.jspdl.source.internal.FeistelNetwork;
import org.jspdl.source.internal.Mixing;
import org.jspecify.annotations.Nullable;

/// A keyed permutation of [0, size) that computes any position in constant time and memory, by a [FeistelNetwork]. Up
/// to [#TABLE_LIMIT] elements, where a network cannot reach all orders equally often, the order is shuffled into a
/// small table instead. Immutable.
public final class Permutation {
    private static final int TABLE_LIMIT = 256;

    private final long size;
    private final FeistelNetwork network;
    private final byte @Nullable [] table;

    private Permutation(long size, long seed, long epoch) {
        this.size = size;
        long key = Mixing.key(seed, epoch);
        this.network = new FeistelNetwork(size, key);
        this.table = size <= TABLE_LIMIT ? shuffled((int) size, key) : null;
    }

    /// The permutation of `size` elements that belongs to `seed` and `epoch`.
    public static Permutation of(long size, long seed, long epoch) {
        if (size < 0 || size > 1L << 62) {
            throw new IllegalArgumentException("size must be between 0 and 2^62 but was " + size);
        }
        return new Permutation(size, seed, epoch);
    }

    /// Fisher and Yates' shuffle.
    private static byte[] shuffled(int size, long key) {
        byte[] order = new byte[size];
        for (int i = 0; i < size; i++) {
            int other = (int) Mixing.below(i + 1, Mixing.draw(key, i));
            order[i] = order[other];
            order[other] = (byte) i;
        }
        return order;
    }

    /// Where element `index` goes.
    public long apply(long index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("index " + index + " of a permutation of " + size);
        }
        return table == null ? network.apply(index) : table[(int) index] & 0xFF;
    }
}
