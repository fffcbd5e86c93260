package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.JpegHeader;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.media.internal.resample.Picture.Model;
import org.jspdl.media.internal.resample.Upsampling;
import org.jspdl.media.internal.turbojpeg.TurboJpeg;

/// JPEG through TurboJPEG, to planes at the resolution in which they are stored.
///
/// Where the lower part of a picture is not needed, the codec is shown a copy of the file that says it has fewer rows.
/// It then stops after these, skips to the end of the file, and complains that data was left over, which is how the
/// last of it is known to be there.
public final class TurboJpegCodec implements ImageCodec {
    private static final int STRICT = TurboJpeg.STOP_ON_WARNING | TurboJpeg.LIMIT_SCANS;
    private static final int COMPONENTS = 3;
    private static final int DCT_SIZE = 8;
    private static final byte GRAY = (byte) 128;
    /// So few rows more are not worth the copy of the file.
    private static final int MOST_WASTED = 15;
    /// What TurboJPEG says of data between the last row and the end marker.
    private static final byte[] LEFT_OVER = " extraneous bytes before marker 0xd9".getBytes(StandardCharsets.US_ASCII);

    private MemorySegment handle = TurboJpeg.initDecompress();
    private final Scratch planes = new Scratch();
    private final Scratch copy = new Scratch();
    private final Scratch small = new Scratch();
    private final MemorySegment width;
    private final MemorySegment height;
    private final MemorySegment sampling;
    private final MemorySegment colors;
    private final MemorySegment pointers;
    private final MemorySegment strides;
    private MemorySegment decoded = MemorySegment.NULL;
    private boolean keepDamaged;
    private boolean closed;

    /// Takes the library's handle.
    public TurboJpegCodec() {
        MemorySegment fields = small.atLeast(64);
        width = fields.asSlice(0, 4);
        height = fields.asSlice(4, 4);
        sampling = fields.asSlice(8, 4);
        colors = fields.asSlice(12, 4);
        strides = fields.asSlice(16, 4 * COMPONENTS);
        pointers = fields.asSlice(32, 8 * COMPONENTS);
    }

    @Override
    public void decode(
            MemorySegment encoded, ImageHeader header, int reduce, Region part, DecodeMode mode, Picture into) {
        renewHandle();
        long size = encoded.byteSize();
        if (TurboJpeg.readHeader(handle, encoded, size, width, height, sampling, colors) != 0) {
            throw failed(size);
        }
        int fullWidth = width.get(ValueLayout.JAVA_INT, 0);
        int fullHeight = height.get(ValueLayout.JAVA_INT, 0);
        if (fullWidth != header.width || fullHeight != header.height) {
            throw DecodeException.because("JPEG has two frame headers, of " + header.width + " x " + header.height
                    + " and " + fullWidth + " x " + fullHeight + " pixels");
        }
        // With the fast transform TurboJPEG gets the chroma of a reduced picture wrong (seen in 2.1.5).
        boolean fast = mode.fastest() && reduce == 1;
        keepDamaged = mode.keepsDamaged();
        int flags = (keepDamaged ? TurboJpeg.LIMIT_SCANS : STRICT) | (fast ? TurboJpeg.FAST_TRANSFORM : 0);
        int decodedWidth = (fullWidth + reduce - 1) / reduce;
        int decodedHeight = (fullHeight + reduce - 1) / reduce;
        int colorSpace = colors.get(ValueLayout.JAVA_INT, 0);
        if (colorSpace == TurboJpeg.COLORS_YCBCR || colorSpace == TurboJpeg.COLORS_GRAY) {
            long lumaBytes = describe(decodedWidth, decodedHeight, into);
            if (!keepDamaged && upperPart(encoded, header, decodedWidth, part.bottom(), reduce, flags)) {
                return;
            }
            toPlanes(encoded, decodedWidth, decodedHeight, flags, lumaBytes);
        } else {
            toPixels(encoded, decodedWidth, decodedHeight, colorSpace, flags, into);
        }
    }

    /// A handle for each file, which takes a microsecond or two: a used one knows tables that the next file may
    /// lack, and one that failed in a header goes on in the middle of that header (2.1.5).
    private void renewHandle() {
        MemorySegment used = handle;
        handle = TurboJpeg.initDecompress();
        TurboJpeg.destroy(used);
    }

    /// Decodes the first `rows` rows, and a few more. Returns whether that was possible; if not, the whole picture
    /// has to be decoded, which also tells what is wrong with it if anything is.
    private boolean upperPart(
            MemorySegment encoded, ImageHeader header, int decodedWidth, int rows, int reduce, int flags) {
        int block = DCT_SIZE * down();
        int part = roundUp(rows, block);
        if (part > header.height - MOST_WASTED) {
            return false;
        }
        long field = JpegHeader.rowsOfSingleScan(encoded, header);
        if (field < 0) {
            return false;
        }
        long size = encoded.byteSize();
        MemorySegment shorter = copy.atLeast(size);
        MemorySegment.copy(encoded, 0, shorter, 0, size);
        shorter.set(ValueLayout.JAVA_BYTE, field, (byte) (part >> 8));
        shorter.set(ValueLayout.JAVA_BYTE, field + 1, (byte) part);
        int partHeight = (part + reduce - 1) / reduce;
        int status =
                TurboJpeg.decompressToPlanes(handle, shorter, size, pointers, decodedWidth, strides, partHeight, flags);
        return status == 0 || TurboJpeg.failedAfter(handle, LEFT_OVER);
    }

    private void toPlanes(MemorySegment encoded, int decodedWidth, int decodedHeight, int flags, long lumaBytes) {
        int status = TurboJpeg.decompressToPlanes(
                handle, encoded, encoded.byteSize(), pointers, decodedWidth, strides, decodedHeight, flags);
        checkStatus(status, encoded, 0, lumaBytes);
    }

    /// TurboJPEG takes a fatal error for a warning if there was a warning before (2.1.5). What it didn't decode is
    /// then still gray; a file of which nothing was decoded is refused.
    ///
    /// @param from  where the samples that show it lie in the planes' memory, in bytes
    /// @param count how many bytes they take
    private void checkStatus(int status, MemorySegment encoded, long from, long count) {
        if (status != 0 && !(keepDamaged && TurboJpeg.isWarning(handle) && !isGray(from, count))) {
            throw failed(encoded.byteSize());
        }
    }

    private boolean isGray(long from, long count) {
        MemorySegment samples = decoded.asSlice(from, count);
        return samples.get(ValueLayout.JAVA_BYTE, 0) == GRAY
                && MemorySegment.mismatch(samples, 0, count - 1, samples, 1, count) < 0;
    }

    /// Luma samples to one chroma sample in a column.
    private int down() {
        int subsampling = sampling.get(ValueLayout.JAVA_INT, 0);
        return subsampling == TurboJpeg.SAMPLING_420 || subsampling == TurboJpeg.SAMPLING_440 ? 2 : 1;
    }

    /// Luma samples to one chroma sample in a row.
    private int across() {
        return switch (sampling.get(ValueLayout.JAVA_INT, 0)) {
            case TurboJpeg.SAMPLING_444, TurboJpeg.SAMPLING_GRAY, TurboJpeg.SAMPLING_440 -> 1;
            case TurboJpeg.SAMPLING_422, TurboJpeg.SAMPLING_420 -> 2;
            case TurboJpeg.SAMPLING_411 -> 4;
            default -> throw DecodeException.because("JPEG has an unknown chroma subsampling");
        };
    }

    /// Makes room for the planes, gray where damage may leave some of it unwritten; returns how many bytes luma
    /// has, which is the first.
    private long describe(int decodedWidth, int decodedHeight, Picture into) {
        int across = across();
        int down = down();
        boolean gray = sampling.get(ValueLayout.JAVA_INT, 0) == TurboJpeg.SAMPLING_GRAY;
        int lumaWidth = roundUp(decodedWidth, across);
        int lumaHeight = roundUp(decodedHeight, down);
        int chromaWidth = lumaWidth / across;
        int chromaHeight = lumaHeight / down;
        long lumaStride = roundUp(lumaWidth, 64);
        long chromaStride = roundUp(chromaWidth, 64);
        long lumaBytes = lumaStride * lumaHeight;
        long chromaBytes = gray ? 0 : chromaStride * chromaHeight;
        MemorySegment memory = planes.atLeast(lumaBytes + 2 * chromaBytes);
        decoded = memory;
        if (keepDamaged) {
            memory.asSlice(0, lumaBytes + 2 * chromaBytes).fill(GRAY);
        }
        Upsampling enlarged = Upsampling.acrossOfJpeg(across, ceiling(decodedWidth, across));
        into.begin(
                decodedWidth,
                decodedHeight,
                gray ? Model.GRAY : Model.YCBCR,
                enlarged,
                Upsampling.downOfJpeg(down, enlarged));
        into.plane(0).set(memory, 0, lumaStride, decodedWidth, decodedHeight);
        pointers.set(ValueLayout.JAVA_LONG, 0, memory.address());
        strides.set(ValueLayout.JAVA_INT, 0, (int) lumaStride);
        for (int p = 1; p < COMPONENTS && !gray; p++) {
            long offset = lumaBytes + (p - 1) * chromaBytes;
            into.plane(p)
                    .set(memory, offset, chromaStride, ceiling(decodedWidth, across), ceiling(decodedHeight, down));
            pointers.set(ValueLayout.JAVA_LONG, 8L * p, memory.address() + offset);
            strides.set(ValueLayout.JAVA_INT, 4L * p, (int) chromaStride);
        }
        return lumaBytes;
    }

    /// CMYK, YCCK and RGB files: to interleaved pixels, and from them to planes of red, green and blue.
    private void toPixels(
            MemorySegment encoded, int decodedWidth, int decodedHeight, int colorSpace, int flags, Picture into) {
        boolean cmyk = colorSpace == TurboJpeg.COLORS_CMYK || colorSpace == TurboJpeg.COLORS_YCCK;
        int pixelBytes = cmyk ? 4 : 3;
        long count = (long) decodedWidth * decodedHeight;
        long stride = (long) decodedWidth * pixelBytes;
        MemorySegment memory = planes.atLeast(count * (pixelBytes + 3));
        decoded = memory;
        if (keepDamaged) {
            memory.asSlice(count * 3, count * pixelBytes).fill(GRAY);
        }
        int status = TurboJpeg.decompress(
                handle,
                encoded,
                encoded.byteSize(),
                memory.asSlice(count * 3),
                decodedWidth,
                Math.toIntExact(stride),
                decodedHeight,
                cmyk ? TurboJpeg.PIXELS_CMYK : TurboJpeg.PIXELS_RGB,
                flags);
        checkStatus(status, encoded, count * 3, count * pixelBytes);
        for (long i = 0; i < count; i++) {
            long at = count * 3 + i * pixelBytes;
            int key = cmyk ? memory.get(ValueLayout.JAVA_BYTE, at + 3) & 0xFF : 255;
            for (int c = 0; c < 3; c++) {
                int ink = memory.get(ValueLayout.JAVA_BYTE, at + c) & 0xFF;
                memory.set(ValueLayout.JAVA_BYTE, c * count + i, (byte) ((ink * key + 127) / 255));
            }
        }
        into.begin(decodedWidth, decodedHeight, Model.RGB, Upsampling.NONE, Upsampling.NONE);
        for (int c = 0; c < 3; c++) {
            into.plane(c).set(memory, c * count, decodedWidth, decodedWidth, decodedHeight);
        }
    }

    private DecodeException failed(long size) {
        return DecodeException.because(String.format("JPEG of %,d bytes: %s", size, TurboJpeg.errorText(handle)));
    }

    private static int roundUp(int value, int multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }

    private static int ceiling(int value, int divisor) {
        return (value + divisor - 1) / divisor;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            TurboJpeg.destroy(handle);
            planes.close();
            copy.close();
            small.close();
        }
    }
}
