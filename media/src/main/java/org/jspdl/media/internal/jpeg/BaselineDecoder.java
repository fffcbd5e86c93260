package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

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
    private static final int[] NO_SKIPS = {};
    private static final long[] NO_PAIRS = {};

    private final BaselineHeader header = new BaselineHeader();
    private final ScanReader reader = new ScanReader();
    private final InverseTransform transform = new InverseTransform(BlockBatch.CAPACITY);
    private final BlockBatch[] own = {new BlockBatch(), new BlockBatch(), new BlockBatch()};
    private final BlockBatch[] batches = new BlockBatch[3];
    private final int[] predictions = new int[3];
    private final int[] origins = new int[3];
    private final int[] strides = new int[3];
    private final long[][] pairs = {NO_PAIRS, NO_PAIRS, NO_PAIRS};
    private final int[][] skips = {NO_SKIPS, NO_SKIPS, NO_SKIPS};

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

    /// How many planes the picture has: 1 for grey, 3 for YCbCr.
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
        begin(memory);
        int wide = BLOCK * header.across;
        int high = BLOCK * header.down;
        int units = unitsAcross();
        int first = left / wide;
        int end = Math.min((right + wide - 1) / wide, units);
        int lastRow = Math.min((bottom + high - 1) / high, unitsDown());
        for (int y = 0; y < lastRow; y++) {
            boolean above = y < top / high;
            if (!skip(above ? units : first)) {
                return false;
            }
            if (!above && !(decode(first, end, y) && skip(units - end))) {
                return false;
            }
        }
        for (BlockBatch batch : own) {
            batch.flush(transform);
        }
        long unread = reader.bitsLeft();
        return unread >= 0 && (unread < Byte.SIZE || lastRow < unitsDown());
    }

    private void begin(MemorySegment memory) {
        Arrays.fill(predictions, 0);
        for (BlockBatch batch : own) {
            batch.clear();
        }
        for (int c = 0; c < header.components; c++) {
            int[] quantisation = header.quantisation[header.quantisationOf[c]];
            boolean shared = c == 2 && Arrays.equals(quantisation, header.quantisation[header.quantisationOf[1]]);
            batches[c] = own[shared ? 1 : c];
            if (!shared) {
                batches[c].begin(quantisation, memory, strides[c]);
            }
            pairs[c] = header.ac[header.acOf[c]].pairs();
            skips[c] = header.ac[header.acOf[c]].skips();
        }
    }

    /// Passes over some units of blocks; returns whether they are sound.
    private boolean skip(int units) {
        for (int unit = 0; unit < units; unit++) {
            for (int c = 0; c < header.components; c++) {
                HuffmanCode dc = header.dc[header.dcOf[c]];
                HuffmanCode ac = header.ac[header.acOf[c]].code;
                int blocks = c == LUMA ? header.across * header.down : 1;
                for (int i = 0; i < blocks; i++) {
                    predictions[c] = reader.skip(dc, ac, skips[c], predictions[c]);
                }
            }
            if (reader.isDamaged()) {
                return false;
            }
        }
        return true;
    }

    /// Decodes units `[from, to)` of row `y`; returns whether they are sound.
    private boolean decode(int from, int to, int y) {
        for (int x = from; x < to; x++) {
            for (int c = 0; c < header.components; c++) {
                HuffmanCode dc = header.dc[header.dcOf[c]];
                HuffmanCode ac = header.ac[header.acOf[c]].code;
                BlockBatch batch = batches[c];
                int across = c == LUMA ? header.across : 1;
                int down = c == LUMA ? header.down : 1;
                for (int v = 0; v < down; v++) {
                    for (int u = 0; u < across; u++) {
                        int place = origins[c] + (y * down + v) * BLOCK * strides[c] + (x * across + u) * BLOCK;
                        int block = batch.add(place, transform);
                        predictions[c] = reader.block(dc, ac, pairs[c], predictions[c], batch.coefficients(), block);
                    }
                }
            }
            if (reader.isDamaged()) {
                return false;
            }
        }
        return true;
    }
}
