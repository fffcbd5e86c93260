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

    private void wide(long[][] rows, AxisTaps taps, int i, int count, long[] out, int n) {
        for (int shift = 0; shift < 32; shift += 8) {
            WideLanes.begin(rows[0], taps.weight(i, 0), shift, even, n);
            int k = 1;
            for (; k + 1 < count; k += 2) {
                WideLanes.add2(rows[k], rows[k + 1], taps.weight(i, k), taps.weight(i, k + 1), shift, even, n);
            }
            if (k < count) {
                WideLanes.add1(rows[k], taps.weight(i, k), shift, even, n);
            }
            WideLanes.end(even, shift, out, n);
        }
    }

    /// Sums `rows[0..count)` with the weights of output pixel `i`.
    void of(long[][] rows, AxisTaps taps, int i, int count, long[] out, int n) {
        if (taps.isWide() && count > 1) {
            wide(rows, taps, i, count, out, n);
            return;
        }
        switch (count) {
            case 1 -> System.arraycopy(rows[0], 0, out, 0, n);
            case 2 -> Lanes.sum2(rows[0], rows[1], taps.weight(i, 0), taps.weight(i, 1), out, n);
            case 3 ->
                Lanes.sum3(rows[0], rows[1], rows[2], taps.weight(i, 0), taps.weight(i, 1), taps.weight(i, 2), out, n);
            case 4 ->
                Lanes.sum4(
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

    private void many(long[][] rows, AxisTaps taps, int i, int count, long[] out, int n) {
        Lanes.begin2(rows[0], rows[1], taps.weight(i, 0), taps.weight(i, 1), even, odd, n);
        int k = 2;
        for (; k + 1 < count; k += 2) {
            Lanes.add2(rows[k], rows[k + 1], taps.weight(i, k), taps.weight(i, k + 1), even, odd, n);
        }
        if (k < count) {
            Lanes.add1(rows[k], taps.weight(i, k), even, odd, n);
        }
        Lanes.end(even, odd, out, n);
    }
}
