package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.internal.tiff.TiffLayout;
import org.jspdl.media.internal.tiff.TiffReader;

/// Decodes the pieces of a TIFF file that are JPEG pictures, which share tables (TIFF Technical Note 2). Used by one
/// thread at a time.
///
/// The TIFF file says what the colors are; what the pieces say does not count, as in libtiff.
final class TiffJpeg implements TiffReader.Pictures, AutoCloseable {
    private static final int MARKER_BYTES = 2;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private final JpegCodec codec = new JpegCodec();
    private final Scratch joined = new Scratch();

    @Override
    public long decode(MemorySegment piece, TiffLayout layout, MemorySegment into, boolean keepsDamaged) {
        MemorySegment file = join(layout.jpegTables(), piece);
        codec.open(file, keepsDamaged);
        int samples = layout.colorPlanes();
        int width = layout.chunkWidth();
        if (codec.planes() != samples || codec.width() != width || codec.height() > layout.chunkHeight()) {
            throw DecodeException.because(String.format(
                    "JPEG of %d x %d pixels of %d samples, where there should be %d x %d of %d",
                    codec.width(), codec.height(), codec.planes(), width, layout.chunkHeight(), samples));
        }
        MemorySegment planes = codec.decodePlanes();
        long rows = into.byteSize() / ((long) width * samples);
        long size = (long) width * codec.height();
        long there = Math.min(rows, codec.height()) * width;
        for (long i = 0; i < there; i++) {
            if (samples == 1) {
                into.set(BYTE, i, planes.get(BYTE, i));
            } else if (layout.isJpegOfChroma()) {
                JpegInks.toRgb(planes, i, size, into, 3 * i);
            } else {
                for (int p = 0; p < samples; p++) {
                    into.set(BYTE, samples * i + p, planes.get(BYTE, i + p * size));
                }
            }
        }
        return there * samples;
    }

    /// The piece with the tables in front: both begin with a marker, and the tables end with one.
    private MemorySegment join(MemorySegment tables, MemorySegment piece) {
        if (tables.byteSize() < 2 * MARKER_BYTES || piece.byteSize() < MARKER_BYTES) {
            return piece;
        }
        long before = tables.byteSize() - MARKER_BYTES;
        long behind = piece.byteSize() - MARKER_BYTES;
        MemorySegment file = joined.atLeast(before + behind).asSlice(0, before + behind);
        MemorySegment.copy(tables, 0, file, 0, before);
        MemorySegment.copy(piece, MARKER_BYTES, file, before, behind);
        return file;
    }

    @Override
    public void close() {
        codec.close();
        joined.close();
    }
}
