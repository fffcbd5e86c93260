package org.jspdl.media.internal.pixels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.internal.natives.C;

/// Reads the luminance of gray pictures as bytes of the full range, rounded to the nearest.
///
/// libswscale takes gray pictures of 8 bits as of the full range, whatever they say, and dithers deeper ones. A picture
/// that says nothing has the full range, as `ffmpeg` has it too. The formula of a range is that of ITU-T H.273.
///
/// Used by one thread at a time.
final class GrayReader {
    private static final int LIMITED = 1;
    private static final ValueLayout.OfShort LITTLE =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort BIG = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private byte[] row = new byte[0];
    private byte[] levels = new byte[0];
    private int levelDepth;
    private boolean levelsLimited;

    /// Whether a picture has nothing but luminance, maybe with alpha, in whole bytes.
    static boolean reads(AvNames.Pixels pixels) {
        return pixels.isGray() && !pixels.isBitstream() && !pixels.isFloat() && pixels.depth() >= 8;
    }

    /// Writes the luminance of `width` x `height` pixels from `x`, `y` on.
    ///
    /// @param stride bytes from one line of `into` to the next
    void read(Frame frame, AvNames.Pixels pixels, int x, int y, int width, int height, MemorySegment into, int stride) {
        boolean limited = frame.colorRange() == LIMITED;
        int step = pixels.step();
        // Lines of a picture that is stored from below have a negative distance, so that no segment begins at
        // the first.
        long first = frame.planeAddress(0) + (long) y * frame.stride(0) + (long) x * step;
        if (pixels.depth() == 8 && step == 1 && !limited) {
            for (int line = 0; line < height; line++) {
                MemorySegment.copy(C.MEMORY, first + (long) line * frame.stride(0), into, (long) line * stride, width);
            }
            return;
        }
        prepare(pixels.depth(), limited, width);
        ValueLayout.OfShort layout = pixels.isBigEndian() ? BIG : LITTLE;
        int mask = levels.length - 1;
        for (int line = 0; line < height; line++) {
            long at = first + (long) line * frame.stride(0);
            for (int i = 0; i < width; i++, at += step) {
                int sample = pixels.depth() == 8 ? C.MEMORY.get(ValueLayout.JAVA_BYTE, at) : C.MEMORY.get(layout, at);
                row[i] = levels[sample >> pixels.shift() & mask];
            }
            MemorySegment.copy(row, 0, into, ValueLayout.JAVA_BYTE, (long) line * stride, width);
        }
    }

    private void prepare(int depth, boolean limited, int width) {
        if (row.length < width) {
            row = new byte[width];
        }
        if (levels.length == 0 || levelDepth != depth || levelsLimited != limited) {
            int unit = 1 << (depth - 8);
            double black = limited ? 16.0 * unit : 0;
            double range = limited ? 219.0 * unit : (1 << depth) - 1;
            levels = new byte[1 << depth];
            for (int i = 0; i < levels.length; i++) {
                levels[i] = (byte) Math.clamp(Math.round((i - black) * 255 / range), 0, 255);
            }
            levelDepth = depth;
            levelsLimited = limited;
        }
    }
}
