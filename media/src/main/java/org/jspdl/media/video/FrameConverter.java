package org.jspdl.media.video;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Quality;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.internal.ffmpeg.PixelFormat;
import org.jspdl.media.internal.ffmpeg.SwScale;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.stream.Frame;
import org.jspdl.memory.ElementType;

/// Turns decoded pictures into the pixels of a tensor with libswscale: scaled and colored in one conversion, straight
/// into the tensor where the output is made of bytes and nothing is cut or turned.
///
/// Keeps its tables from one picture to the next; used by one thread at a time.
final class FrameConverter implements AutoCloseable {
    /// SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP: chroma is interpolated, and rounding is exact.
    private static final int CAREFUL = 0x40000 | 0x2000 | 0x4000;
    /// libswscale's vector code writes whole groups of pixels. Its quick conversion of 4:2:0 and 4:2:2 writes
    /// nothing but whole groups: a row's last pixels stay as they were.
    private static final int GROUP = 16;

    private static final int SLACK = 64;
    /// `AVCHROMA_LOC_CENTER`; usually chroma lies at the left.
    private static final int CENTER = 2;
    /// Positions of chroma: libswscale's choice, or halfway between two pixels.
    private static final int UNSET = -513;

    private static final int MIDDLE = 128;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment from = arena.allocate(32, 8);
    private final MemorySegment fromStrides = arena.allocate(16, 8);
    private final MemorySegment to = arena.allocate(32, 8);
    private final MemorySegment toStrides = arena.allocate(16, 8);
    private final Scratch planes = new Scratch();
    private final PixelWriter writer;
    private final ImageSpec spec;
    private MemorySegment context = MemorySegment.NULL;
    private Conversion conversion = Conversion.NONE;
    private boolean closed;

    /// What a context of libswscale is for.
    private record Conversion(
            int width,
            int height,
            int format,
            int toWidth,
            int toHeight,
            int toFormat,
            int colors,
            boolean full,
            boolean careful) {
        static final Conversion NONE = new Conversion(0, 0, 0, 0, 0, 0, 0, false, false);
    }

    /// Where the pixels of one picture go.
    ///
    /// @param memory      the tensor's
    /// @param offset      of the first element, in bytes
    /// @param planeStride from one channel's plane to the next, in elements; 0 for interleaved channels
    record Place(MemorySegment memory, long offset, long planeStride) {}

    FrameConverter(ImageSpec spec) {
        this.spec = spec;
        this.writer = new PixelWriter(spec);
    }

    /// Writes one picture.
    ///
    /// @throws IllegalArgumentException if its pixel format can't be converted
    void convert(Frame frame, FrameGeometry geometry, Place place) {
        boolean bytes = spec.elements() == ElementType.UINT8;
        boolean gray = spec.channels() == Channels.GRAY;
        boolean sameSize =
                geometry.scaledWidth() == geometry.boxWidth() && geometry.scaledHeight() == geometry.boxHeight();
        int width = geometry.scaledWidth();
        boolean direct = bytes && geometry.isPlain() && width % GROUP == 0;
        if (direct && (gray || (spec.layout() == Layout.NHWC && sameSize))) {
            int format =
                    gray ? PixelFormat.GRAY8 : spec.channels() == Channels.RGB ? PixelFormat.RGB24 : PixelFormat.BGR24;
            target(
                    0,
                    place.memory.address() + place.offset,
                    width * spec.channels().count());
            scale(frame, geometry, format);
        } else if (direct && spec.layout() == Layout.NCHW) {
            long first = place.memory.address() + place.offset;
            for (int c = 0; c < 3; c++) {
                target(plane(c), first + c * place.planeStride, width);
            }
            scale(frame, geometry, PixelFormat.GBRP);
        } else {
            assemble(frame, geometry, place, gray);
        }
    }

    /// Through planes of bytes in between.
    private void assemble(Frame frame, FrameGeometry geometry, Place place, boolean gray) {
        int stride = (geometry.scaledWidth() + GROUP - 1) / GROUP * GROUP;
        int count = gray ? 1 : 3;
        long planeBytes = (long) stride * geometry.scaledHeight() + SLACK;
        MemorySegment memory = planes.atLeast(count * planeBytes);
        for (int c = 0; c < count; c++) {
            target(gray ? 0 : plane(c), memory.address() + c * planeBytes, stride);
        }
        scale(frame, geometry, gray ? PixelFormat.GRAY8 : PixelFormat.GBRP);
        writer.write(memory, planeBytes, stride, geometry, place);
    }

    /// Where GBRP keeps the output's channel `c`.
    private int plane(int c) {
        int color = spec.channels() == Channels.BGR ? 2 - c : c;
        return (color + 2) % 3;
    }

    private void target(int plane, long address, int stride) {
        to.set(ValueLayout.JAVA_LONG, 8L * plane, address);
        toStrides.set(ValueLayout.JAVA_INT, 4L * plane, stride);
    }

    private void scale(Frame frame, FrameGeometry geometry, int format) {
        AvNames.Pixels pixels = AvNames.pixels(frame.formatNumber());
        int x = geometry.boxX(frame.width()) >> pixels.log2ChromaW() << pixels.log2ChromaW();
        int y = geometry.boxY(frame.height()) >> pixels.log2ChromaH() << pixels.log2ChromaH();
        int width = geometry.boxWidth();
        boolean sameSize = width == geometry.scaledWidth() && geometry.boxHeight() == geometry.scaledHeight();
        boolean careful = !sameSize || spec.quality() == Quality.EXACT;
        int extra = 0;
        if (!careful && width % GROUP != 0 && isConvertedInGroups(frame, format)) {
            // The decoder's lines are longer than the picture; what lies there is converted too, and not
            // used.
            extra = GROUP - width % GROUP;
            careful = geometry.boxHeight() % 2 != 0 || !hasRoom(frame, pixels, x + width + extra);
            extra = careful ? 0 : extra;
        }
        Conversion wanted = new Conversion(
                width + extra,
                geometry.boxHeight(),
                frame.formatNumber(),
                geometry.scaledWidth() + extra,
                geometry.scaledHeight(),
                format,
                frame.colorSpace(),
                frame.isFullRange(),
                careful);
        if (!wanted.equals(conversion)) {
            prepare(wanted, frame);
        }
        for (int p = 0; p < 4; p++) {
            int stride = frame.stride(p);
            boolean chroma = (p == 1 || p == 2) && !pixels.isRgb();
            long row = chroma ? y >> pixels.log2ChromaH() : y;
            long column = chroma ? x >> pixels.log2ChromaW() : x;
            // Chroma that is interleaved in one plane has two samples a step.
            int step = chroma && frame.stride(2) == 0 ? 2 * ((pixels.depth() + 7) / 8) : pixels.step();
            // A palette is a plane without lines.
            from.set(
                    ValueLayout.JAVA_LONG,
                    8L * p,
                    frame.planeAddress(p) + (stride == 0 ? 0 : row * stride + column * step));
            fromStrides.set(ValueLayout.JAVA_INT, 4L * p, stride);
        }
        int rows = SwScale.convert(context, from, fromStrides, geometry.boxHeight(), to, toStrides);
        if (rows != geometry.scaledHeight()) {
            throw new IllegalArgumentException("frames of format " + frame.format() + " could not be converted");
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

    /// Whether the lines of all planes of bytes have memory for `width` pixels.
    private static boolean hasRoom(Frame frame, AvNames.Pixels pixels, int width) {
        int chroma = -(-width >> pixels.log2ChromaW());
        return frame.stride(0) >= width && frame.stride(1) >= chroma && frame.stride(2) >= chroma;
    }

    private void prepare(Conversion wanted, Frame frame) {
        freeContext();
        int filter = switch (spec.interpolation()) {
            case AREA -> 0x20;
            case BILINEAR -> 2;
            case BICUBIC -> 4;
        };
        AvNames.Pixels chroma = AvNames.pixels(wanted.format);
        context = SwScale.context(
                wanted.width,
                wanted.height,
                wanted.format,
                wanted.toWidth,
                wanted.toHeight,
                wanted.toFormat,
                wanted.careful ? filter | CAREFUL : filter,
                chroma.isRgb() || chroma.log2ChromaW() == 0 || frame.chromaLocation() != CENTER ? UNSET : MIDDLE,
                chroma.isRgb() || chroma.log2ChromaH() == 0 ? UNSET : MIDDLE);
        if (context.address() == 0) {
            throw new IllegalArgumentException("frames of format " + frame.format() + " and " + wanted.width + " x "
                    + wanted.height + " pixels can't be converted to " + wanted.toWidth + " x " + wanted.toHeight);
        }
        SwScale.source(context, wanted.colors, wanted.full);
        conversion = wanted;
    }

    private void freeContext() {
        conversion = Conversion.NONE;
        if (context.address() != 0) {
            SwScale.free(context);
            context = MemorySegment.NULL;
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            freeContext();
            planes.close();
            arena.close();
        }
    }
}
