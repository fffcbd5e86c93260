package org.jspdl.media.internal.resample;

/// Transposes 8 x 8 blocks of bytes, one row of blocks at a time.
///
/// Eight rows of `n` longs are `n` blocks beside each other. Three rounds exchange the off-diagonal quarters of every
/// block; afterwards long `i` of row `k` holds column `8 * i + k` of the eight rows, its first byte from the first row.
final class BlockTranspose {
    private static final long LOW_4 = 0x00000000FFFFFFFFL;
    private static final long LOW_2 = 0x0000FFFF0000FFFFL;
    private static final long LOW_1 = SwarSum.EVEN;

    private BlockTranspose() {}

    /// Transposes every block of `rows` (at least 8 of them, in their order) in place.
    static void blocks(long[][] rows, int n) {
        for (int i = 0; i < 4; i++) {
            exchange(rows[i], rows[i + 4], 32, LOW_4, n);
        }
        for (int i = 0; i < 8; i++) {
            if ((i & 2) == 0) {
                exchange(rows[i], rows[i + 2], 16, LOW_2, n);
            }
        }
        for (int i = 0; i < 8; i += 2) {
            exchange(rows[i], rows[i + 1], 8, LOW_1, n);
        }
    }

    private static void exchange(long[] upper, long[] lower, int bits, long low, int n) {
        for (int i = 0; i < n; i++) {
            long a = upper[i];
            long b = lower[i];
            upper[i] = (a & low) | ((b & low) << bits);
            lower[i] = ((a >>> bits) & low) | (b & ~low);
        }
    }
}
