package org.jspdl.media.internal.tiff;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.header.TiffDirectory;

/// Luminance and chroma of 8 bits in units: some rows of luminance, then one sample of either chroma, which all of
/// their pixels have (TIFF 6.0, section 21).
///
/// @param across        pixels in a row of a unit
/// @param down          rows of a unit
/// @param luma          what red, green and blue add to luminance
/// @param blackAndWhite the samples of black and of white, of luminance and of both chromas
record ChromaUnits(int across, int down, double[] luma, double[] blackAndWhite) {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final double[] BT_601 = {0.299, 0.587, 0.114};
    private static final double[] WHOLE_RANGE = {0, 255, 128, 255, 128, 255};
    /// How far above the middle of chroma libtiff puts its end.
    private static final int CHROMA_END = 127;

    /// @throws DecodeException if units are of a size that the format doesn't have, or the numbers can't be
    static ChromaUnits of(TiffDirectory directory) {
        long[] sides = directory.values(TiffDirectory.CHROMA_SUBSAMPLING, 2);
        int across = sides.length == 2 ? (int) sides[0] : 2;
        int down = sides.length == 2 ? (int) sides[1] : 2;
        if (!isSide(across) || !isSide(down)) {
            throw TiffLayout.refused("chroma for pixels of this number", TiffDirectory.CHROMA_SUBSAMPLING, across);
        }
        double[] luma = directory.ratios(TiffDirectory.CHROMA_COEFFICIENTS, BT_601);
        double[] blackAndWhite = directory.ratios(TiffDirectory.BLACK_AND_WHITE, WHOLE_RANGE);
        boolean spread = blackAndWhite[0] < blackAndWhite[1]
                && blackAndWhite[2] < blackAndWhite[3]
                && blackAndWhite[4] < blackAndWhite[5];
        if (!spread || luma[1] <= 0) {
            throw DecodeException.because("TIFF of YCbCr whose black is not below its white, or that has no green");
        }
        return new ChromaUnits(across, down, luma, blackAndWhite);
    }

    private static boolean isSide(int pixels) {
        return pixels == 1 || pixels == 2 || pixels == 4;
    }

    /// Bytes of the units of so many pixels.
    long byteSize(int columns, int rows) {
        return (long) Math.ceilDiv(columns, across) * Math.ceilDiv(rows, down) * (across * down + 2);
    }

    /// Makes rows of red, green and blue of units.
    void toRgb(MemorySegment units, int columns, int rows, MemorySegment into) {
        double[] light = scale(0, 255);
        double[] blue = scale(2, CHROMA_END);
        double[] red = scale(4, CHROMA_END);
        double redOfRed = 2 - 2 * luma[0];
        double blueOfBlue = 2 - 2 * luma[2];
        long unit = (long) across * down + 2;
        long unitsAcross = Math.ceilDiv(columns, across);
        for (int y = 0; y < rows; y++) {
            for (int x = 0; x < columns; x++) {
                long at = (y / down * unitsAcross + x / across) * unit;
                double l = light[units.get(BYTE, at + (long) y % down * across + x % across) & 0xFF];
                double b = blue[units.get(BYTE, at + unit - 2) & 0xFF] * blueOfBlue;
                double r = red[units.get(BYTE, at + unit - 1) & 0xFF] * redOfRed;
                long to = 3 * ((long) y * columns + x);
                into.set(BYTE, to, clamp(l + r));
                into.set(BYTE, to + 1, clamp(l - (luma[0] * r + luma[2] * b) / luma[1]));
                into.set(BYTE, to + 2, clamp(l + b));
            }
        }
    }

    /// What each value of a sample is, where black is 0 and white is `end`.
    private double[] scale(int black, int end) {
        double[] values = new double[256];
        double span = blackAndWhite[black + 1] - blackAndWhite[black];
        for (int i = 0; i < values.length; i++) {
            values[i] = (i - blackAndWhite[black]) * end / span;
        }
        return values;
    }

    private static byte clamp(double value) {
        return (byte) Math.clamp(Math.round(value), 0, 255);
    }
}
