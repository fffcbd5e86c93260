package org.jspdl.source.internal;

/// Bit mixing for keyed randomness: any draw of a sequence is computed from its number, without those before it.
public final class Mixing {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Mixing() {}

    /// The finalizer of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014):
    /// a bijection.
    public static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
        return b ^ (b >>> 31);
    }

    /// The key of the sequence that belongs to `seed` and `epoch`.
    public static long key(long seed, long epoch) {
        return mix(seed) ^ mix(epoch + GOLDEN);
    }

    /// 64 random bits: number `index` of the sequence of `key`.
    public static long draw(long key, long index) {
        return mix(key + (index + 1) * GOLDEN);
    }

    /// A number in [0, bound) from 64 random bits; the bias is below `bound` / 2^64.
    public static long below(long bound, long bits) {
        return Math.unsignedMultiplyHigh(bits, bound);
    }

    /// A number in (0, 1] from 64 random bits.
    public static double unit(long bits) {
        return ((bits >>> 11) + 1) * 0x1p-53;
    }
}
