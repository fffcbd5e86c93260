package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.PixelFormat;
import org.jspdl.media.internal.natives.C;

/// Puts decoded tiles beside and below each other into one frame. Keeps no state.
final class TiledFrame {
    private TiledFrame() {}

    /// Makes `into` a picture of `width` x `height` pixels in the format and colors of `tile`.
    static void begin(MemorySegment tile, int width, int height, MemorySegment into) {
        AvFrame.unref(into);
        AvFrame.colors(into, tile);
        AvFrame.allocatePicture(into, width, height, AvFrame.format(tile));
    }

    /// Copies a tile to column `left` and row `top` of `into`, as much of it as there is room for.
    static void put(MemorySegment tile, int left, int top, MemorySegment into) {
        int format = AvFrame.format(into);
        int across = PixelFormat.chromaShiftAcross(format);
        int down = PixelFormat.chromaShiftDown(format);
        boolean aligned = (left & ((1 << across) - 1)) == 0 && (top & ((1 << down) - 1)) == 0;
        if (AvFrame.format(tile) != format || !aligned) {
            throw DecodeException.because("the tiles of the picture do not fit together");
        }
        int width = Math.min(AvFrame.width(tile), AvFrame.width(into) - left);
        int height = Math.min(AvFrame.height(tile), AvFrame.height(into) - top);
        int sampleBytes = PixelFormat.depth(format) > 8 ? 2 : 1;
        int planes = PixelFormat.isGray(format) ? 1 : 3;
        for (int p = 0; p < planes; p++) {
            int x = p == 0 ? 0 : across;
            int y = p == 0 ? 0 : down;
            long bytes = (long) sampleBytes * ceiling(width, x);
            long from = AvFrame.address(tile, p);
            long to = AvFrame.address(into, p)
                    + (long) (top >> y) * AvFrame.lineSize(into, p)
                    + (long) (left >> x) * sampleBytes;
            for (int row = 0; row < ceiling(height, y); row++) {
                MemorySegment.copy(C.MEMORY, from, C.MEMORY, to, bytes);
                from += AvFrame.lineSize(tile, p);
                to += AvFrame.lineSize(into, p);
            }
        }
    }

    private static int ceiling(int value, int shift) {
        return (value + (1 << shift) - 1) >> shift;
    }
}
