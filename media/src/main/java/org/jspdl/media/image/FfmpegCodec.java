package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.ffmpeg.PixelFormat;
import org.jspdl.media.internal.ffmpeg.SwScale;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.media.internal.resample.Picture.Model;
import org.jspdl.media.internal.resample.Upsampling;

/// Every format through FFmpeg's decoders.
///
/// Each image gets a codec context of its own: decoders keep tables from one picture to the next, and a damaged file
/// must not be decoded with another file's tables. Planes of 8 bits are used where FFmpeg puts them; other formats are
/// converted.
final class FfmpegCodec implements Codec {
    private static final long MAX_PIXELS = Integer.MAX_VALUE;

    private final Scratch small = new Scratch();
    private final Scratch converted = new Scratch();
    private final MemorySegment slot;
    private final MemorySegment pointers;
    private final MemorySegment strides;
    private final MemorySegment frame;
    private final MemorySegment packet;
    private MemorySegment conversion = MemorySegment.NULL;
    private boolean closed;

    /// @throws IllegalStateException if FFmpeg's libraries cannot be used
    FfmpegCodec() {
        FfmpegLibraries.require();
        MemorySegment fields = small.atLeast(64);
        slot = fields.asSlice(0, 8);
        pointers = fields.asSlice(8, 32);
        strides = fields.asSlice(40, 16);
        frame = AvFrame.alloc();
        packet = AvPacket.alloc();
    }

    /// The library with its version.
    static String describe() {
        FfmpegLibraries.require();
        return "ffmpeg (libavcodec " + AvCodec.version() + ")";
    }

    @Override
    public void decode(MemorySegment encoded, Header header, int reduce, ImageSpec.Decoding how, Picture into) {
        AvFrame.unref(frame);
        if (encoded.byteSize() > Integer.MAX_VALUE - 64) {
            throw DecodeException.because(
                    String.format("%s of %,d bytes is too large", header.format.label(), encoded.byteSize()));
        }
        if (header.format == ImageFormat.JPEG) {
            JpegHeader.checkScans(encoded);
        }
        MemorySegment decoder = AvCodec.findDecoder(codec(header.format));
        if (decoder.address() == 0) {
            throw DecodeException.because(header.format.label() + ": this build of FFmpeg has no decoder for it");
        }
        boolean keepDamaged = how.damage() == Damage.KEPT;
        MemorySegment context = AvCodec.open(decoder, MAX_PIXELS, keepDamaged ? 0 : AvCodec.STRICT, slot);
        try {
            AvPacket.borrow(packet, encoded, (int) encoded.byteSize());
            int status = AvCodec.sendPacket(context, packet);
            if (status >= 0) {
                status = AvCodec.sendPacket(context, MemorySegment.NULL);
                status = AvCodec.receiveFrame(context, frame);
            }
            if (status < 0) {
                throw failed(header, encoded, AvCodec.errorText(status));
            }
            if (AvFrame.isDamaged(frame) && !keepDamaged) {
                throw failed(header, encoded, "the data is damaged");
            }
        } finally {
            AvCodec.freeContext(context, slot);
        }
        if (AvFrame.width(frame) != header.width || AvFrame.height(frame) != header.height) {
            throw failed(
                    header,
                    encoded,
                    "the header says " + header.width + " x " + header.height + " pixels, the data "
                            + AvFrame.width(frame) + " x " + AvFrame.height(frame));
        }
        describe(header, into);
    }

    private static DecodeException failed(Header header, MemorySegment encoded, String reason) {
        return DecodeException.because(
                String.format("%s of %,d bytes: %s", header.format.label(), encoded.byteSize(), reason));
    }

    private static int codec(ImageFormat format) {
        return switch (format) {
            case JPEG -> AvCodec.MJPEG;
            case PNG -> AvCodec.PNG;
            case WEBP -> AvCodec.WEBP;
            case GIF -> AvCodec.GIF;
            case BMP -> AvCodec.BMP;
            case TIFF -> AvCodec.TIFF;
        };
    }

    private void describe(Header header, Picture into) {
        switch (AvFrame.format(frame)) {
            case PixelFormat.YUVJ420P -> planes(into, Model.YCBCR, Upsampling.LINEAR_2, Upsampling.LINEAR_2);
            case PixelFormat.YUVJ422P -> planes(into, Model.YCBCR, Upsampling.LINEAR_2, Upsampling.NONE);
            case PixelFormat.YUVJ440P -> planes(into, Model.YCBCR, Upsampling.NONE, Upsampling.LINEAR_2);
            case PixelFormat.YUVJ444P -> planes(into, Model.YCBCR, Upsampling.NONE, Upsampling.NONE);
            case PixelFormat.YUVJ411P -> planes(into, Model.YCBCR, Upsampling.REPLICATE_4, Upsampling.NONE);
            case PixelFormat.GRAY8 -> planes(into, Model.GREY, Upsampling.NONE, Upsampling.NONE);
            case PixelFormat.MONO_WHITE,
                    PixelFormat.MONO_BLACK,
                    PixelFormat.GRAY16_BE,
                    PixelFormat.GRAY16_LE,
                    PixelFormat.GREY_ALPHA,
                    PixelFormat.GREY_ALPHA16_BE -> convert(header, PixelFormat.GRAY8, Model.GREY, into);
            case PixelFormat.YUV420P -> convert(header, PixelFormat.YUVJ420P, Model.YCBCR, into);
            default -> convert(header, PixelFormat.GBRP, Model.RGB, into);
        }
    }

    private void planes(Picture into, Model model, Upsampling across, Upsampling down) {
        int width = AvFrame.width(frame);
        int height = AvFrame.height(frame);
        into.begin(width, height, model, across, down);
        for (int p = 0; p < model.planes(); p++) {
            int planeWidth = p == 0 ? width : ceiling(width, across.factor());
            int planeHeight = p == 0 ? height : ceiling(height, down.factor());
            long stride = AvFrame.lineSize(frame, p);
            if (stride < planeWidth) {
                throw DecodeException.because(
                        "FFmpeg gave lines of " + stride + " bytes for " + planeWidth + " pixels");
            }
            long size = (planeHeight - 1) * stride + planeWidth;
            into.plane(p).set(AvFrame.data(frame, p, size), 0, stride, planeWidth, planeHeight);
        }
    }

    private void convert(Header header, int to, Model model, Picture into) {
        int width = header.width;
        int height = header.height;
        int chroma = model == Model.YCBCR ? 2 : 1;
        conversion = SwScale.context(conversion, width, height, AvFrame.format(frame), to);
        if (conversion.address() == 0) {
            throw DecodeException.because(
                    header.format.label() + ": pixel format " + AvFrame.format(frame) + " is not supported");
        }
        long stride = (width + 63L) / 64 * 64;
        long planeBytes = stride * height + 64;
        MemorySegment memory = converted.atLeast(planeBytes * model.planes());
        Upsampling sampling = chroma == 2 ? Upsampling.LINEAR_2 : Upsampling.NONE;
        into.begin(width, height, model, sampling, sampling);
        for (int p = 0; p < model.planes(); p++) {
            // GBRP keeps green, blue and red, in this order; we keep red, green and blue.
            long offset = (model == Model.RGB ? (p + 1) % 3 : p) * planeBytes;
            pointers.set(ValueLayout.JAVA_LONG, 8L * p, memory.address() + offset);
            strides.set(ValueLayout.JAVA_INT, 4L * p, (int) stride);
            into.plane(p)
                    .set(
                            memory,
                            p * planeBytes,
                            stride,
                            p == 0 ? width : ceiling(width, chroma),
                            p == 0 ? height : ceiling(height, chroma));
        }
        int rows = SwScale.convert(conversion, frame, height, pointers, strides);
        if (rows != height) {
            throw DecodeException.because(header.format.label() + ": the pixel format could not be converted");
        }
    }

    private static int ceiling(int value, int divisor) {
        return (value + divisor - 1) / divisor;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            AvFrame.free(frame, slot);
            AvPacket.free(packet, slot);
            if (conversion.address() != 0) {
                SwScale.free(conversion);
            }
            converted.close();
            small.close();
        }
    }
}
