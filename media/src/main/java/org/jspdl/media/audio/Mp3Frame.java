package org.jspdl.media.audio;

/// What the first four bytes of a frame of MPEG audio, layer III, say of it.
final class Mp3Frame {
    /// More bytes than any frame has.
    static final int MOST_BYTES = 2048;

    private static final int SYNC = 0xFFE0_0000;
    /// Version, layer, and sample rate: those of all frames of a sound.
    private static final int KIND = SYNC | 0x001E_0C00;
    private static final int LAYER_3 = 1;
    private static final int MPEG_1 = 3;
    private static final int MPEG_2_5 = 0;
    private static final int NO_VERSION = 1;
    private static final int MONO = 3;
    private static final int NO_RATE = 3;
    private static final int[] KILOBITS = {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0};
    private static final int[] KILOBITS_LOW = {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0};
    private static final int[] RATES = {44_100, 48_000, 32_000};

    private Mp3Frame() {}

    /// The bytes of the frame with its header; 0 if these are no header, or one that does not tell.
    static int length(int header) {
        if ((header & SYNC) != SYNC
                || version(header) == NO_VERSION
                || (header >>> 17 & 3) != LAYER_3
                || (header >>> 10 & 3) == NO_RATE) {
            return 0;
        }
        int rate = header >>> 12 & 0xF;
        int kilobits = isLow(header) ? KILOBITS_LOW[rate] : KILOBITS[rate];
        if (kilobits == 0) {
            return 0;
        }
        return samples(header) / Byte.SIZE * 1000 * kilobits / sampleRateHz(header) + (header >>> 9 & 1);
    }

    private static int version(int header) {
        return header >>> 19 & 3;
    }

    /// Whether the sample rate is a half or a quarter of the usual ones.
    private static boolean isLow(int header) {
        return version(header) != MPEG_1;
    }

    /// Whether a frame is of the same sound.
    static boolean isLike(int header, int first) {
        return (header & KIND) == (first & KIND) && channels(header) == channels(first);
    }

    static int sampleRateHz(int header) {
        int shift = version(header) == MPEG_2_5 ? 2 : isLow(header) ? 1 : 0;
        return RATES[header >>> 10 & 3] >> shift;
    }

    static int channels(int header) {
        return (header >>> 6 & 3) == MONO ? 1 : 2;
    }

    /// Samples of each channel.
    static int samples(int header) {
        return isLow(header) ? 576 : 1152;
    }

    /// How far behind the header the coded samples are.
    static int sideBytes(int header) {
        boolean isMono = channels(header) == 1;
        return isLow(header) ? (isMono ? 9 : 17) : isMono ? 17 : 32;
    }
}
