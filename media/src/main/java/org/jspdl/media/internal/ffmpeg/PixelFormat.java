package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// The values of `AVPixelFormat` that we name, and what the library says of each; a test compares them with its
/// headers.
public final class PixelFormat {
    public static final int YUV420P = 0;
    public static final int RGB24 = 2;
    public static final int BGR24 = 3;
    public static final int YUV422P = 4;
    public static final int YUV444P = 5;
    public static final int GRAY8 = 8;
    public static final int PALETTE = 11;
    public static final int YUVJ420P = 12;
    public static final int YUVJ422P = 13;
    public static final int YUVJ444P = 14;
    public static final int GRAY16_BE = 29;
    public static final int GRAY16_LE = 30;
    public static final int YUVJ440P = 32;
    public static final int YUVA420P = 33;
    public static final int RGB48_BE = 34;
    public static final int RGB48_LE = 35;
    public static final int RGB565 = 37;
    public static final int RGB555 = 39;
    public static final int RGB444 = 52;
    public static final int RGBA = 26;
    public static final int GBRP = 71;
    public static final int RGBA64_BE = 104;
    public static final int RGBA64_LE = 105;
    public static final int GRAY_ALPHA16_BE = 109;
    public static final int GRAY_ALPHA16_LE = 110;
    public static final int GBRAP = 111;
    public static final int YUVJ411P = 138;

    /// The fields of `AVPixFmtDescriptor` that we read.
    private static final long COMPONENTS = 8;
    private static final long CHROMA_SHIFT_ACROSS = 9;
    private static final long CHROMA_SHIFT_DOWN = 10;
    private static final long FLAGS = 16;
    private static final long FIRST_DEPTH = 24 + 16;
    private static final long BYTE_SIZE = 112;
    private static final int FLAG_ALPHA = 1 << 7;
    private static final int FLAG_RGB = 1 << 5;

    // const AVPixFmtDescriptor *av_pix_fmt_desc_get(enum AVPixelFormat pix_fmt)
    private static final MethodHandle DESCRIPTOR =
            C.function(FfmpegLibraries.AVUTIL, "av_pix_fmt_desc_get", C.POINTER, C.INT);

    private PixelFormat() {}

    private static MemorySegment descriptor(int format) {
        MemorySegment found = Call.toPointer(DESCRIPTOR, format);
        if (found.address() == 0) {
            throw new IllegalArgumentException("FFmpeg knows no pixel format " + format);
        }
        return C.view(found, BYTE_SIZE);
    }

    /// The format of the same samples that says nothing of their range.
    public static int withoutRange(int format) {
        return switch (format) {
            case YUVJ420P -> YUV420P;
            case YUVJ422P -> YUV422P;
            case YUVJ444P -> YUV444P;
            default -> format;
        };
    }

    /// Whether pixels of a format have alpha (or may have, being indices into a palette).
    public static boolean hasAlpha(int format) {
        return (descriptor(format).get(ValueLayout.JAVA_LONG, FLAGS) & FLAG_ALPHA) != 0;
    }

    /// Whether pixels of a format are luminance, with or without alpha.
    public static boolean isGray(int format) {
        return descriptor(format).get(ValueLayout.JAVA_BYTE, COMPONENTS) <= 2 && format != PALETTE;
    }

    /// Whether the components of a format are red, green and blue.
    public static boolean isRgb(int format) {
        return (descriptor(format).get(ValueLayout.JAVA_LONG, FLAGS) & FLAG_RGB) != 0;
    }

    /// Bits of the first channel.
    public static int depth(int format) {
        return descriptor(format).get(ValueLayout.JAVA_INT, FIRST_DEPTH);
    }

    /// The binary logarithm of luma samples to one chroma sample in a row.
    public static int chromaShiftAcross(int format) {
        return descriptor(format).get(ValueLayout.JAVA_BYTE, CHROMA_SHIFT_ACROSS);
    }

    /// The binary logarithm of luma samples to one chroma sample in a column.
    public static int chromaShiftDown(int format) {
        return descriptor(format).get(ValueLayout.JAVA_BYTE, CHROMA_SHIFT_DOWN);
    }
}
