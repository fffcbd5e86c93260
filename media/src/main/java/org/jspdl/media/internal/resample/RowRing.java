package org.jspdl.media.internal.resample;

import java.lang.foreign.MemorySegment;

/// The last few rows of a plane, copied to arrays, for a window that only moves down.
final class RowRing {
    private long[][] rows = new long[0][];
    private MemorySegment[] segments = new MemorySegment[0];
    private int longs;
    private Picture.Plane plane = new Picture.Plane();
    private int firstColumn;
    private int width;
    private int loaded;

    /// Begins with columns `[firstColumn, firstColumn + width)` of a plane, or goes on with the same if not
    /// `fresh`.
    void open(Picture.Plane plane, int firstColumn, int width, int most, boolean fresh) {
        int longsNeeded = (width + 7) >>> 3;
        if (rows.length < most + 2 || longs < longsNeeded) {
            int count = Math.max(rows.length, most + 2);
            longs = Math.max(longs, longsNeeded);
            rows = new long[count][longs];
            segments = new MemorySegment[count];
            for (int i = 0; i < count; i++) {
                segments[i] = MemorySegment.ofArray(rows[i]);
            }
            fresh = true;
        }
        this.plane = plane;
        this.firstColumn = firstColumn;
        this.width = width;
        if (fresh) {
            loaded = 0;
        }
    }

    /// Puts rows `[first, first + count)` into `into`, loading those that are new.
    void rows(int first, int count, long[][] into) {
        for (int row = Math.max(loaded, first); row < first + count; row++) {
            MemorySegment.copy(
                    plane.memory,
                    plane.offset + row * plane.stride + firstColumn,
                    segments[row % rows.length],
                    0,
                    width);
        }
        loaded = Math.max(loaded, first + count);
        for (int k = 0; k < count; k++) {
            into[k] = rows[(first + k) % rows.length];
        }
    }
}
