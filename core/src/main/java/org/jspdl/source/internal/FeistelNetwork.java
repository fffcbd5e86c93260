package org.jspdl.source.internal;

/// A balanced Feistel network of 8 rounds over the smallest even number of bits that covers a size, with cycle walking
/// for results outside the range (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002). Expected
/// work is below four rounds of the network for any size. Immutable.
public final class FeistelNetwork {
    private static final int ROUNDS = 8;

    private final long size;
    private final int halfBits;
    private final long[] keys = new long[ROUNDS];

    /// The permutation of `size` elements, at most 2^62, that belongs to `key`.
    public FeistelNetwork(long size, long key) {
        this.size = size;
        int bits = Math.max(2, 64 - Long.numberOfLeadingZeros(Math.max(1, size - 1)));
        this.halfBits = (bits + 1) / 2;
        for (int i = 0; i < ROUNDS; i++) {
            keys[i] = Mixing.draw(key, i);
        }
    }

    /// Where element `index` goes.
    public long apply(long index) {
        long value = index;
        do {
            value = encrypt(value);
        } while (value >= size);
        return value;
    }

    private long encrypt(long value) {
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
