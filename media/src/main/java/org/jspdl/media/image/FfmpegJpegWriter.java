package org.jspdl.media.image;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvEncoder;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.ffmpeg.PixelFormat;
import org.jspdl.media.internal.ffmpeg.convert.SwScale;

/// JPEG files through FFmpeg's encoder, for machines without TurboJPEG.
final class FfmpegJpegWriter {
    private static final int SCALES = 31;
    private static final long SLACK = 64;

    private FfmpegJpegWriter() {}

    /// The file of `height` rows of `width` interleaved pixels of bytes, gray or RGB, in memory of `arena`.
    static MemorySegment write(
            MemorySegment pixels,
            int width,
            int height,
            int channels,
            int quality,
            ChromaSampling sampling,
            Arena arena) {
        FfmpegLibraries.require();
        // The encoder writes no gray files: gray pictures get chroma without color, as little of it as can be.
        int format = switch (channels == 1 ? ChromaSampling.HALF_BOTH : sampling) {
            case FULL -> PixelFormat.YUVJ444P;
            case HALF_ACROSS -> PixelFormat.YUVJ422P;
            case HALF_BOTH -> PixelFormat.YUVJ420P;
        };
        MemorySegment slot = arena.allocate(ValueLayout.ADDRESS);
        MemorySegment source = AvFrame.alloc();
        MemorySegment frame = AvFrame.alloc();
        MemorySegment packet = AvPacket.alloc();
        MemorySegment context = AvEncoder.open(AvCodec.MJPEG, width, height, format, slot);
        try {
            AvFrame.borrow(source, width, height, channels == 1 ? PixelFormat.GRAY8 : PixelFormat.RGB24);
            AvFrame.plane(source, 0, pixels, width * channels);
            AvFrame.borrow(frame, width, height, format);
            planes(frame, width, height, format, arena);
            convert(source, frame, width, height, format);
            AvFrame.quality(frame, scale(quality));
            int status = AvEncoder.encode(context, frame, packet);
            if (status < 0) {
                throw new IllegalArgumentException("JPEG of " + width + " x " + height + " pixels cannot be written: "
                        + AvCodec.errorText(status));
            }
            MemorySegment data = AvPacket.data(packet);
            return arena.allocate(data.byteSize()).copyFrom(data);
        } finally {
            AvCodec.freeContext(context, slot);
            AvPacket.free(packet, slot);
            AvFrame.free(frame, slot);
            AvFrame.free(source, slot);
        }
    }

    /// FFmpeg's scale of its tables, 1 to 31, that comes nearest to libjpeg's of a quality.
    private static int scale(int quality) {
        double percent = quality < 50 ? 5000.0 / quality : 200 - 2.0 * quality;
        return Math.clamp(Math.round(percent * 8 / 100), 1, SCALES);
    }

    private static void planes(MemorySegment frame, int width, int height, int format, Arena arena) {
        int across = format == PixelFormat.YUVJ420P || format == PixelFormat.YUVJ422P ? 2 : 1;
        int down = format == PixelFormat.YUVJ420P ? 2 : 1;
        for (int p = 0; p < 3; p++) {
            int columns = p == 0 ? width : (width + across - 1) / across;
            int rows = p == 0 ? height : (height + down - 1) / down;
            int stride = (columns + 63) / 64 * 64;
            AvFrame.plane(frame, p, arena.allocate((long) stride * rows + SLACK, 64), stride);
        }
    }

    private static void convert(MemorySegment source, MemorySegment frame, int width, int height, int format) {
        MemorySegment conversion =
                SwScale.context(MemorySegment.NULL, width, height, AvFrame.format(source), format, SwScale.AVERAGING);
        if (conversion.address() == 0) {
            throw new IllegalStateException("FFmpeg cannot convert RGB to the format of JPEG");
        }
        try {
            SwScale.convert(conversion, source, height, frame);
        } finally {
            SwScale.free(conversion);
        }
    }
}
