package org.jspdl.media.internal.resample;

/// Weighted sums of byte rows, eight bytes to a long.
///
/// The even and the odd bytes of a long are two times four 16-bit lanes. A lane holds a byte times a weight of 8 bits
/// without overflowing into its neighbor as long as the weights are not negative and sum to 256, so one 64-bit
/// multiplication makes four products. Each loop reads whole arrays from index 0 and does one half: this is the form
/// that the JIT compiler turns into vector instructions (offsets into a shared array, or both halves in one loop,
/// prevent it).
final class SwarSum {
    /// The even bytes of a long.
    static final long EVEN = 0x00FF00FF00FF00FFL;
    /// The odd bytes of a long.
    static final long ODD = ~EVEN;
    /// One half in each lane, for rounding.
    static final long HALF = 0x0080008000800080L;

    private SwarSum() {}

    static void sum2(long[] a, long[] b, long p, long q, long[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = (((a[i] & EVEN) * p + (b[i] & EVEN) * q + HALF) >>> 8) & EVEN;
        }
        for (int i = 0; i < n; i++) {
            out[i] |= (((a[i] >>> 8) & EVEN) * p + ((b[i] >>> 8) & EVEN) * q + HALF) & ODD;
        }
    }

    static void sum3(long[] a, long[] b, long[] c, long p, long q, long r, long[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = (((a[i] & EVEN) * p + (b[i] & EVEN) * q + (c[i] & EVEN) * r + HALF) >>> 8) & EVEN;
        }
        for (int i = 0; i < n; i++) {
            out[i] |= (((a[i] >>> 8) & EVEN) * p + ((b[i] >>> 8) & EVEN) * q + ((c[i] >>> 8) & EVEN) * r + HALF) & ODD;
        }
    }

    static void sum4(long[] a, long[] b, long[] c, long[] d, long p, long q, long r, long s, long[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = (((a[i] & EVEN) * p + (b[i] & EVEN) * q + (c[i] & EVEN) * r + (d[i] & EVEN) * s + HALF) >>> 8)
                    & EVEN;
        }
        for (int i = 0; i < n; i++) {
            out[i] |= (((a[i] >>> 8) & EVEN) * p
                            + ((b[i] >>> 8) & EVEN) * q
                            + ((c[i] >>> 8) & EVEN) * r
                            + ((d[i] >>> 8) & EVEN) * s
                            + HALF)
                    & ODD;
        }
    }

    /// Begins a sum of many rows: the even bytes into `even`, the odd ones into `odd`, unrounded.
    static void begin2(long[] a, long[] b, long p, long q, long[] even, long[] odd, int n) {
        for (int i = 0; i < n; i++) {
            even[i] = (a[i] & EVEN) * p + (b[i] & EVEN) * q + HALF;
        }
        for (int i = 0; i < n; i++) {
            odd[i] = ((a[i] >>> 8) & EVEN) * p + ((b[i] >>> 8) & EVEN) * q + HALF;
        }
    }

    static void add1(long[] a, long p, long[] even, long[] odd, int n) {
        for (int i = 0; i < n; i++) {
            even[i] += (a[i] & EVEN) * p;
        }
        for (int i = 0; i < n; i++) {
            odd[i] += ((a[i] >>> 8) & EVEN) * p;
        }
    }

    static void add2(long[] a, long[] b, long p, long q, long[] even, long[] odd, int n) {
        for (int i = 0; i < n; i++) {
            even[i] += (a[i] & EVEN) * p + (b[i] & EVEN) * q;
        }
        for (int i = 0; i < n; i++) {
            odd[i] += ((a[i] >>> 8) & EVEN) * p + ((b[i] >>> 8) & EVEN) * q;
        }
    }

    /// Ends a sum: takes the upper byte of every lane.
    static void end(long[] even, long[] odd, long[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = ((even[i] >>> 8) & EVEN) | (odd[i] & ODD);
        }
    }
}
