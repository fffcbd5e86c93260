package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.PixelFormat;
import org.jspdl.media.internal.ffmpeg.convert.SwScale;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.internal.resample.Alpha;
import org.jspdl.media.internal.resample.HighBitDepthPicture;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.media.internal.resample.Picture.Model;
import org.jspdl.media.internal.resample.Upsampling;

/// Describes the pictures that FFmpeg decoded: where they lie if their format is one that we resample, else converted
/// in memory of its own.
final class FrameReader implements AutoCloseable {
    /// What libswscale may write beyond a plane.
    private static final long SLACK = 64;
    /// Numbers of ITU-T H.273 for red, green and blue as they are, for the matrix of BT.601, and for none given.
    private static final int IDENTITY = 0;
    private static final int UNKNOWN = 2;
    private static final int BT_470BG = 5;
    private static final int SMPTE_170M = 6;
    private static final int YCGCO = 8;
    private static final int BT_2020 = 10;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Scratch small = new Scratch();
    private final Scratch converted = new Scratch();
    private final Scratch alpha = new Scratch();
    private final Scratch canvas = new Scratch();
    private final Picture placed = new Picture();
    private final HighBitDepthPicture deep = new HighBitDepthPicture();
    private final MemorySegment pointers;
    private final MemorySegment strides;
    private MemorySegment conversion = MemorySegment.NULL;
    /// For formats that say what their luminance and chroma mean, which a context remembers.
    private MemorySegment describedConversion = MemorySegment.NULL;

    FrameReader() {
        MemorySegment fields = small.atLeast(48);
        pointers = fields.asSlice(0, 32);
        strides = fields.asSlice(32, 16);
    }

    /// Planes of 8 bits.
    void read(MemorySegment frame, ImageHeader header, boolean keepsAlpha, Picture into) {
        int format = AvFrame.format(frame);
        // the palette of a BMP file, and pixels of 32 bits, have bytes that mean nothing
        boolean hasAlpha = PixelFormat.hasAlpha(format) && (header.format != ImageFormat.BMP || header.channels == 4);
        if (keepsAlpha && header.transparentGray >= 0) {
            readTransparentGray(frame, header, into);
            return;
        }
        if (isLimitedGray(frame, header)) {
            long stride = roundUp(header.width);
            MemorySegment memory = converted.atLeast(stride * header.height);
            limitedGray(frame, header, 255, memory, stride);
            into.begin(header.width, header.height, Model.GRAY, Upsampling.NONE, Upsampling.NONE);
            into.plane(0).set(memory, 0, stride, header.width, header.height);
            return;
        }
        if (PixelFormat.depth(format) > Byte.SIZE && (PixelFormat.isGray(format) || PixelFormat.isRgb(format))) {
            // libswscale dithers, and divides by 256
            readHighBitDepth(frame, header, deep);
            deep.toBytes(keepsAlpha, canvas::atLeast, into);
            return;
        }
        if (keepsAlpha && hasAlpha) {
            convert(frame, header, PixelFormat.GBRAP, Model.RGBA, into);
            return;
        }
        switch (format) {
            case PixelFormat.YUVJ420P -> jpegPlanes(frame, into, 2, 2);
            case PixelFormat.YUVJ422P -> jpegPlanes(frame, into, 2, 1);
            case PixelFormat.YUVJ440P -> jpegPlanes(frame, into, 1, 2);
            case PixelFormat.YUVJ444P -> jpegPlanes(frame, into, 1, 1);
            case PixelFormat.YUVJ411P -> jpegPlanes(frame, into, 4, 1);
            case PixelFormat.GRAY8 -> planes(frame, into, Model.GRAY, Upsampling.NONE, Upsampling.NONE);
            case PixelFormat.RGB555, PixelFormat.RGB565, PixelFormat.RGB444 -> shorts(frame, header, format, into);
            case PixelFormat.YUV420P -> {
                if (isLikeJpeg(frame, header)) {
                    planes(frame, into, Model.YCBCR, Upsampling.LINEAR_2, Upsampling.LINEAR_2);
                } else if (header.format == ImageFormat.WEBP) {
                    convert(frame, header, PixelFormat.YUVJ420P, Model.YCBCR, into);
                } else {
                    convert(frame, header, PixelFormat.GBRP, Model.RGB, into);
                }
            }
            default -> {
                if (PixelFormat.isGray(format)) {
                    convert(frame, header, PixelFormat.GRAY8, Model.GRAY, into);
                } else {
                    convert(frame, header, PixelFormat.GBRP, Model.RGB, into);
                }
            }
        }
    }

    /// A picture of less than 8 bits of which one gray is transparent: of 1 bit FFmpeg does not say so, of 2 and 4
    /// it looks for another gray.
    private void readTransparentGray(MemorySegment frame, ImageHeader header, Picture into) {
        convert(frame, header, PixelFormat.GBRP, Model.RGB, into);
        into.begin(header.width, header.height, Model.RGBA, Upsampling.NONE, Upsampling.NONE);
        long stride = roundUp(header.width);
        MemorySegment memory = alpha.atLeast(stride * header.height);
        Picture.Plane gray = into.plane(0);
        for (int y = 0; y < header.height; y++) {
            for (int x = 0; x < header.width; x++) {
                int value = gray.memory().get(ValueLayout.JAVA_BYTE, gray.row(y) + x) & 0xFF;
                memory.set(ValueLayout.JAVA_BYTE, y * stride + x, (byte) (value == header.transparentGray ? 0 : 255));
            }
        }
        into.plane(3).set(memory, 0, stride, header.width, header.height);
    }

    /// Pixels of 16 bits: libswscale would make no color brighter than 248.
    private void shorts(MemorySegment frame, ImageHeader header, int format, Picture into) {
        int each = format == PixelFormat.RGB444 ? 4 : 5;
        int green = format == PixelFormat.RGB565 ? 6 : each;
        int[] bits = {each, green, each};
        int[] shifts = {each + green, each, 0};
        long stride = roundUp(header.width);
        long planeBytes = stride * header.height;
        MemorySegment memory = converted.atLeast(3 * planeBytes);
        long line = stride(frame, 0, 2L * header.width);
        MemorySegment data = AvFrame.data(frame, 0, (header.height - 1) * line + 2L * header.width);
        into.begin(header.width, header.height, Model.RGB, Upsampling.NONE, Upsampling.NONE);
        for (int p = 0; p < 3; p++) {
            int most = (1 << bits[p]) - 1;
            for (int y = 0; y < header.height; y++) {
                for (int x = 0; x < header.width; x++) {
                    int value = data.get(SHORT, y * line + 2L * x) >> shifts[p] & most;
                    memory.set(ValueLayout.JAVA_BYTE, p * planeBytes + y * stride + x, (byte) (value * 255 / most));
                }
            }
            into.plane(p).set(memory, p * planeBytes, stride, header.width, header.height);
        }
    }

    /// Whether colors were made luminance and chroma as in a JPEG file, so that the planes can be used as they
    /// are.
    private static boolean isLikeJpeg(MemorySegment frame, ImageHeader header) {
        int space = AvFrame.colorSpace(frame);
        return header.isHeif()
                && AvFrame.isFullRange(frame)
                && (space == BT_470BG || space == SMPTE_170M || space == UNKNOWN);
    }

    private static boolean isLimitedGray(MemorySegment frame, ImageHeader header) {
        return header.isHeif() && !AvFrame.isFullRange(frame) && PixelFormat.isGray(AvFrame.format(frame));
    }

    /// Gray of the limited range, of any depth, which libswscale takes for that of the whole range.
    ///
    /// @param most the value of white in `into`: of one byte, or of two
    private void limitedGray(MemorySegment frame, ImageHeader header, int most, MemorySegment into, long stride) {
        int depth = PixelFormat.depth(AvFrame.format(frame));
        int[] levels = new int[1 << depth];
        int unit = 1 << (depth - Byte.SIZE);
        for (int v = 0; v < levels.length; v++) {
            levels[v] = Math.clamp(Math.round((v - 16.0 * unit) * most / (219.0 * unit)), 0, most);
        }
        int bytes = depth > Byte.SIZE ? 2 : 1;
        long line = stride(frame, 0, (long) bytes * header.width);
        MemorySegment data = AvFrame.data(frame, 0, (header.height - 1) * line + (long) bytes * header.width);
        for (int y = 0; y < header.height; y++) {
            for (int x = 0; x < header.width; x++) {
                int stored = bytes == 1
                        ? data.get(ValueLayout.JAVA_BYTE, y * line + x) & 0xFF
                        : data.get(SHORT, y * line + 2L * x) & levels.length - 1;
                if (most > 255) {
                    into.set(SHORT, y * stride + 2L * x, (short) levels[stored]);
                } else {
                    into.set(ValueLayout.JAVA_BYTE, y * stride + x, (byte) levels[stored]);
                }
            }
        }
    }

    private static void jpegPlanes(MemorySegment frame, Picture into, int across, int down) {
        Upsampling enlarged = Upsampling.acrossOfJpeg(across, Math.ceilDiv(AvFrame.width(frame), across));
        planes(frame, into, Model.YCBCR, enlarged, Upsampling.downOfJpeg(down, enlarged));
    }

    private static void planes(MemorySegment frame, Picture into, Model model, Upsampling across, Upsampling down) {
        int width = AvFrame.width(frame);
        int height = AvFrame.height(frame);
        into.begin(width, height, model, across, down);
        for (int p = 0; p < model.planes(); p++) {
            int columns = p == 0 ? width : Math.ceilDiv(width, across.factor());
            int rows = p == 0 ? height : Math.ceilDiv(height, down.factor());
            into.plane(p).set(C.MEMORY, AvFrame.address(frame, p), stride(frame, p, columns), columns, rows);
        }
    }

    private static long stride(MemorySegment frame, int index, long bytes) {
        long stride = AvFrame.lineSize(frame, index);
        if (stride < bytes) {
            throw DecodeException.because("FFmpeg gave lines of " + stride + " bytes for " + bytes);
        }
        return stride;
    }

    private void convert(MemorySegment frame, ImageHeader header, int to, Model model, Picture into) {
        int width = header.width;
        int height = header.height;
        int chroma = model == Model.YCBCR ? 2 : 1;
        long stride = roundUp(width);
        long planeBytes = stride * height + SLACK;
        MemorySegment memory = converted.atLeast(planeBytes * model.planes());
        Upsampling sampling = chroma == 2 ? Upsampling.LINEAR_2 : Upsampling.NONE;
        into.begin(width, height, model, sampling, sampling);
        for (int p = 0; p < model.planes(); p++) {
            // GBRP keeps green, blue and red, in this order; we keep red, green and blue.
            boolean color = p < 3 && (model == Model.RGB || model == Model.RGBA);
            target(p, memory.address() + (color ? (p + 1) % 3 : p) * planeBytes, stride);
            int part = p == 0 ? 1 : chroma;
            into.plane(p).set(memory, p * planeBytes, stride, Math.ceilDiv(width, part), Math.ceilDiv(height, part));
        }
        scale(frame, header, to);
    }

    /// Planes of 8 bits of a picture that covers only a part of its canvas, of which the rest is black, and
    /// transparent if alpha is kept.
    ///
    /// @param alone  the header of the picture itself
    /// @param header says where it lies
    void readOntoCanvas(MemorySegment frame, ImageHeader alone, ImageHeader header, boolean keepsAlpha, Picture into) {
        boolean hasAlpha = keepsAlpha && PixelFormat.hasAlpha(AvFrame.format(frame));
        convert(
                frame,
                alone,
                hasAlpha ? PixelFormat.GBRAP : PixelFormat.GBRP,
                hasAlpha ? Model.RGBA : Model.RGB,
                placed);
        Model model = keepsAlpha ? Model.RGBA : Model.RGB;
        long stride = roundUp(header.width);
        long planeBytes = stride * header.height;
        MemorySegment memory = canvas.atLeast(planeBytes * model.planes());
        memory.asSlice(0, planeBytes * model.planes()).fill((byte) 0);
        into.begin(header.width, header.height, model, Upsampling.NONE, Upsampling.NONE);
        for (int p = 0; p < model.planes(); p++) {
            long to = p * planeBytes + header.place.top() * stride + header.place.left();
            for (int y = 0; y < alone.height; y++, to += stride) {
                if (p < placed.model().planes()) {
                    Picture.Plane from = placed.plane(p);
                    MemorySegment.copy(from.memory(), from.row(y), memory, to, alone.width);
                } else {
                    memory.asSlice(to, alone.width).fill((byte) 0xFF);
                }
            }
            into.plane(p).set(memory, p * planeBytes, stride, header.width, header.height);
        }
    }

    /// Planes of 8 bits with the alpha that lies in a picture of its own.
    void readWithAlpha(MemorySegment frame, MemorySegment alphaFrame, ImageHeader header, Picture into) {
        if (isLimitedGray(frame, header)) {
            long stride = roundUp(header.width);
            long bytes = stride * header.height;
            MemorySegment gray = converted.atLeast(3 * bytes);
            for (int p = 0; p < 3; p++) {
                limitedGray(frame, header, 255, gray.asSlice(p * bytes, bytes), stride);
                into.plane(p).set(gray, p * bytes, stride, header.width, header.height);
            }
        } else {
            convert(frame, header, PixelFormat.GBRP, Model.RGB, into);
        }
        into.begin(header.width, header.height, Model.RGBA, Upsampling.NONE, Upsampling.NONE);
        long stride = roundUp(header.width);
        MemorySegment memory = alpha.atLeast(stride * header.height + SLACK);
        if (PixelFormat.depth(AvFrame.format(alphaFrame)) > Byte.SIZE) {
            convertHighBitDepth(alphaFrame, header, PixelFormat.GRAY16_LE, 1, canvas, deep);
            deep.toBytes(0, memory, 0, stride);
        } else {
            target(0, memory.address(), stride);
            scale(alphaFrame, header, PixelFormat.GRAY8);
        }
        into.plane(3).set(memory, 0, stride, header.width, header.height);
    }

    /// Interleaved samples of 16 bits.
    void readHighBitDepth(MemorySegment frame, ImageHeader header, HighBitDepthPicture into) {
        int format = AvFrame.format(frame);
        if (isLimitedGray(frame, header)) {
            long stride = roundUp(2L * header.width);
            MemorySegment memory = converted.atLeast(stride * header.height);
            limitedGray(frame, header, 65_535, memory, stride);
            into.set(memory, stride, header.width, header.height, 1, ByteOrder.LITTLE_ENDIAN);
            return;
        }
        switch (format) {
            case PixelFormat.GRAY16_BE -> deep(frame, header, 1, ByteOrder.BIG_ENDIAN, into);
            case PixelFormat.GRAY16_LE -> deep(frame, header, 1, ByteOrder.LITTLE_ENDIAN, into);
            case PixelFormat.GRAY_ALPHA16_BE -> deep(frame, header, 2, ByteOrder.BIG_ENDIAN, into);
            case PixelFormat.GRAY_ALPHA16_LE -> deep(frame, header, 2, ByteOrder.LITTLE_ENDIAN, into);
            case PixelFormat.RGB48_BE -> deep(frame, header, 3, ByteOrder.BIG_ENDIAN, into);
            case PixelFormat.RGB48_LE -> deep(frame, header, 3, ByteOrder.LITTLE_ENDIAN, into);
            case PixelFormat.RGBA64_BE -> deep(frame, header, 4, ByteOrder.BIG_ENDIAN, into);
            case PixelFormat.RGBA64_LE -> deep(frame, header, 4, ByteOrder.LITTLE_ENDIAN, into);
            default -> {
                if (PixelFormat.hasAlpha(format)) {
                    convertHighBitDepth(frame, header, PixelFormat.RGBA64_LE, 4, converted, into);
                } else if (PixelFormat.isGray(format)) {
                    convertHighBitDepth(frame, header, PixelFormat.GRAY16_LE, 1, converted, into);
                } else {
                    convertHighBitDepth(frame, header, PixelFormat.RGB48_LE, 3, converted, into);
                }
            }
        }
    }

    /// Interleaved samples of 16 bits with the alpha that lies in a picture of its own.
    void readHighBitDepthWithAlpha(
            MemorySegment frame, MemorySegment alphaFrame, ImageHeader header, HighBitDepthPicture into) {
        MemorySegment alphas = convertHighBitDepth(alphaFrame, header, PixelFormat.GRAY16_LE, 1, alpha, into);
        MemorySegment pixels = highBitDepthColors(frame, header, into);
        for (int y = 0; y < header.height; y++) {
            long from = y * roundUp(2L * header.width);
            long to = y * roundUp(8L * header.width);
            for (int x = 0; x < header.width; x++) {
                short alpha = alphas.get(SHORT, from + 2L * x);
                long pixel = to + 8L * x;
                pixels.set(SHORT, pixel + 6, alpha);
                for (int c = 0; c < 3 && header.premultiplied; c++) {
                    int value = pixels.get(SHORT, pixel + 2L * c) & 0xFFFF;
                    pixels.set(SHORT, pixel + 2L * c, (short) Alpha.divided(value, alpha & 0xFFFF, 0xFFFF));
                }
            }
        }
    }

    /// Pixels of four samples, of which the last one is left for alpha.
    private MemorySegment highBitDepthColors(MemorySegment frame, ImageHeader header, HighBitDepthPicture into) {
        if (!isLimitedGray(frame, header)) {
            return convertHighBitDepth(frame, header, PixelFormat.RGBA64_LE, 4, converted, into);
        }
        long stride = roundUp(8L * header.width);
        MemorySegment memory = converted.atLeast(stride * header.height + SLACK);
        limitedGray(frame, header, 65_535, memory, stride);
        for (int y = 0; y < header.height; y++) {
            // from the right, as a pixel lies behind its gray
            for (int x = header.width - 1; x >= 0; x--) {
                short gray = memory.get(SHORT, y * stride + 2L * x);
                for (int c = 0; c < 3; c++) {
                    memory.set(SHORT, y * stride + 8L * x + 2L * c, gray);
                }
            }
        }
        into.set(memory, stride, header.width, header.height, 4, ByteOrder.LITTLE_ENDIAN);
        return memory;
    }

    private static void deep(
            MemorySegment frame, ImageHeader header, int channels, ByteOrder order, HighBitDepthPicture into) {
        long row = 2L * header.width * channels;
        long stride = stride(frame, 0, row);
        MemorySegment data = AvFrame.data(frame, 0, (header.height - 1) * stride + row);
        into.set(data, stride, header.width, header.height, channels, order);
    }

    private MemorySegment convertHighBitDepth(
            MemorySegment frame, ImageHeader header, int to, int channels, Scratch scratch, HighBitDepthPicture into) {
        long stride = roundUp(2L * header.width * channels);
        MemorySegment memory = scratch.atLeast(stride * header.height + SLACK);
        target(0, memory.address(), stride);
        scale(frame, header, to);
        into.set(memory, stride, header.width, header.height, channels, ByteOrder.LITTLE_ENDIAN);
        return memory;
    }

    private void target(int plane, long address, long stride) {
        pointers.set(ValueLayout.JAVA_LONG, 8L * plane, address);
        strides.set(ValueLayout.JAVA_INT, 4L * plane, Math.toIntExact(stride));
    }

    /// Converts the frame to the planes of [#target].
    private void scale(MemorySegment frame, ImageHeader header, int to) {
        // YCCK files become a format whose range is not known by its name.
        boolean described = header.isHeif() || (header.format == ImageFormat.JPEG && AvFrame.isFullRange(frame));
        MemorySegment context = SwScale.context(
                described ? describedConversion : conversion, header.width, header.height, AvFrame.format(frame), to);
        if (described) {
            describedConversion = context;
        } else {
            conversion = context;
        }
        if (context.address() == 0) {
            throw DecodeException.because(
                    header.format.label() + ": pixel format " + AvFrame.format(frame) + " is not supported");
        }
        int pixels = AvFrame.format(frame);
        boolean isRgb = PixelFormat.isRgb(pixels);
        boolean contradicts = isRgb ? header.matrix > 0 && header.matrix != UNKNOWN : header.matrix == IDENTITY;
        if (described && !PixelFormat.isGray(pixels) && (contradicts || isUnknownMatrix(AvFrame.colorSpace(frame)))) {
            throw DecodeException.because(String.format(
                    "%s of matrix coefficients %d is not supported", header.format.label(), AvFrame.colorSpace(frame)));
        }
        if (described) {
            SwScale.source(context, AvFrame.colorSpace(frame), AvFrame.isFullRange(frame));
        }
        int rows = SwScale.convert(context, frame, header.height, pointers, strides);
        if (rows != header.height) {
            throw DecodeException.because(header.format.label() + ": the pixel format could not be converted");
        }
    }

    /// Whether libswscale takes a matrix of ITU-T H.273 for another one: YCgCo, and those beyond BT.2020.
    private static boolean isUnknownMatrix(int space) {
        return space == YCGCO || space > BT_2020;
    }

    private static long roundUp(long bytes) {
        return (bytes + 63) / 64 * 64;
    }

    @Override
    public void close() {
        SwScale.free(conversion);
        SwScale.free(describedConversion);
        converted.close();
        alpha.close();
        canvas.close();
        small.close();
    }
}
