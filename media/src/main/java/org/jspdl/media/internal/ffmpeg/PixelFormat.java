package org.jspdl.media.internal.ffmpeg;

/// The values of `AVPixelFormat` that we name; a test compares them with the library's names.
public final class PixelFormat {
    public static final int YUV420P = 0;
    public static final int GRAY8 = 8;
    public static final int MONO_WHITE = 9;
    public static final int MONO_BLACK = 10;
    public static final int YUVJ420P = 12;
    public static final int YUVJ422P = 13;
    public static final int YUVJ444P = 14;
    public static final int GRAY16_BE = 29;
    public static final int GRAY16_LE = 30;
    public static final int YUVJ440P = 32;
    public static final int GREY_ALPHA = 56;
    public static final int GBRP = 71;
    public static final int GREY_ALPHA16_BE = 109;
    public static final int YUVJ411P = 138;

    private PixelFormat() {}
}
