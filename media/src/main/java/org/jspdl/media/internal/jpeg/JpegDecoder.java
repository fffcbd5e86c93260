package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.jpeg.transform.BlockTransforms;

/// Decodes a part of a JPEG file to planes: 8 bits, Huffman codes, sequential or progressive, with any sampling.
///
/// Nothing is read below the part, and nothing but DC coefficients is kept outside of it. The samples are those of
/// libjpeg's accurate transform, without smoothing between blocks. Arithmetic is that of 16-bit coefficients and 32-bit
/// sums that wrap around, then samples are clamped; so damaged data gives the same samples everywhere. Used by one
/// thread at a time.
public final class JpegDecoder implements AutoCloseable {
    private static final int BLOCK = 8;
    private static final int COMPONENTS = 4;
    private static final byte GRAY = (byte) 128;

    private final Strictness strictness = new Strictness();
    private final Segments segments = new Segments(strictness);
    private final ScanData data = new ScanData(strictness);
    private final ScanReader reader = new ScanReader(strictness, data);
    private final BlockTransforms transforms = new BlockTransforms(BlockBatch.CAPACITY);
    private final McuLayout unit = new McuLayout();
    private final SeveralScans several = new SeveralScans(strictness, segments, data);
    private final int[] origins = new int[COMPONENTS];
    private final int[] strides = new int[COMPONENTS];
    private MemorySegment file = MemorySegment.NULL;
    private JpegColors colors = JpegColors.GRAY;
    private int size = BLOCK;
    private int left;
    private int top;
    private int right;
    private int bottom;

    /// Reads the header of `file`.
    ///
    /// @param keepsDamaged whether what can be decoded of a damaged file is kept, rather than the file refused
    /// @param reduce       samples in a row of the picture to one that is stored: 1, 2, 4 or 8
    /// @throws DecodeException if the file cannot be decoded as far as its header tells
    public void open(MemorySegment file, boolean keepsDamaged, int reduce) {
        this.file = file;
        size = BLOCK / reduce;
        strictness.begin(file.byteSize(), keepsDamaged);
        segments.begin(file);
        if (!segments.nextScan()) {
            throw strictness.refused("there is no image data");
        }
        colors = segments.colors();
    }

    /// Begins with the file of `other`, whose planes go to the same places; damage is an error.
    public void openAs(JpegDecoder other) {
        open(other.file, false, BLOCK / other.size);
        System.arraycopy(other.origins, 0, origins, 0, COMPONENTS);
        System.arraycopy(other.strides, 0, strides, 0, COMPONENTS);
    }

    /// Whether a thread may read the file.
    public boolean isAccessibleBy(Thread thread) {
        return file.isAccessibleBy(thread);
    }

    /// How many pieces the restart markers of the picture's only scan cut it into; 1 if it has several.
    public int intervals() {
        boolean single = !segments.progressive && segments.scannedComponents == planes();
        int units = Math.ceilDiv(width(), BLOCK * mostAcross()) * Math.ceilDiv(height(), BLOCK * mostDown());
        return single && segments.restartInterval > 0 ? Math.ceilDiv(units, segments.restartInterval) : 1;
    }

    /// Pixels in a row, at full size.
    public int width() {
        return segments.width;
    }

    /// Rows, at full size.
    public int height() {
        return segments.height;
    }

    /// What the planes are.
    public JpegColors colors() {
        return colors;
    }

    /// How many planes the picture has: 1, 3 or 4.
    public int planes() {
        return segments.components;
    }

    /// Samples of a plane in a row to [#mostAcross] of the picture.
    public int across(int plane) {
        return planes() == 1 ? 1 : segments.component[plane].across;
    }

    /// Samples of a plane in a column to [#mostDown] of the picture.
    public int down(int plane) {
        return planes() == 1 ? 1 : segments.component[plane].down;
    }

    /// Samples in a row of the picture to [#across] of a plane.
    public int mostAcross() {
        return planes() == 1 ? 1 : segments.across;
    }

    /// Samples in a column of the picture to [#down] of a plane.
    public int mostDown() {
        return planes() == 1 ? 1 : segments.down;
    }

    /// Samples in a row of a plane with those that fill up the last blocks: what a stride must have at least.
    public int storedWidth(int plane) {
        return segments.component[plane].storedAcross * size;
    }

    /// Rows of a plane with those that fill up the last blocks: as many must be there to be written.
    public int storedHeight(int plane) {
        return segments.component[plane].storedDown * size;
    }

    /// Says where a plane goes: from byte `origin` of the memory that [#decode] is given, its rows `stride` bytes
    /// apart.
    public void place(int plane, int origin, int stride) {
        origins[plane] = origin;
        strides[plane] = stride;
    }

    /// Decodes pixels `[left, right)` of rows `[top, bottom)`, at full size, and some around them; other samples
    /// stay as they are. What a damaged file lacks becomes gray.
    ///
    /// @throws DecodeException if the file cannot be decoded, or is damaged and that is an error
    public void decode(MemorySegment memory, int left, int top, int right, int bottom) {
        int wide = BLOCK * mostAcross();
        int high = BLOCK * mostDown();
        this.left = left / wide;
        this.top = top / high;
        this.right = Math.ceilDiv(right, wide);
        this.bottom = Math.ceilDiv(bottom, high);
        if (strictness.keepsDamaged()) {
            for (int p = 0; p < planes(); p++) {
                memory.asSlice(origins[p], (long) strides[p] * storedHeight(p)).fill(GRAY);
            }
        }
        if (segments.progressive || segments.scannedComponents < planes()) {
            several.read(file, this.left, this.top, this.right, this.bottom, size);
            unit.begin(segments, memory, origins, strides, size);
            store();
        } else {
            unit.begin(segments, memory, origins, strides, size);
            readSingleScan();
        }
        unit.flush(transforms);
    }

    private void readSingleScan() {
        int units = Math.ceilDiv(segments.width, BLOCK * mostAcross());
        int rows = Math.ceilDiv(segments.height, BLOCK * mostDown());
        int end = Math.min(bottom, rows) * units;
        int interval = segments.restartInterval == 0 ? Integer.MAX_VALUE : segments.restartInterval;
        int lastColumn = Math.min(right, units);
        int here = 0;
        int firstSeen = top * units;
        int toRestart = interval;
        int decoded = 0;
        data.begin(file, segments.position());
        reader.begin();
        while (here < end) {
            if (toRestart == 0) {
                data.restart((long) here + interval > firstSeen);
                reader.begin();
                toRestart = interval;
            }
            int column = here % units;
            boolean isSeen = here >= firstSeen && column >= left && column < lastColumn;
            int next = here < firstSeen
                    ? firstSeen - here
                    : column < left ? left - column : column < lastColumn ? lastColumn - column : units - column;
            int run = Math.min(Math.min(next, toRestart), end - here);
            if ((long) here + toRestart <= firstSeen) {
                data.exhaust();
            } else if (!data.isExhausted()) {
                if (isSeen) {
                    unit.at(column, here / units);
                }
                decoded += isSeen && size > 1
                        ? reader.read(unit, run, transforms)
                        : reader.skip(unit, run, isSeen, transforms);
            }
            here += run;
            toRestart -= run;
        }
        if (decoded == 0) {
            throw strictness.refused("nothing of the image data is there");
        }
        if (!strictness.keepsDamaged()) {
            int rest = rows * units - here;
            segments.goOn(rest == 0 ? data.finish() : data.leave(rest, toRestart, interval));
            if (segments.nextScan()) {
                throw strictness.refused(segments.scanMarker, "there is a second scan of all components");
            }
        }
    }

    /// Transforms the coefficients of all scans.
    private void store() {
        long used = BlockBatch.used(size);
        for (int c = 0; c < planes(); c++) {
            Component one = segments.component[c];
            BlockBatch batch = unit.batch(c);
            int from = left * across(c);
            int to = Math.min(right * across(c), one.storedAcross);
            int last = Math.min(bottom * down(c), one.storedDown);
            for (int y = top * down(c); y < last; y++) {
                for (int x = from; x < to; x++) {
                    int block = y * one.storedAcross + x;
                    int place = origins[c] + (y * strides[c] + x) * size;
                    batch.add(place, one, block, used, transforms);
                }
            }
            one.release();
        }
    }

    @Override
    public void close() {
        for (Component one : segments.component) {
            one.close();
        }
    }
}
