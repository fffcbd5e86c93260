package org.jspdl.media.internal.resample;

/// Resamples one plane, first down its columns, then across its rows, on transposed memory.
///
/// A strip of at most [#STRIP] output rows is made at a time: [#strip] sums source rows, eight output rows together,
/// and lays them down transposed, one array per source column; [#column] then sums those arrays into one output column.
/// So both directions are sums of whole rows ([SwarSum]), and a plane is read once, row by row, into a short ring.
final class PlaneReducer {
    /// The most output rows made at a time; a multiple of 8.
    static final int STRIP = 256;

    private static final int STRIP_LONGS = STRIP / 8;

    private final RowRing ring = new RowRing();
    private final long[][] eight = new long[8][0];
    private final RowSum sum = new RowSum();
    private long[][] columns = new long[0][];
    private long[][] taps = new long[0][];
    private int firstColumn;

    /// Makes the output rows `[from, to)` for the columns that `across` needs.
    void strip(Picture.Plane plane, FilterTaps down, FilterTaps across, int from, int to) {
        firstColumn = across.lowest();
        int width = across.end() - firstColumn;
        int longs = (width + 7) >>> 3;
        prepare(longs, Math.max(down.most(), across.most()));
        ring.open(plane, firstColumn, width, down.most(), from == 0);
        for (int group = from; group < to; group += 8) {
            int rows = Math.min(8, to - group);
            for (int k = 0; k < rows; k++) {
                int i = group + k;
                int count = down.count(i);
                ring.rows(down.first(i), count, taps);
                sum.of(taps, down, i, count, eight[k], longs);
            }
            BlockTranspose.blocks(eight, longs);
            lay((group - from) >>> 3, longs);
        }
    }

    private void lay(int at, int longs) {
        for (int k = 0; k < 8; k++) {
            long[] row = eight[k];
            for (int block = 0; block < longs; block++) {
                columns[8 * block + k][at] = row[block];
            }
        }
    }

    /// Sums the columns of output column `i` into `out`: eight rows of the strip to a long, `longs` of them.
    void column(FilterTaps across, int i, long[] out, int longs) {
        int count = across.count(i);
        int at = across.first(i) - firstColumn;
        for (int k = 0; k < count; k++) {
            taps[k] = columns[at + k];
        }
        sum.of(taps, across, i, count, out, longs);
    }

    private void prepare(int longs, int most) {
        if (eight[0].length < longs) {
            for (int k = 0; k < 8; k++) {
                eight[k] = new long[longs + longs / 4];
            }
        }
        if (columns.length < 8 * longs) {
            long[][] more = new long[8 * (longs + longs / 4)][];
            System.arraycopy(columns, 0, more, 0, columns.length);
            for (int i = columns.length; i < more.length; i++) {
                more[i] = new long[STRIP_LONGS];
            }
            columns = more;
        }
        if (taps.length < most) {
            taps = new long[most + most / 4][];
        }
        sum.prepare(Math.max(longs, STRIP_LONGS));
    }
}
