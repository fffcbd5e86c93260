package org.jspdl.media.internal.resample;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Lines of bytes that are produced column by column: transposes eight columns at a time and stores them.
///
/// A column is an array with eight lines to a long, as [PlaneReducer#column] makes it. For interleaved pixels a line
/// has one column for each channel of each pixel, so that interleaving costs nothing.
final class ColumnWriter {
    private final long[][] eight = new long[8][PlaneReducer.STRIP / 8];
    private MemorySegment target = MemorySegment.NULL;
    private long offset;
    private long pitch;
    private int lines;
    private int position;
    private int filled;

    /// Begins a strip of `lines` lines, the first at `offset` of `target`, each `pitch` bytes (negative: upwards)
    /// after the last.
    void begin(MemorySegment target, long offset, long pitch, int lines) {
        this.target = target;
        this.offset = offset;
        this.pitch = pitch;
        this.lines = lines;
        this.position = 0;
        this.filled = 0;
    }

    /// The array to put the next column into, before [#next].
    long[] column() {
        return eight[filled];
    }

    /// Takes the column that was put into [#column].
    void next() {
        if (++filled == 8) {
            BlockTranspose.blocks(eight, (lines + 7) >>> 3);
            store();
            position += 8;
            filled = 0;
        }
    }

    /// Stores the columns that are left over.
    void end() {
        if (filled > 0) {
            BlockTranspose.blocks(eight, (lines + 7) >>> 3);
            for (int line = 0; line < lines; line++) {
                long bytes = eight[line & 7][line >>> 3];
                for (int k = 0; k < filled; k++) {
                    target.set(ValueLayout.JAVA_BYTE, offset + line * pitch + position + k, (byte) (bytes >>> (8 * k)));
                }
            }
        }
    }

    private void store() {
        for (int k = 0; k < 8; k++) {
            long[] column = eight[k];
            long at = offset + position + k * pitch;
            for (int i = 0; 8 * i + k < lines; i++) {
                target.set(ValueLayout.JAVA_LONG_UNALIGNED, at + i * (8 * pitch), column[i]);
            }
        }
    }
}
