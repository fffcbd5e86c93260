package org.jspdl.media.internal.ffmpeg.damage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.GrayBuffers;
import org.jspdl.media.internal.ffmpeg.PixelFormat;

/// Finds blocks of a picture that its decoder left out.
///
/// That of HEVC does not tell that slices are missing. Its pictures have marks before it writes to them
/// ([GrayBuffers.Filling#MARKS]); a block that still has them was in no slice. No slice has less than a block of 16 x
/// 16 luma samples. The blocks beside it, when they are smoothed, change three columns and rows at its ends. That a
/// picture has such a mark by chance has odds of one in 2 to the power of 128, of 10 bits 80.
public final class UnwrittenBlocks {
    private static final int SIDE = GrayBuffers.BLOCK_ROWS;

    private UnwrittenBlocks() {}

    /// Where the first block is that nobody wrote to, in words; empty if all were written to. Film grain hides
    /// marks: they are looked for in the picture before it was added, whose memory is given up then.
    ///
    /// @param frame a picture of a decoder whose buffers are marked, as it came from it
    public static Optional<String> first(MemorySegment frame) {
        Optional<String> first = find(frame);
        AvFrame.releaseLuma(frame);
        return first;
    }

    private static Optional<String> find(MemorySegment frame) {
        int depth = PixelFormat.depth(AvFrame.format(frame));
        long stride = AvFrame.lineSize(frame, 0);
        if (!GrayBuffers.canMark(stride, depth)) {
            return Optional.empty();
        }
        MemorySegment luma = AvFrame.lumaBeforeGrain(frame);
        int sampleBytes = depth > Byte.SIZE ? Short.BYTES : 1;
        long blockBytes = (long) SIDE * sampleBytes;
        // Pictures are cropped by moving where they begin; what is coded begins where the buffer does.
        long cropped = AvFrame.address(frame, 0) - AvFrame.firstBuffer(frame).address();
        long columns = cropped % stride / sampleBytes + AvFrame.width(frame);
        long rows = cropped / stride + AvFrame.height(frame);
        long mark = GrayBuffers.mark(depth);
        long other = GrayBuffers.SECOND_ROW * stride;
        for (long y = 0; y < rows && (y + 1) * stride + other <= luma.byteSize(); y += SIDE) {
            long end = Math.min(stride, (columns - 1) * sampleBytes + 1);
            for (long x = 0; x < end; x += blockBytes) {
                long at = y * stride + x;
                if (luma.get(ValueLayout.JAVA_LONG_UNALIGNED, at) == mark
                        && luma.get(ValueLayout.JAVA_LONG_UNALIGNED, at + other) == mark) {
                    return Optional.of("column " + x / sampleBytes + ", row " + y);
                }
            }
        }
        return Optional.empty();
    }
}
