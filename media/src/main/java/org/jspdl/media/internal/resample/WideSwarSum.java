package org.jspdl.media.internal.resample;

/// Weighted sums of byte rows with weights of 14 bits that may be negative, eight bytes to a long.
///
/// Two 32-bit lanes of a long hold two of the eight bytes, so every sum takes four passes, one for each pair; twice
/// the work of [SwarSum], for filters that overshoot and where rounding must not be seen. A lane begins at 256, so that
/// it is positive whatever the weights, and is clamped at the end.
final class WideSwarSum {
    static final int BITS = 14;

    private static final long PAIR = 0x000000FF000000FFL;
    private static final long ONE = 0x0000000100000001L;
    private static final long START = (256L << BITS) * ONE + (1L << (BITS - 1)) * ONE;
    private static final long VALUE = 0x3FF * ONE;
    private static final long TOP = 0x8000000080000000L;
    private static final long OFFSET = 256 * ONE;
    private static final long OVER = 0x7FFFFF00L * ONE;

    private WideSwarSum() {}

    /// Begins a sum of the bytes at `shift` bits (0, 8, 16 or 24) of both halves of every long.
    static void begin(long[] a, long p, int shift, long[] sums, int n) {
        for (int i = 0; i < n; i++) {
            sums[i] = ((a[i] >>> shift) & PAIR) * p + START;
        }
    }

    static void add1(long[] a, long p, int shift, long[] sums, int n) {
        for (int i = 0; i < n; i++) {
            sums[i] += ((a[i] >>> shift) & PAIR) * p;
        }
    }

    static void add2(long[] a, long[] b, long p, long q, int shift, long[] sums, int n) {
        for (int i = 0; i < n; i++) {
            sums[i] += ((a[i] >>> shift) & PAIR) * p + ((b[i] >>> shift) & PAIR) * q;
        }
    }

    /// Ends a sum: rounds, clamps to bytes and puts them at `shift` bits, replacing what `out` holds there.
    static void end(long[] sums, int shift, long[] out, int n) {
        long others = ~(PAIR << shift);
        for (int i = 0; i < n; i++) {
            long w = (((sums[i] >>> BITS) & VALUE) | TOP) - OFFSET;
            long positive = w & TOP;
            long value = w & (positive - (positive >>> 31));
            long over = (value + OVER) & TOP;
            out[i] = (out[i] & others) | (((value | (over - (over >>> 31))) & PAIR) << shift);
        }
    }
}
