package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Decodes a part of a JPEG file to planes, if the file is sound and of the usual kind; else it declines.
///
/// Coefficients outside of the part are passed over, and nothing is read below it. The samples are those of libjpeg's
/// accurate transform. Whatever a file has in it, no memory outside of the planes is written and a method returns:
/// a file that is declined has to be given to a decoder that says what is wrong with it. Used by one thread at a
/// time.
public final class BaselineDecoder {
    private static final int BLOCK = 8;
    private static final int END_OF_IMAGE = 0xD9;
    private static final int LUMA = 0;

    private final BaselineHeader header = new BaselineHeader();
    private final ScanReader reader = new ScanReader();
    private final InverseTransform transform = new InverseTransform(BlockBatch.CAPACITY);
    private final McuLayout unit = new McuLayout();
    private final int[] origins = new int[3];
    private final int[] strides = new int[3];

    /// Reads the header and the data of `file`; returns whether it can be decoded as far as they tell.
    public boolean open(MemorySegment file) {
        if (!header.read(file)) {
            return false;
        }
        long marker = reader.load(file, header.scan);
        return marker >= 0 && (file.get(ValueLayout.JAVA_BYTE, marker + 1) & 0xFF) == END_OF_IMAGE;
    }

    /// Pixels in a row.
    public int width() {
        return header.width;
    }

    /// Rows.
    public int height() {
        return header.height;
    }

    /// How many planes the picture has: 1 for gray, 3 for YCbCr.
    public int planes() {
        return header.components;
    }

    /// Luma samples to one chroma sample in a row: 1, 2 or 4.
    public int across() {
        return header.across;
    }

    /// Luma samples to one chroma sample in a column: 1 or 2.
    public int down() {
        return header.down;
    }

    /// Samples in a row of a plane with those that fill up the last blocks: what a stride must have at least.
    public int storedWidth(int plane) {
        return unitsAcross() * BLOCK * (plane == LUMA ? header.across : 1);
    }

    /// Rows of a plane with those that fill up the last blocks: as many must be there to be written.
    public int storedHeight(int plane) {
        return unitsDown() * BLOCK * (plane == LUMA ? header.down : 1);
    }

    private int unitsAcross() {
        return (header.width + BLOCK * header.across - 1) / (BLOCK * header.across);
    }

    private int unitsDown() {
        return (header.height + BLOCK * header.down - 1) / (BLOCK * header.down);
    }

    /// Says where a plane goes: from byte `origin` of the memory that [#decode] is given, its rows `stride` bytes
    /// apart.
    public void place(int plane, int origin, int stride) {
        origins[plane] = origin;
        strides[plane] = stride;
    }

    /// Decodes pixels `[left, right)` of rows `[top, bottom)`, and some around them; other samples stay as they
    /// are. Returns false if the data turns out to be damaged, when the planes have anything in them.
    public boolean decode(MemorySegment memory, int left, int top, int right, int bottom) {
        unit.begin(header, memory, origins, strides);
        int wide = BLOCK * header.across;
        int high = BLOCK * header.down;
        int units = unitsAcross();
        int first = left / wide;
        int end = Math.min((right + wide - 1) / wide, units);
        int firstRow = top / high;
        int endRow = Math.min((bottom + high - 1) / high, unitsDown());
        boolean sound = reader.skip(unit, firstRow * units);
        for (int y = firstRow; y < endRow && sound; y++) {
            unit.at(first, y);
            sound = reader.skip(unit, first)
                    && reader.read(unit, end - first, transform)
                    && reader.skip(unit, units - end);
        }
        unit.flush(transform);
        long unread = reader.bitsLeft();
        return sound && unread >= 0 && (unread < Byte.SIZE || endRow < unitsDown());
    }
}
