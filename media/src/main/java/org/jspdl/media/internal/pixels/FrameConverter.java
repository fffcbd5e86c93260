package org.jspdl.media.internal.pixels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Quality;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.internal.ffmpeg.PixelFormat;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.memory.ElementType;

/// Turns decoded pictures into the pixels of a tensor with libswscale: scaled and colored in one conversion, straight
/// into the tensor where the output is made of bytes and nothing is cut or turned.
///
/// Keeps its tables from one picture to the next; used by one thread at a time.
public final class FrameConverter implements AutoCloseable {
    /// SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP: chroma is interpolated, and rounding is exact.
    private static final int CAREFUL = 0x40000 | 0x2000 | 0x4000;
    /// SWS_FULL_CHR_H_INT: each pixel has chroma of its own, as planes always have. Where libswscale has no quick
    /// conversion it would give packed pixels that of two, also of pictures whose chroma is not reduced.
    private static final int OWN_CHROMA = 0x2000;

    /// libswscale's vector code writes whole groups of pixels. Its quick conversion of 4:2:0 and 4:2:2 writes
    /// nothing but whole groups: a row's last pixels stay as they were.
    private static final int GROUP = 16;

    private static final int SLACK = 64;
    private static final int NIBBLE = 4;
    private static final int UNKNOWN_COLORS = 2;
    /// Matrices that libswscale takes for BT.601, by their numbers in ITU-T H.273: YCgCo, BT.2020 with constant
    /// luminance, SMPTE 2085, those that follow from the primaries, ICtCp, and what came later.
    private static final Set<Integer> OTHER_COLORS = Set.of(8, 10, 11, 12, 13, 14, 15, 16, 17);

    private final Scratch planes = new Scratch();
    private final Scratch resized = new Scratch();
    private final PictureScaler colors = new PictureScaler();
    private final PictureScaler luminance = new PictureScaler();
    private final GrayReader gray = new GrayReader();
    private final PixelWriter writer;
    private final ImageSpec spec;

    /// Where the pixels of one picture go.
    ///
    /// @param memory      the tensor's
    /// @param offset      of the first element, in bytes
    /// @param planeStride from one channel's plane to the next, in elements; 0 for interleaved channels
    public record Place(MemorySegment memory, long offset, long planeStride) {}

    /// What of a picture is scaled to which size.
    private record Part(int x, int y, int width, int height, int toWidth, int toHeight) {
        boolean isSameSize() {
            return width == toWidth && height == toHeight;
        }
    }

    /// For frames of this look.
    public FrameConverter(ImageSpec spec) {
        this.spec = spec;
        this.writer = new PixelWriter(spec);
    }

    /// Writes one picture.
    ///
    /// @throws IllegalArgumentException if its pixel format or its colors can't be converted
    public void convert(Frame frame, FrameGeometry geometry, Place place) {
        AvNames.Pixels pixels = AvNames.pixels(frame.formatNumber());
        Part part = new Part(
                geometry.boxX(frame.width()),
                geometry.boxY(frame.height()),
                geometry.boxWidth(),
                geometry.boxHeight(),
                geometry.scaledWidth(),
                geometry.scaledHeight());
        if (GrayReader.reads(pixels)) {
            int stride = lineBytes(part.width);
            MemorySegment memory = planes.atLeast(planeBytes(stride, part.height));
            gray.read(frame, pixels, part.x, part.y, part.width, part.height, memory, stride);
            write(memory, 0, stride, 1, part, geometry, place);
            return;
        }
        if (!pixels.isRgb() && OTHER_COLORS.contains(frame.colorSpace())) {
            throw new IllegalArgumentException("the colors of its frames follow matrix " + frame.colorSpace()
                    + " of ITU-T H.273, which can't be converted to RGB");
        }
        ChromaGrid grid = ChromaGrid.of(frame, pixels);
        if (pixels.isRgb() && pixels.depth() < Byte.SIZE) {
            convertFewBits(frame, grid, part, geometry, place);
            return;
        }
        int left = grid.columnsBefore(part.x);
        int above = grid.rowsBefore(part.y);
        boolean begins = left == 0 && above == 0;
        boolean ends = grid.columnsAfter(part.x + part.width) == 0 && grid.rowsAfter(part.y + part.height) == 0;
        boolean whole = begins && ends;
        boolean exact = part.isSameSize() || spec.quality() == Quality.EXACT;
        if ((exact && !whole) || (!begins && !grid.canBeginAnywhere())) {
            convertFromWholeChroma(frame, grid, left, above, part, geometry, place);
        } else {
            convertAtOnce(frame, grid, part, geometry, place);
        }
    }

    /// Straight to the tensor if it can be, or through planes of bytes.
    private void convertAtOnce(Frame frame, ChromaGrid grid, Part part, FrameGeometry geometry, Place place) {
        boolean toGray = spec.channels() == Channels.GRAY;
        int width = part.toWidth;
        boolean direct = spec.elements() == ElementType.UINT8 && geometry.isPlain() && width % GROUP == 0;
        long first = place.memory.address() + place.offset;
        if (direct && (toGray || (spec.layout() == Layout.NHWC && part.isSameSize()))) {
            int format = toGray
                    ? PixelFormat.GRAY8
                    : spec.channels() == Channels.RGB ? PixelFormat.RGB24 : PixelFormat.BGR24;
            colors.target(0, first, width * spec.channels().count());
            scale(frame, grid, part, format);
        } else if (direct && spec.layout() == Layout.NCHW) {
            for (int c = 0; c < 3; c++) {
                colors.target(plane(c), first + c * place.planeStride, width);
            }
            scale(frame, grid, part, PixelFormat.GBRP);
        } else {
            int stride = lineBytes(width);
            writer.write(
                    toPlanes(frame, grid, part, stride), planeBytes(stride, part.toHeight), stride, geometry, place);
        }
    }

    /// A part that begins or ends between two samples of chroma: from the samples around it, at the picture's size,
    /// and cut and resized afterwards. libswscale would take the last sample for a whole one, and stretch the
    /// others.
    private void convertFromWholeChroma(
            Frame frame, ChromaGrid grid, int left, int above, Part part, FrameGeometry geometry, Place place) {
        int width = left + part.width + grid.columnsAfter(part.x + part.width);
        int height = above + part.height + grid.rowsAfter(part.y + part.height);
        int stride = lineBytes(width);
        MemorySegment memory =
                toPlanes(frame, grid, new Part(part.x - left, part.y - above, width, height, width, height), stride);
        write(
                memory.asSlice((long) above * stride + left),
                planeBytes(stride, height),
                stride,
                spec.channels().count(),
                part,
                geometry,
                place);
    }

    /// Writes planes of the picture's size, of which there are `count`, resized if need be.
    ///
    /// @param planeBytes from one plane to the next, 0 if all channels are the same
    private void write(
            MemorySegment memory,
            long planeBytes,
            int stride,
            int count,
            Part part,
            FrameGeometry geometry,
            Place place) {
        if (part.isSameSize()) {
            writer.write(memory, planeBytes, stride, geometry, place);
            return;
        }
        int toStride = lineBytes(part.toWidth);
        long toBytes = planeBytes(toStride, part.toHeight);
        MemorySegment to = resized.atLeast(count * toBytes);
        for (int c = 0; c < count; c++) {
            luminance.source(0, memory.address() + c * planeBytes, stride);
            luminance.target(0, to.address() + c * toBytes, toStride);
            convert(
                    luminance,
                    new PictureScaler.Conversion(
                            part.width,
                            part.height,
                            PixelFormat.GRAY8,
                            part.toWidth,
                            part.toHeight,
                            PixelFormat.GRAY8,
                            filter() | CAREFUL,
                            UNKNOWN_COLORS,
                            true,
                            ChromaGrid.CENTERED,
                            ChromaGrid.CENTERED));
        }
        writer.write(to, planeBytes == 0 ? 0 : toBytes, toStride, geometry, place);
    }

    /// Colors of fewer bits: to bytes in libswscale's quick conversion, which gives white for white, and then to
    /// planes.
    private void convertFewBits(Frame frame, ChromaGrid grid, Part part, FrameGeometry geometry, Place place) {
        int left = grid.columnsBefore(part.x);
        int width = left + part.width;
        int packed = lineBytes(3 * width);
        MemorySegment pixels = resized.atLeast(planeBytes(packed, part.height));
        boolean toGray = spec.channels() == Channels.GRAY;
        AvNames.Pixels format = AvNames.pixels(frame.formatNumber());
        if (format.depth() == NIBBLE && !format.isBitstream()) {
            readNibbles(frame, format, part, pixels, packed);
        } else {
            colors.target(0, pixels.address(), packed);
            scaleTo(
                    frame,
                    grid,
                    new Part(part.x - left, part.y, width, part.height, width, part.height),
                    PixelFormat.RGB24,
                    false);
        }
        int stride = lineBytes(part.width);
        long planeBytes = planeBytes(stride, part.height);
        int count = spec.channels().count();
        MemorySegment memory = planes.atLeast(count * planeBytes);
        for (int y = 0; y < part.height; y++) {
            for (int x = 0; x < part.width; x++) {
                long at = (long) y * packed + 3L * (left + x);
                for (int c = 0; c < count; c++) {
                    int color = spec.channels() == Channels.BGR ? 2 - c : c;
                    byte value = toGray ? luminance(pixels, at) : pixels.get(ValueLayout.JAVA_BYTE, at + color);
                    memory.set(ValueLayout.JAVA_BYTE, c * planeBytes + (long) y * stride + x, value);
                }
            }
        }
        write(memory, planeBytes, stride, count, part, geometry, place);
    }

    /// Colors of four bits, of which libswscale makes the upper half of a byte: its white is 240.
    private static void readNibbles(Frame frame, AvNames.Pixels format, Part part, MemorySegment into, int packed) {
        // FFmpeg describes bytes of words; those of the other order lie one behind.
        int first = format.isBigEndian() ? 1 : 0;
        for (int y = 0; y < part.height; y++) {
            for (int x = 0; x < part.width; x++) {
                for (int c = 0; c < 3; c++) {
                    AvNames.Pixels.Component component = format.parts().get(c);
                    long at = frame.planeAddress(0)
                            + (long) (part.y + y) * frame.stride(0)
                            + (long) (part.x + x) * component.step()
                            + component.offset()
                            + first;
                    int value = C.MEMORY.get(ValueLayout.JAVA_BYTE, at) >> component.shift() & 0xF;
                    into.set(ValueLayout.JAVA_BYTE, (long) y * packed + 3L * x + c, (byte) (value * 0x11));
                }
            }
        }
    }

    /// BT.601, as for other pictures of red, green and blue.
    private static byte luminance(MemorySegment pixels, long at) {
        return (byte) Math.round(0.299f * (pixels.get(ValueLayout.JAVA_BYTE, at) & 0xFF)
                + 0.587f * (pixels.get(ValueLayout.JAVA_BYTE, at + 1) & 0xFF)
                + 0.114f * (pixels.get(ValueLayout.JAVA_BYTE, at + 2) & 0xFF));
    }

    private MemorySegment toPlanes(Frame frame, ChromaGrid grid, Part part, int stride) {
        boolean toGray = spec.channels() == Channels.GRAY;
        long planeBytes = planeBytes(stride, part.toHeight);
        int count = spec.channels().count();
        MemorySegment memory = planes.atLeast(count * planeBytes);
        for (int c = 0; c < count; c++) {
            colors.target(toGray ? 0 : plane(c), memory.address() + c * planeBytes, stride);
        }
        scale(frame, grid, part, toGray ? PixelFormat.GRAY8 : PixelFormat.GBRP);
        return memory;
    }

    private static int lineBytes(int width) {
        return (width + GROUP - 1) / GROUP * GROUP;
    }

    private static long planeBytes(int stride, int rows) {
        return (long) stride * rows + SLACK;
    }

    /// Where GBRP keeps the output's channel `c`.
    private int plane(int c) {
        int color = spec.channels() == Channels.BGR ? 2 - c : c;
        return (color + 2) % 3;
    }

    private int filter() {
        return switch (spec.interpolation()) {
            case AREA -> 0x20;
            case BILINEAR -> 2;
            case BICUBIC -> 4;
        };
    }

    private void scale(Frame frame, ChromaGrid grid, Part part, int format) {
        boolean careful = !part.isSameSize() || spec.quality() == Quality.EXACT;
        int extra = 0;
        if (!careful && part.width % GROUP != 0 && isConvertedInGroups(frame, format)) {
            // The decoder's lines are longer than the picture; what lies there is converted too, and not
            // used.
            extra = GROUP - part.width % GROUP;
            careful = part.height % 2 != 0 || !grid.hasRoom(part.x + part.width + extra);
            extra = careful ? 0 : extra;
        }
        scaleTo(
                frame,
                grid,
                new Part(part.x, part.y, part.width + extra, part.height, part.toWidth + extra, part.toHeight),
                format,
                careful);
    }

    private void scaleTo(Frame frame, ChromaGrid grid, Part part, int format, boolean careful) {
        grid.give(colors, part.x, part.y, part.width, part.height);
        convert(
                colors,
                new PictureScaler.Conversion(
                        part.width,
                        part.height,
                        frame.formatNumber(),
                        part.toWidth,
                        part.toHeight,
                        format,
                        filter() | (careful ? CAREFUL : OWN_CHROMA),
                        frame.colorSpace(),
                        frame.isFullRange(),
                        grid.across(part.x, part.width),
                        grid.down(part.y, part.height)));
    }

    private static void convert(PictureScaler scaler, PictureScaler.Conversion conversion) {
        if (!scaler.convert(conversion)) {
            throw new IllegalArgumentException("frames of format " + AvNames.pixelFormat(conversion.format()) + " and "
                    + conversion.width() + " x " + conversion.height() + " pixels can't be converted to "
                    + conversion.toWidth() + " x " + conversion.toHeight());
        }
    }

    /// Whether libswscale has a quick conversion from the frame's format that writes whole groups of pixels. It
    /// takes pictures with an even number of rows.
    private static boolean isConvertedInGroups(Frame frame, int format) {
        return format != PixelFormat.GRAY8
                && switch (frame.formatNumber()) {
                    case PixelFormat.YUV420P,
                            PixelFormat.YUV422P,
                            PixelFormat.YUVA420P,
                            PixelFormat.YUVJ420P,
                            PixelFormat.YUVJ422P -> true;
                    default -> false;
                };
    }

    @Override
    public void close() {
        colors.close();
        luminance.close();
        planes.close();
        resized.close();
    }
}
