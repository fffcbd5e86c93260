package org.jspdl.media.internal.jpeg.transform;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The inverse discrete cosine transform of many 8 x 8 blocks side by side, to the bit as libjpeg's accurate integer
/// one.
///
/// Source: Loeffler, Ligtenberg and Moschytz, "Practical fast 1-D DCT algorithms with 11 multiplications" (1989), in
/// fixed point with 13 bits after the point and two more kept between columns and rows. Until it rounds, each direction
/// only adds and multiplies by constants, so it may be written as sums of products, with the quantization in the
/// constants. There is an array for each coefficient and each loop is a short one over all blocks, which is what the
/// JIT compiler turns into vector instructions (eight inputs in one loop are too many). Used by one thread at a time.
final class InverseTransform {
    private static final int SIZE = 8;
    private static final int AREA = 64;
    static final int COLUMN_SHIFT = 11;
    static final int ROW_SHIFT = 18;
    static final int COLUMN_ROUNDING = 1 << (COLUMN_SHIFT - 1);
    /// Samples are stored with 128 taken off.
    static final int ROW_ROUNDING = (1 << (ROW_SHIFT - 1)) + (128 << ROW_SHIFT);

    static final int ONE = 1 << 13;
    private static final ValueLayout.OfLong EIGHT = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int[][] half;
    private final int[][] sums = new int[4][];
    private final int[][] samples = new int[SIZE][];

    /// @param capacity the most blocks at a time
    InverseTransform(int capacity) {
        half = new int[AREA][capacity];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = new int[capacity];
        }
        for (int i = 0; i < SIZE; i++) {
            samples[i] = new int[capacity];
        }
    }

    /// Transforms the first `n` blocks of `coefficients`, which are row by row, and stores the samples of block `i`
    /// at `places[i]` of `memory`, its rows `stride` bytes apart.
    void run(int n, int[][] coefficients, int[] quantization, MemorySegment memory, int[] places, int stride) {
        for (int u = 0; u < SIZE; u++) {
            column(n, coefficients, quantization, u);
        }
        for (int v = 0; v < SIZE; v++) {
            row(n, v * SIZE);
            store(n, samples, sums[0], sums[1], memory, places, (long) v * stride);
        }
    }

    /// Stores the samples of a block whose coefficients other than the first are zero, as [#run] makes them.
    static void storeFlat(int first, int quantization, MemorySegment memory, long place, int stride) {
        int half = (first * (quantization * ONE) + COLUMN_ROUNDING) >> COLUMN_SHIFT;
        long sample = Math.max(0, Math.min(255, (half * ONE + ROW_ROUNDING) >> ROW_SHIFT));
        for (int v = 0; v < SIZE; v++) {
            memory.set(EIGHT, place + (long) v * stride, sample * 0x0101_0101_0101_0101L);
        }
    }

    private void column(int n, int[][] c, int[] q, int u) {
        int[] sum0 = sums[0];
        int[] sum1 = sums[1];
        int[] sum2 = sums[2];
        int[] sum3 = sums[3];
        int q0 = q[u] * ONE;
        int q4 = q[32 + u] * ONE;
        int q2 = q[16 + u];
        int q6 = q[48 + u];
        even(n, c[u], c[32 + u], c[16 + u], c[48 + u], q0, q4, q2 * 10703, q6 * 4433, COLUMN_ROUNDING, sum0, sum3);
        even(n, c[u], c[32 + u], c[16 + u], c[48 + u], q0, -q4, q2 * 4433, q6 * -10704, COLUMN_ROUNDING, sum1, sum2);
        int[] c1 = c[8 + u];
        int[] c3 = c[24 + u];
        int[] c5 = c[40 + u];
        int[] c7 = c[56 + u];
        int q1 = q[8 + u];
        int q3 = q[24 + u];
        int q5 = q[40 + u];
        int q7 = q[56 + u];
        odd(n, sum0, c1, c3, c5, c7, q1 * 11363, q3 * 9633, q5 * 6437, q7 * 2260, half[u], half[56 + u]);
        odd(n, sum1, c1, c3, c5, c7, q1 * 9633, q3 * -2259, q5 * -11362, q7 * -6436, half[8 + u], half[48 + u]);
        odd(n, sum2, c1, c3, c5, c7, q1 * 6437, q3 * -11362, q5 * 2261, q7 * 9633, half[16 + u], half[40 + u]);
        odd(n, sum3, c1, c3, c5, c7, q1 * 2260, q3 * -6436, q5 * 9633, q7 * -11363, half[24 + u], half[32 + u]);
    }

    private void row(int n, int v) {
        int[][] c = half;
        int[] sum0 = sums[0];
        int[] sum1 = sums[1];
        int[] sum2 = sums[2];
        int[] sum3 = sums[3];
        even(n, c[v], c[v + 4], c[v + 2], c[v + 6], ONE, ONE, 10703, 4433, ROW_ROUNDING, sum0, sum3);
        even(n, c[v], c[v + 4], c[v + 2], c[v + 6], ONE, -ONE, 4433, -10704, ROW_ROUNDING, sum1, sum2);
        int[] c1 = c[v + 1];
        int[] c3 = c[v + 3];
        int[] c5 = c[v + 5];
        int[] c7 = c[v + 7];
        last(n, sum0, c1, c3, c5, c7, 11363, 9633, 6437, 2260, samples[0], samples[7]);
        last(n, sum1, c1, c3, c5, c7, 9633, -2259, -11362, -6436, samples[1], samples[6]);
        last(n, sum2, c1, c3, c5, c7, 6437, -11362, 2261, 9633, samples[2], samples[5]);
        last(n, sum3, c1, c3, c5, c7, 2260, -6436, 9633, -11363, samples[3], samples[4]);
    }

    /// The even coefficients' part of an output and of the one that flips it.
    private static void even(
            int n,
            int[] c0,
            int[] c4,
            int[] c2,
            int[] c6,
            int k0,
            int k4,
            int k2,
            int k6,
            int rounding,
            int[] out,
            int[] flip) {
        for (int i = 0; i < n; i++) {
            int x = c0[i] * k0 + c4[i] * k4 + rounding;
            int y = c2[i] * k2 + c6[i] * k6;
            out[i] = x + y;
            flip[i] = x - y;
        }
    }

    private static void odd(
            int n,
            int[] even,
            int[] c1,
            int[] c3,
            int[] c5,
            int[] c7,
            int k1,
            int k3,
            int k5,
            int k7,
            int[] out,
            int[] flip) {
        for (int i = 0; i < n; i++) {
            int x = even[i];
            int y = c1[i] * k1 + c3[i] * k3 + c5[i] * k5 + c7[i] * k7;
            out[i] = (x + y) >> COLUMN_SHIFT;
            flip[i] = (x - y) >> COLUMN_SHIFT;
        }
    }

    private static void last(
            int n,
            int[] even,
            int[] c1,
            int[] c3,
            int[] c5,
            int[] c7,
            int k1,
            int k3,
            int k5,
            int k7,
            int[] out,
            int[] flip) {
        for (int i = 0; i < n; i++) {
            int x = even[i];
            int y = c1[i] * k1 + c3[i] * k3 + c5[i] * k5 + c7[i] * k7;
            out[i] = Math.max(0, Math.min(255, (x + y) >> ROW_SHIFT));
            flip[i] = Math.max(0, Math.min(255, (x - y) >> ROW_SHIFT));
        }
    }

    /// Stores eight samples of each block, which are side by side in `samples`.
    ///
    /// @param left  what to work with, as `right`
    static void store(
            int n, int[][] samples, int[] left, int[] right, MemorySegment memory, int[] places, long offset) {
        pack(n, samples[0], samples[1], samples[2], samples[3], left);
        pack(n, samples[4], samples[5], samples[6], samples[7], right);
        for (int i = 0; i < n; i++) {
            memory.set(EIGHT, places[i] + offset, (long) right[i] << 32 | (left[i] & 0xFFFFFFFFL));
        }
    }

    private static void pack(int n, int[] a, int[] b, int[] c, int[] d, int[] out) {
        for (int i = 0; i < n; i++) {
            out[i] = a[i] | b[i] << 8 | c[i] << 16 | d[i] << 24;
        }
    }
}
