package org.jspdl.media.internal.jpeg.transform;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The inverse transform of 8 x 8 coefficients to 4 x 4 or 2 x 2 samples, of many blocks side by side, to the bit as
/// libjpeg's, which leaves out the coefficients that count least.
///
/// In fixed point with 13 bits after the point and two more kept between columns and rows, as sums of products; loops
/// are as in [InverseTransform]. Used by one thread at a time.
final class ReducedTransform {
    private static final int SIZE = 8;
    private static final int AREA = 64;
    private static final int FOUR_COLUMN_SHIFT = 12;
    private static final int FOUR_ROW_SHIFT = 19;
    private static final int TWO_COLUMN_SHIFT = 13;
    private static final int TWO_ROW_SHIFT = 20;
    private static final ValueLayout.OfInt FOUR = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort TWO = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int[][] half = new int[AREA / 2][];
    private final int[] sum0;
    private final int[] sum1;
    private final int[][] samples = new int[4][];

    /// @param capacity the most blocks at a time
    ReducedTransform(int capacity) {
        for (int i = 0; i < half.length; i++) {
            half[i] = new int[capacity];
        }
        for (int i = 0; i < samples.length; i++) {
            samples[i] = new int[capacity];
        }
        sum0 = new int[capacity];
        sum1 = new int[capacity];
    }

    /// Stores 4 x 4 samples of each block, as [InverseTransform#run] stores 8 x 8.
    void toFour(int n, int[][] c, int[] q, MemorySegment memory, int[] places, int stride) {
        for (int u = 0; u < SIZE; u++) {
            if (u != 4) {
                int rounding = 1 << (FOUR_COLUMN_SHIFT - 1);
                int q2 = q[16 + u] * 15137;
                int q6 = q[48 + u] * -6270;
                even(n, c[u], c[16 + u], c[48 + u], q[u] << 14, q2, q6, rounding, sum0, sum1);
                int q1 = q[8 + u];
                int q3 = q[24 + u];
                int q5 = q[40 + u];
                int q7 = q[56 + u];
                odd(n, c, 8 + u, 16, q1 * 20995, q3 * 7373, q5 * -4926, q7 * -4176, samples[0]);
                odd(n, c, 8 + u, 16, q1 * 8697, q3 * -17799, q5 * 11893, q7 * -1730, samples[1]);
                spread(n, FOUR_COLUMN_SHIFT, sum0, samples[0], half[u], half[24 + u]);
                spread(n, FOUR_COLUMN_SHIFT, sum1, samples[1], half[8 + u], half[16 + u]);
            }
        }
        int rounding = (1 << (FOUR_ROW_SHIFT - 1)) + (128 << FOUR_ROW_SHIFT);
        for (int v = 0; v < 4; v++) {
            int r = v * SIZE;
            even(n, half[r], half[r + 2], half[r + 6], 1 << 14, 15137, -6270, rounding, sum0, sum1);
            odd(n, half, r + 1, 2, 20995, 7373, -4926, -4176, samples[3]);
            spread(n, FOUR_ROW_SHIFT, sum0, samples[3], samples[0], samples[3]);
            odd(n, half, r + 1, 2, 8697, -17799, 11893, -1730, samples[2]);
            spread(n, FOUR_ROW_SHIFT, sum1, samples[2], samples[1], samples[2]);
            clamp(n, samples[0]);
            clamp(n, samples[1]);
            clamp(n, samples[2]);
            clamp(n, samples[3]);
            long offset = (long) v * stride;
            for (int i = 0; i < n; i++) {
                int four = samples[0][i] | samples[1][i] << 8 | samples[2][i] << 16 | samples[3][i] << 24;
                memory.set(FOUR, places[i] + offset, four);
            }
        }
    }

    /// Stores 2 x 2 samples of each block, as [InverseTransform#run] stores 8 x 8.
    void toTwo(int n, int[][] c, int[] q, MemorySegment memory, int[] places, int stride) {
        for (int u = 0; u < SIZE; u += u == 0 ? 1 : 2) {
            scale(n, c[u], q[u] << 15, 1 << (TWO_COLUMN_SHIFT - 1), sum0);
            int q1 = q[8 + u] * 29692;
            odd(n, c, 8 + u, 16, q1, q[24 + u] * -10426, q[40 + u] * 6967, q[56 + u] * -5906, sum1);
            spread(n, TWO_COLUMN_SHIFT, sum0, sum1, half[u], half[8 + u]);
        }
        for (int v = 0; v < 2; v++) {
            int r = v * SIZE;
            scale(n, half[r], 1 << 15, (1 << (TWO_ROW_SHIFT - 1)) + (128 << TWO_ROW_SHIFT), sum0);
            odd(n, half, r + 1, 2, 29692, -10426, 6967, -5906, sum1);
            spread(n, TWO_ROW_SHIFT, sum0, sum1, samples[0], samples[1]);
            clamp(n, samples[0]);
            clamp(n, samples[1]);
            long offset = (long) v * stride;
            for (int i = 0; i < n; i++) {
                memory.set(TWO, places[i] + offset, (short) (samples[0][i] | samples[1][i] << 8));
            }
        }
    }

    /// What [#toFour] stores of a block without a coefficient but the first.
    static void storeFlatFour(int first, int q, MemorySegment memory, int place, int stride) {
        int column = (first * (q << 14) + (1 << (FOUR_COLUMN_SHIFT - 1))) >> FOUR_COLUMN_SHIFT;
        int sample = (column * (1 << 14) + (1 << (FOUR_ROW_SHIFT - 1)) + (128 << FOUR_ROW_SHIFT)) >> FOUR_ROW_SHIFT;
        int row = Math.clamp(sample, 0, 255) * 0x01010101;
        for (int v = 0; v < 4; v++) {
            memory.set(FOUR, place + (long) v * stride, row);
        }
    }

    /// What [#toTwo] stores of a block without a coefficient but the first.
    static void storeFlatTwo(int first, int q, MemorySegment memory, int place, int stride) {
        int column = (first * (q << 15) + (1 << (TWO_COLUMN_SHIFT - 1))) >> TWO_COLUMN_SHIFT;
        int sample = (column * (1 << 15) + (1 << (TWO_ROW_SHIFT - 1)) + (128 << TWO_ROW_SHIFT)) >> TWO_ROW_SHIFT;
        short row = (short) (Math.clamp(sample, 0, 255) * 0x0101);
        memory.set(TWO, place, row);
        memory.set(TWO, place + (long) stride, row);
    }

    private static void even(
            int n, int[] c0, int[] c2, int[] c6, int k0, int k2, int k6, int rounding, int[] out, int[] flip) {
        for (int i = 0; i < n; i++) {
            int x = c0[i] * k0 + rounding;
            int y = c2[i] * k2 + c6[i] * k6;
            out[i] = x + y;
            flip[i] = x - y;
        }
    }

    private static void scale(int n, int[] c, int k, int rounding, int[] out) {
        for (int i = 0; i < n; i++) {
            out[i] = c[i] * k + rounding;
        }
    }

    private static void odd(int n, int[][] c, int first, int step, int k1, int k3, int k5, int k7, int[] out) {
        odd(n, c[first], c[first + step], c[first + 2 * step], c[first + 3 * step], k1, k3, k5, k7, out);
    }

    private static void odd(int n, int[] c1, int[] c3, int[] c5, int[] c7, int k1, int k3, int k5, int k7, int[] out) {
        for (int i = 0; i < n; i++) {
            out[i] = c1[i] * k1 + c3[i] * k3 + c5[i] * k5 + c7[i] * k7;
        }
    }

    /// The sum and the difference, without `shift` bits. Arrays may be the same.
    private static void spread(int n, int shift, int[] even, int[] odd, int[] out, int[] flip) {
        for (int i = 0; i < n; i++) {
            int x = even[i];
            int y = odd[i];
            out[i] = (x + y) >> shift;
            flip[i] = (x - y) >> shift;
        }
    }

    private static void clamp(int n, int[] values) {
        for (int i = 0; i < n; i++) {
            values[i] = Math.max(0, Math.min(255, values[i]));
        }
    }
}
