package org.jspdl.media.internal.resample;

/// Full-range BT.601 YCbCr (JPEG's) to RGB, eight pixels to a long, within one level of the rounded exact value.
///
/// Works in 16-bit lanes like [SwarSum]; each loop computes one channel of the even or of the odd bytes. A channel is a
/// sum `w` with a bias that keeps it positive. Clamping uses the lane's top bit: it is set before the bias is taken
/// off, and stays set exactly in the lanes that are not below zero; adding `0x7F00` sets it exactly in those above 255.
final class JpegColor {
    private static final long EVEN = SwarSum.EVEN;
    private static final long TOP = 0x8000800080008000L;
    private static final long OVER = 0x7F007F007F007F00L;
    private static final long ONE = 0x0001000100010001L;
    private static final long LOW_7 = 0x007F007F007F007FL;
    /// R = Y + Cr + (103 Cr / 256) - 179
    private static final long RED_BIAS = 179 * ONE;
    /// B = Y + Cb + ((198 Cb + 125) / 256) - 227
    private static final long BLUE_BIAS = 227 * ONE;
    private static final long BLUE_ROUNDING = 125 * ONE;
    /// G = Y + 135 - (88 Cb + 183 Cr) / 256, with 183 Cr taken as 128 Cr + 55 Cr so that no lane overflows
    private static final long GREEN_BIAS = TOP + 135 * ONE;

    private JpegColor() {}

    static void red(long[] luma, long[] redChroma, long[] out, int n) {
        for (int i = 0; i < n; i++) {
            long c = redChroma[i] & EVEN;
            long w = (((luma[i] & EVEN) + c + (((c * 103) >>> 8) & EVEN)) | TOP) - RED_BIAS;
            long positive = w & TOP;
            long value = w & (positive - (positive >>> 15));
            long over = (value + OVER) & TOP;
            out[i] = (value | (over - (over >>> 15))) & EVEN;
        }
        for (int i = 0; i < n; i++) {
            long c = (redChroma[i] >>> 8) & EVEN;
            long w = ((((luma[i] >>> 8) & EVEN) + c + (((c * 103) >>> 8) & EVEN)) | TOP) - RED_BIAS;
            long positive = w & TOP;
            long value = w & (positive - (positive >>> 15));
            long over = (value + OVER) & TOP;
            out[i] |= ((value | (over - (over >>> 15))) & EVEN) << 8;
        }
    }

    static void blue(long[] luma, long[] blueChroma, long[] out, int n) {
        for (int i = 0; i < n; i++) {
            long c = blueChroma[i] & EVEN;
            long w = (((luma[i] & EVEN) + c + (((c * 198 + BLUE_ROUNDING) >>> 8) & EVEN)) | TOP) - BLUE_BIAS;
            long positive = w & TOP;
            long value = w & (positive - (positive >>> 15));
            long over = (value + OVER) & TOP;
            out[i] = (value | (over - (over >>> 15))) & EVEN;
        }
        for (int i = 0; i < n; i++) {
            long c = (blueChroma[i] >>> 8) & EVEN;
            long w = ((((luma[i] >>> 8) & EVEN) + c + (((c * 198 + BLUE_ROUNDING) >>> 8) & EVEN)) | TOP) - BLUE_BIAS;
            long positive = w & TOP;
            long value = w & (positive - (positive >>> 15));
            long over = (value + OVER) & TOP;
            out[i] |= ((value | (over - (over >>> 15))) & EVEN) << 8;
        }
    }

    /// Green takes two loops for each half: one loop would be too long for the compiler to turn into vector
    /// instructions.
    static void green(long[] luma, long[] blueChroma, long[] redChroma, long[] chroma, long[] out, int n) {
        for (int i = 0; i < n; i++) {
            long r = redChroma[i] & EVEN;
            chroma[i] =
                    ((r >>> 1) & LOW_7) + (((((r & ONE) << 7) + r * 55 + (blueChroma[i] & EVEN) * 88) >>> 8) & EVEN);
        }
        for (int i = 0; i < n; i++) {
            long w = (luma[i] & EVEN) + GREEN_BIAS - chroma[i];
            long positive = w & TOP;
            long value = w & (positive - (positive >>> 15));
            long over = (value + OVER) & TOP;
            out[i] = (value | (over - (over >>> 15))) & EVEN;
        }
        for (int i = 0; i < n; i++) {
            long r = (redChroma[i] >>> 8) & EVEN;
            chroma[i] = ((r >>> 1) & LOW_7)
                    + (((((r & ONE) << 7) + r * 55 + ((blueChroma[i] >>> 8) & EVEN) * 88) >>> 8) & EVEN);
        }
        for (int i = 0; i < n; i++) {
            long w = ((luma[i] >>> 8) & EVEN) + GREEN_BIAS - chroma[i];
            long positive = w & TOP;
            long value = w & (positive - (positive >>> 15));
            long over = (value + OVER) & TOP;
            out[i] |= ((value | (over - (over >>> 15))) & EVEN) << 8;
        }
    }
}
