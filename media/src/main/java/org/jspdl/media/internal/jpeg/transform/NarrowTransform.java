package org.jspdl.media.internal.jpeg.transform;

import java.lang.foreign.MemorySegment;

/// What [InverseTransform] makes of blocks of which only the first ten coefficients of the file's order may be other
/// than zero, with a third of the work: the coefficients of row 0 in four columns, of row 1 in three, of row 2 in two
/// and of row 3 in one. Most blocks of chroma are such, and those of smooth pictures.
///
/// The sums are those of the whole transform without products of zeros, so samples are the same to the bit. Used by one
/// thread at a time.
final class NarrowTransform {
    private static final int SIZE = 8;
    private static final int COLUMNS = 4;
    private static final int COLUMN_SHIFT = InverseTransform.COLUMN_SHIFT;
    private static final int ROW_SHIFT = InverseTransform.ROW_SHIFT;
    private static final int COLUMN_ROUNDING = InverseTransform.COLUMN_ROUNDING;
    private static final int ROW_ROUNDING = InverseTransform.ROW_ROUNDING;
    private static final int ONE = InverseTransform.ONE;

    private final int[][] half;
    private final int[][] sums;
    private final int[][] samples;

    /// @param capacity the most blocks at a time
    NarrowTransform(int capacity) {
        half = new int[COLUMNS * SIZE][capacity];
        sums = new int[4][capacity];
        samples = new int[SIZE][capacity];
    }

    /// As [InverseTransform#run], of blocks whose other coefficients are zero; these are not looked at.
    void run(int n, int[][] c, int[] q, MemorySegment memory, int[] places, int stride) {
        firstColumn(n, c, q);
        secondColumn(n, c, q);
        thirdColumn(n, c, q);
        fourthColumn(n, c[3], q[3] * ONE);
        for (int v = 0; v < SIZE; v++) {
            int[] c0 = half[v * COLUMNS];
            int[] c1 = half[v * COLUMNS + 1];
            int[] c2 = half[v * COLUMNS + 2];
            row(n, c0, c1, c2, sums[0], 10703, 11363, samples[0], samples[7]);
            row(n, c0, c1, c2, sums[1], 4433, 9633, samples[1], samples[6]);
            row(n, c0, c1, c2, sums[2], -4433, 6437, samples[2], samples[5]);
            row(n, c0, c1, c2, sums[3], -10703, 2260, samples[3], samples[4]);
            InverseTransform.store(n, samples, half[3], half[7], memory, places, (long) v * stride);
        }
    }

    /// The column of four coefficients.
    private void firstColumn(int n, int[][] c, int[] q) {
        int q0 = q[0] * ONE;
        int q2 = q[16];
        even(n, c[0], c[16], q0, q2 * 10703, sums[0], sums[3]);
        even(n, c[0], c[16], q0, q2 * 4433, sums[1], sums[2]);
        int q1 = q[8];
        int q3 = q[24];
        odd(n, sums[0], c[8], c[24], q1 * 11363, q3 * 9633, half[0], half[28]);
        odd(n, sums[1], c[8], c[24], q1 * 9633, q3 * -2259, half[4], half[24]);
        odd(n, sums[2], c[8], c[24], q1 * 6437, q3 * -11362, half[8], half[20]);
        odd(n, sums[3], c[8], c[24], q1 * 2260, q3 * -6436, half[12], half[16]);
    }

    /// The column of three.
    private void secondColumn(int n, int[][] c, int[] q) {
        int q0 = q[1] * ONE;
        int q2 = q[17];
        even(n, c[1], c[17], q0, q2 * 10703, sums[0], sums[3]);
        even(n, c[1], c[17], q0, q2 * 4433, sums[1], sums[2]);
        int q1 = q[9];
        odd(n, sums[0], 1, 0, c[9], q1 * 11363, half[1], half[29]);
        odd(n, sums[1], 1, 0, c[9], q1 * 9633, half[5], half[25]);
        odd(n, sums[2], 1, 0, c[9], q1 * 6437, half[9], half[21]);
        odd(n, sums[3], 1, 0, c[9], q1 * 2260, half[13], half[17]);
    }

    /// The column of two.
    private void thirdColumn(int n, int[][] c, int[] q) {
        int q0 = q[2] * ONE;
        int q1 = q[10];
        odd(n, c[2], q0, COLUMN_ROUNDING, c[10], q1 * 11363, half[2], half[30]);
        odd(n, c[2], q0, COLUMN_ROUNDING, c[10], q1 * 9633, half[6], half[26]);
        odd(n, c[2], q0, COLUMN_ROUNDING, c[10], q1 * 6437, half[10], half[22]);
        odd(n, c[2], q0, COLUMN_ROUNDING, c[10], q1 * 2260, half[14], half[18]);
    }

    /// The column of one, whose part of the samples is the same in each row.
    private void fourthColumn(int n, int[] c, int k) {
        int[] first = sums[0];
        for (int i = 0; i < n; i++) {
            first[i] = (c[i] * k + COLUMN_ROUNDING) >> COLUMN_SHIFT;
        }
        scale(n, first, -2259, sums[1]);
        scale(n, first, -11362, sums[2]);
        scale(n, first, -6436, sums[3]);
        scale(n, first, 9633, first);
    }

    private static void scale(int n, int[] c, int k, int[] out) {
        for (int i = 0; i < n; i++) {
            out[i] = c[i] * k;
        }
    }

    private static void even(int n, int[] c0, int[] c2, int k0, int k2, int[] out, int[] flip) {
        for (int i = 0; i < n; i++) {
            int x = c0[i] * k0 + COLUMN_ROUNDING;
            int y = c2[i] * k2;
            out[i] = x + y;
            flip[i] = x - y;
        }
    }

    private static void odd(int n, int[] even, int[] c1, int[] c3, int k1, int k3, int[] out, int[] flip) {
        for (int i = 0; i < n; i++) {
            int x = even[i];
            int y = c1[i] * k1 + c3[i] * k3;
            out[i] = (x + y) >> COLUMN_SHIFT;
            flip[i] = (x - y) >> COLUMN_SHIFT;
        }
    }

    private static void odd(int n, int[] even, int k0, int rounding, int[] c1, int k1, int[] out, int[] flip) {
        for (int i = 0; i < n; i++) {
            int x = even[i] * k0 + rounding;
            int y = c1[i] * k1;
            out[i] = (x + y) >> COLUMN_SHIFT;
            flip[i] = (x - y) >> COLUMN_SHIFT;
        }
    }

    private static void row(int n, int[] c0, int[] c1, int[] c2, int[] third, int k2, int k1, int[] out, int[] flip) {
        for (int i = 0; i < n; i++) {
            int x = c0[i] * ONE + c2[i] * k2 + ROW_ROUNDING;
            int y = c1[i] * k1 + third[i];
            out[i] = Math.max(0, Math.min(255, (x + y) >> ROW_SHIFT));
            flip[i] = Math.max(0, Math.min(255, (x - y) >> ROW_SHIFT));
        }
    }
}
