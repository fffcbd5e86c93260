package org.jspdl.media.internal.ffmpeg;

/// The `AVERROR` values that we return or tell apart.
public final class AvError {
    /// No more data.
    public static final int END = -541_478_725;
    /// Try again after the other call of a pair (`-EAGAIN`).
    public static final int AGAIN = -11;
    /// No memory, or more streams than allowed (`-ENOMEM`).
    public static final int NO_MEMORY = -12;
    /// An I/O error (`-EIO`).
    public static final int IO = -5;
    /// Invalid data found.
    public static final int INVALID_DATA = -1_094_995_529;

    /// Not yet implemented, patches welcome.
    private static final int NOT_IMPLEMENTED = -1_163_346_256;
    /// What some decoders return that were written before there were names (`-EPERM`).
    private static final int FAILED = -1;
    /// What Speex's decoder returns for a packet that it makes no sense of (`-EINVAL`).
    private static final int INVALID_ARGUMENT = -22;
    /// `AAC_AC3_PARSE_ERROR_SYNC` and those behind it, which AC-3's decoder returns as they are: minus n times
    /// 2^24, and this.
    private static final int AC3_HEADER = 0x03_0C0A;

    private static final int AC3_KINDS = 8;
    private static final int AC3_SHIFT = 24;

    private AvError() {}

    /// Whether a decoder returned this because of what it was to decode.
    public static boolean isDamage(int status) {
        return status == INVALID_DATA
                || status == NOT_IMPLEMENTED
                || status == FAILED
                || status == INVALID_ARGUMENT
                || isHeaderOfAc3(-status);
    }

    private static boolean isHeaderOfAc3(int error) {
        int kind = error >> AC3_SHIFT;
        return kind > 0 && kind <= AC3_KINDS && error - (kind << AC3_SHIFT) == AC3_HEADER;
    }
}
