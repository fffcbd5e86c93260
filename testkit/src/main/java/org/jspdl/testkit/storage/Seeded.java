package org.jspdl.testkit.storage;

/// Chance that is the same each time.
final class Seeded {
    private Seeded() {}

    /// A well-mixed hash of `value`.
    static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /// A number from 0 to below 1 that depends on `value` alone.
    static double share(long value) {
        return (mix(value) >>> 11) * 0x1.0p-53;
    }
}
