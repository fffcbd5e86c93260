package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Makes red, green and blue of the inks of a JPEG file, of which 255 stands for none.
final class JpegInks {
    /// Numbers of JFIF's conversion with 16 bits after the point, rounded as in libjpeg.
    private static final int RED_OF_CR = 91_881;

    private static final int GREEN_OF_CB = -22_554;
    private static final int GREEN_OF_CR = -46_802;
    private static final int BLUE_OF_CB = 116_130;
    private static final int ROUNDING = 1 << 15;

    private JpegInks() {}

    /// Converts the part that is seen of four planes of `size` bytes, one after the other, in place; the first
    /// three then are red, green and blue.
    ///
    /// @param coded whether the first three are luminance and chroma
    static void toRgb(MemorySegment planes, long size, int width, Region seen, boolean coded) {
        for (int y = seen.top(); y < seen.bottom(); y++) {
            for (int x = seen.left(); x < seen.right(); x++) {
                long at = (long) y * width + x;
                int cyan = u8(planes, at);
                int magenta = u8(planes, at + size);
                int yellow = u8(planes, at + 2 * size);
                int key = u8(planes, at + 3 * size);
                if (coded) {
                    int luma = cyan;
                    int blue = magenta - 128;
                    int red = yellow - 128;
                    cyan = 255 - luma - ((RED_OF_CR * red + ROUNDING) >> 16);
                    magenta = 255 - luma - ((GREEN_OF_CB * blue + GREEN_OF_CR * red + ROUNDING) >> 16);
                    yellow = 255 - luma - ((BLUE_OF_CB * blue + ROUNDING) >> 16);
                }
                put(planes, at, cyan, key);
                put(planes, at + size, magenta, key);
                put(planes, at + 2 * size, yellow, key);
            }
        }
    }

    /// Converts pixel `at` of three planes of `size` bytes, luminance and chroma, to red, green and blue at `to` of
    /// `into`.
    static void toRgb(MemorySegment planes, long at, long size, MemorySegment into, long to) {
        int luma = u8(planes, at);
        int blue = u8(planes, at + size) - 128;
        int red = u8(planes, at + 2 * size) - 128;
        put(into, to, luma + ((RED_OF_CR * red + ROUNDING) >> 16), 255);
        put(into, to + 1, luma + ((GREEN_OF_CB * blue + GREEN_OF_CR * red + ROUNDING) >> 16), 255);
        put(into, to + 2, luma + ((BLUE_OF_CB * blue + ROUNDING) >> 16), 255);
    }

    private static int u8(MemorySegment planes, long at) {
        return planes.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    private static void put(MemorySegment planes, long at, int ink, int key) {
        planes.set(ValueLayout.JAVA_BYTE, at, (byte) ((Math.clamp(ink, 0, 255) * key + 127) / 255));
    }
}
