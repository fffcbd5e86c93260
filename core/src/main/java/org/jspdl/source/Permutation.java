package org.jspdl.source;

import org.jspecify.annotations.Nullable;

/// A keyed permutation of [0, size) that computes any position in constant time and memory.
///
/// A balanced Feistel network over the smallest even number of bits that covers `size`, with cycle walking for results
/// outside the range (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002). Expected work is below
/// four rounds of the network for any size. Up to [#TABLE_LIMIT] elements, where a network cannot reach all orders
/// equally often, the order is shuffled into a small table instead. Immutable.
public final class Permutation {
    private static final int ROUNDS = 8;
    private static final int TABLE_LIMIT = 256;

    private final long size;
    private final int halfBits;
    private final long[] keys;
    private final byte @Nullable [] table;

    private Permutation(long size, long seed, long epoch) {
        this.size = size;
        this.halfBits = halfBits(size);
        long key = Mixing.key(seed, epoch);
        this.keys = keys(key);
        this.table = size <= TABLE_LIMIT ? shuffled((int) size, key) : null;
    }

    /// The permutation of `size` elements that belongs to `seed` and `epoch`.
    public static Permutation of(long size, long seed, long epoch) {
        if (size < 0 || size > 1L << 62) {
            throw new IllegalArgumentException("size must be between 0 and 2^62 but was " + size);
        }
        return new Permutation(size, seed, epoch);
    }

    private static int halfBits(long size) {
        int bits = Math.max(2, 64 - Long.numberOfLeadingZeros(Math.max(1, size - 1)));
        return (bits + 1) / 2;
    }

    private static long[] keys(long key) {
        long[] keys = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            keys[i] = Mixing.draw(key, i);
        }
        return keys;
    }

    /// Where element `index` goes in the permutation of `size` elements that belongs to `key`: for one element each of
    /// many permutations. Always by the network, so it may differ from the permutation of any seed.
    static long at(long size, long key, long index) {
        return walk(index, size, halfBits(size), keys(key));
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
        if (table != null) {
            return table[(int) index] & 0xFF;
        }
        return walk(index, size, halfBits, keys);
    }

    private static long walk(long index, long size, int halfBits, long[] keys) {
        long value = index;
        do {
            value = encrypt(value, halfBits, keys);
        } while (value >= size);
        return value;
    }

    private static long encrypt(long value, int halfBits, long[] keys) {
        long halfMask = (1L << halfBits) - 1;
        long left = value >>> halfBits;
        long right = value & halfMask;
        for (long key : keys) {
            long next = left ^ (Mixing.mix(right + key) & halfMask);
            left = right;
            right = next;
        }
        return (left << halfBits) | right;
    }
}
