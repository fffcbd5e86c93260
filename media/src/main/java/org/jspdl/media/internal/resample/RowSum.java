package org.jspdl.media.internal.resample;

/// One weighted sum of any number of rows.
final class RowSum {
    private long[] even = new long[0];
    private long[] odd = new long[0];

    /// Makes room for rows of `longs` longs.
    void prepare(int longs) {
        if (even.length < longs) {
            even = new long[longs + longs / 4];
            odd = new long[longs + longs / 4];
        }
    }

    private void wide(long[][] rows, FilterTaps taps, int i, int count, long[] out, int n) {
        for (int shift = 0; shift < 32; shift += 8) {
            WideSwarSum.begin(rows[0], taps.weight(i, 0), shift, even, n);
            int k = 1;
            for (; k + 1 < count; k += 2) {
                WideSwarSum.add2(rows[k], rows[k + 1], taps.weight(i, k), taps.weight(i, k + 1), shift, even, n);
            }
            if (k < count) {
                WideSwarSum.add1(rows[k], taps.weight(i, k), shift, even, n);
            }
            WideSwarSum.end(even, shift, out, n);
        }
    }

    /// Sums `rows[0..count)` with the weights of output pixel `i`.
    void of(long[][] rows, FilterTaps taps, int i, int count, long[] out, int n) {
        if (taps.isWide() && count > 1) {
            wide(rows, taps, i, count, out, n);
            return;
        }
        switch (count) {
            case 1 -> System.arraycopy(rows[0], 0, out, 0, n);
            case 2 -> SwarSum.sum2(rows[0], rows[1], taps.weight(i, 0), taps.weight(i, 1), out, n);
            case 3 ->
                SwarSum.sum3(
                        rows[0], rows[1], rows[2], taps.weight(i, 0), taps.weight(i, 1), taps.weight(i, 2), out, n);
            case 4 ->
                SwarSum.sum4(
                        rows[0],
                        rows[1],
                        rows[2],
                        rows[3],
                        taps.weight(i, 0),
                        taps.weight(i, 1),
                        taps.weight(i, 2),
                        taps.weight(i, 3),
                        out,
                        n);
            default -> many(rows, taps, i, count, out, n);
        }
    }

    private void many(long[][] rows, FilterTaps taps, int i, int count, long[] out, int n) {
        SwarSum.begin2(rows[0], rows[1], taps.weight(i, 0), taps.weight(i, 1), even, odd, n);
        int k = 2;
        for (; k + 1 < count; k += 2) {
            SwarSum.add2(rows[k], rows[k + 1], taps.weight(i, k), taps.weight(i, k + 1), even, odd, n);
        }
        if (k < count) {
            SwarSum.add1(rows[k], taps.weight(i, k), even, odd, n);
        }
        SwarSum.end(even, odd, out, n);
    }
}
