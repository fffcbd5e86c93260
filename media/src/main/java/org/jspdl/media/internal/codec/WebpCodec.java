package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.media.internal.ffmpeg.PixelFormat;
import org.jspdl.media.internal.ffmpeg.convert.SwScale;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.internal.resample.HighBitDepthPicture;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.media.internal.resample.Picture.Model;
import org.jspdl.media.internal.resample.Upsampling;
import org.jspdl.media.internal.webp.LibWebp;

/// WebP through libwebp: still pictures.
///
/// All others are given to FFmpeg's codec, and so are files that libwebp refuses, whole or not: what is wrong with them
/// is then said, and what is left of them kept, in one way.
final class WebpCodec implements ImageCodec {
    private static final int ALIGNMENT = 64;

    private final LibWebp library;
    private final FfmpegCodec others;
    private final Scratch decoded = new Scratch();
    private final Scratch planes = new Scratch();
    private final Scratch small = new Scratch();
    private final MemorySegment features;
    private final MemorySegment from;
    private final MemorySegment fromStrides;
    private final MemorySegment to;
    private final MemorySegment toStrides;
    private MemorySegment conversion = MemorySegment.NULL;

    /// @param others for what libwebp is not for; owned by the caller
    WebpCodec(LibWebp library, FfmpegCodec others) {
        this.library = library;
        this.others = others;
        MemorySegment fields = small.atLeast(LibWebp.FEATURES_BYTES + 96);
        features = fields.asSlice(0, LibWebp.FEATURES_BYTES);
        from = fields.asSlice(LibWebp.FEATURES_BYTES, 32);
        to = fields.asSlice(LibWebp.FEATURES_BYTES + 32, 32);
        fromStrides = fields.asSlice(LibWebp.FEATURES_BYTES + 64, 16);
        toStrides = fields.asSlice(LibWebp.FEATURES_BYTES + 80, 16);
    }

    @Override
    public void decode(
            MemorySegment encoded, ImageHeader header, int reduce, Region part, DecodeMode mode, Picture into) {
        boolean alpha = header.channels == 4 && mode.keepsAlpha();
        if (mode.keepsDamaged() || !decodeStill(encoded, header, alpha, into)) {
            others.decode(encoded, header, reduce, part, mode, into);
        }
    }

    @Override
    public void decodeHighBitDepth(
            MemorySegment encoded, ImageHeader header, DecodeMode mode, HighBitDepthPicture into) {
        others.decodeHighBitDepth(encoded, header, mode, into);
    }

    private boolean decodeStill(MemorySegment encoded, ImageHeader header, boolean keepsAlpha, Picture into) {
        if (!library.isStill(encoded, header.width, header.height, features)) {
            return false;
        }
        return (keepsAlpha || LibWebp.isLossless(features))
                ? decodePixels(encoded, header, keepsAlpha, into)
                : decodePlanes(encoded, header, into);
    }

    private boolean decodePlanes(MemorySegment encoded, ImageHeader header, Picture into) {
        int width = header.width;
        int height = header.height;
        int stride = roundUp(width);
        int halfStride = roundUp((width + 1) / 2);
        long lumaBytes = (long) stride * height;
        long chromaBytes = (long) halfStride * ((height + 1) / 2);
        long bytes = lumaBytes + 2 * chromaBytes;
        MemorySegment memory = decoded.atLeast(bytes + ALIGNMENT);
        MemorySegment luma = memory.asSlice(0, lumaBytes);
        MemorySegment blue = memory.asSlice(lumaBytes, chromaBytes);
        MemorySegment red = memory.asSlice(lumaBytes + chromaBytes, chromaBytes);
        if (!library.decodeYuv(encoded, luma, stride, blue, red, halfStride)) {
            return false;
        }
        MemorySegment full = planes.atLeast(bytes + ALIGNMENT);
        into.begin(width, height, Model.YCBCR, Upsampling.LINEAR_2, Upsampling.LINEAR_2);
        for (int p = 0; p < 3; p++) {
            long at = p == 0 ? 0 : lumaBytes + (p - 1) * chromaBytes;
            int planeStride = p == 0 ? stride : halfStride;
            set(from, fromStrides, p, memory.address() + at, planeStride);
            set(to, toStrides, p, full.address() + at, planeStride);
            into.plane(p)
                    .set(full, at, planeStride, p == 0 ? width : (width + 1) / 2, p == 0 ? height : (height + 1) / 2);
        }
        return convert(header, PixelFormat.YUV420P, PixelFormat.YUVJ420P);
    }

    private boolean decodePixels(MemorySegment encoded, ImageHeader header, boolean keepsAlpha, Picture into) {
        int width = header.width;
        int height = header.height;
        int pixelStride = roundUp((keepsAlpha ? 4 : 3) * width);
        MemorySegment pixels =
                decoded.atLeast((long) pixelStride * height + ALIGNMENT).asSlice(0, (long) pixelStride * height);
        if (!library.decodePixels(encoded, keepsAlpha, pixels, pixelStride)) {
            return false;
        }
        int stride = roundUp(width);
        long planeBytes = (long) stride * height;
        Model model = keepsAlpha ? Model.RGBA : Model.RGB;
        MemorySegment full = planes.atLeast(model.planes() * planeBytes + ALIGNMENT);
        into.begin(width, height, model, Upsampling.NONE, Upsampling.NONE);
        set(from, fromStrides, 0, pixels.address(), pixelStride);
        for (int p = 0; p < model.planes(); p++) {
            // GBRP keeps green, blue and red, in this order; we keep red, green and blue.
            set(to, toStrides, p, full.address() + (p == 3 ? 3 : (p + 1) % 3) * planeBytes, stride);
            into.plane(p).set(full, p * planeBytes, stride, width, height);
        }
        return keepsAlpha
                ? convert(header, PixelFormat.RGBA, PixelFormat.GBRAP)
                : convert(header, PixelFormat.RGB24, PixelFormat.GBRP);
    }

    private static void set(MemorySegment pointers, MemorySegment strides, int plane, long address, int stride) {
        pointers.set(ValueLayout.JAVA_LONG, 8L * plane, address);
        strides.set(ValueLayout.JAVA_INT, 4L * plane, stride);
    }

    private boolean convert(ImageHeader header, int format, int into) {
        conversion = SwScale.context(conversion, header.width, header.height, format, into);
        return conversion.address() != 0
                && SwScale.convert(conversion, from, fromStrides, header.height, to, toStrides) == header.height;
    }

    private static int roundUp(int bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    @Override
    public void close() {
        SwScale.free(conversion);
        conversion = MemorySegment.NULL;
        decoded.close();
        planes.close();
        small.close();
    }
}
