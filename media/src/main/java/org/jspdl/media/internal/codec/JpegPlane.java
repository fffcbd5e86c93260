package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Where a decoded plane of a JPEG picture lies, and how it is enlarged to the picture's size. Used by one thread at a
/// time.
final class JpegPlane {
    /// Samples of the picture to one of the plane, in a row and in a column: 1 to 4.
    int across;

    int down;
    int origin;
    int stride;
    int width;
    int height;

    /// Enlarges samples `[left, right)` of rows `[top, bottom)` of the picture, whose rows have `fullWidth` bytes
    /// in `full`, as libjpeg does it: twice as many by interpolation, others by repetition.
    void enlarge(MemorySegment memory, MemorySegment full, int fullWidth, Region seen) {
        boolean between = across <= 2 && down <= 2 && (across == 1 || width > 2);
        boolean betweenColumns = between && across == 2;
        boolean betweenRows = between && down == 2;
        for (int y = seen.top(); y < seen.bottom(); y++) {
            int nearY = y / down;
            int farY = betweenRows ? Math.clamp(nearY + (y % 2 == 0 ? -1 : 1), 0, height - 1) : nearY;
            for (int x = seen.left(); x < seen.right(); x++) {
                int nearX = x / across;
                int value;
                if (betweenColumns) {
                    int farX = Math.clamp(nearX + (x % 2 == 0 ? -1 : 1), 0, width - 1);
                    int near = column(memory, nearX, nearY, farY, betweenRows);
                    int far = column(memory, farX, nearY, farY, betweenRows);
                    int sum = 3 * near + far;
                    value = betweenRows ? (sum + (x % 2 == 0 ? 8 : 7)) >> 4 : (sum + (x % 2 == 0 ? 1 : 2)) >> 2;
                } else if (betweenRows) {
                    value = (column(memory, nearX, nearY, farY, true) + (y % 2 == 0 ? 1 : 2)) >> 2;
                } else {
                    value = sample(memory, nearX, nearY);
                }
                full.set(ValueLayout.JAVA_BYTE, (long) y * fullWidth + x, (byte) value);
            }
        }
    }

    private int column(MemorySegment memory, int x, int nearY, int farY, boolean betweenRows) {
        int near = sample(memory, x, nearY);
        return betweenRows ? 3 * near + sample(memory, x, farY) : near;
    }

    private int sample(MemorySegment memory, int x, int y) {
        return memory.get(ValueLayout.JAVA_BYTE, origin + (long) y * stride + x) & 0xFF;
    }
}
