package org.jspdl.media.internal.ffmpeg.damage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.GrayBuffers;
import org.jspdl.media.internal.ffmpeg.PixelFormat;

/// Finds blocks of a picture that its decoder left out.
///
/// That of HEVC does not tell that slices are missing. Its pictures are filled with a mark before it writes to them
/// ([GrayBuffers.Filling#MARKS]); a block that still holds it was in no slice. No coding block is smaller than 8 x 8
/// luma samples, and the mark is nothing that a picture has: of 8 bits, a chance of one in 2 to the power of 512.
public final class UnwrittenBlocks {
    private static final int SIDE = 8;

    private UnwrittenBlocks() {}

    /// Where the first block is that nobody wrote to, in words; empty if all were written to.
    ///
    /// @param frame a picture of a decoder whose buffers are marked, as it came from it
    public static Optional<String> first(MemorySegment frame) {
        int depth = PixelFormat.depth(AvFrame.format(frame));
        long stride = AvFrame.lineSize(frame, 0);
        if (!GrayBuffers.canMark(stride, depth)) {
            return Optional.empty();
        }
        MemorySegment luma = AvFrame.firstBuffer(frame);
        int sampleBytes = depth > Byte.SIZE ? Short.BYTES : 1;
        long blockBytes = (long) SIDE * sampleBytes;
        // Pictures are cropped by moving where they begin; what is coded begins where the buffer does.
        long cropped = AvFrame.address(frame, 0) - luma.address();
        long columns = cropped % stride / sampleBytes + AvFrame.width(frame);
        long rows = cropped / stride + AvFrame.height(frame);
        long mark = GrayBuffers.mark(depth);
        for (long y = 0; y < rows && (y + SIDE) * stride <= luma.byteSize(); y += SIDE) {
            long end = Math.min(stride - blockBytes, (columns - 1) * sampleBytes);
            for (long x = 0; x <= end; x += blockBytes) {
                if (luma.get(ValueLayout.JAVA_LONG_UNALIGNED, y * stride + x) == mark
                        && isWhole(luma, y * stride + x, stride, blockBytes, mark)) {
                    return Optional.of("column " + x / sampleBytes + ", row " + y);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isWhole(MemorySegment luma, long at, long stride, long blockBytes, long mark) {
        for (int y = 0; y < SIDE; y++) {
            for (long x = 0; x < blockBytes; x += Long.BYTES) {
                if (luma.get(ValueLayout.JAVA_LONG_UNALIGNED, at + y * stride + x) != mark) {
                    return false;
                }
            }
        }
        return true;
    }
}
