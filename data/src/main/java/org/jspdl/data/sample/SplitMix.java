package org.jspdl.data.sample;

/// A small random generator whose sequence is fixed by its seed on every machine and Java version.
///
/// The algorithm is SplitMix64. One thread at a time.
final class SplitMix {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long state;

    SplitMix(long seed) {
        this.state = seed;
    }

    /// A generator for item `index` of the sequence `seed`, independent of the other items'.
    static SplitMix keyed(long seed, long index) {
        return new SplitMix(mix(seed + GOLDEN * (index + 1)));
    }

    long nextLong() {
        state += GOLDEN;
        return mix(state);
    }

    /// Uniform in `[0, bound)`.
    int below(int bound) {
        return (int) (((nextLong() >>> 33) * bound) >>> 31);
    }

    /// Uniform in `[0, 1)`.
    float unit() {
        return (nextLong() >>> 40) * 0x1p-24f;
    }

    /// Uniform in `[low, high)`.
    float between(float low, float high) {
        return low + (high - low) * unit();
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
