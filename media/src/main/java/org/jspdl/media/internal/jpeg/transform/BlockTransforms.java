package org.jspdl.media.internal.jpeg.transform;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The inverse transforms of blocks to 8, 4, 2 or 1 samples in a row. Used by one thread at a time.
public final class BlockTransforms {
    /// The coefficients of a narrow block: those of which row and column are together at most 3.
    public static final int NARROW = 10;

    private final InverseTransform whole;
    private final NarrowTransform narrow;
    private final ReducedTransform reduced;

    /// @param capacity the most blocks at a time
    public BlockTransforms(int capacity) {
        whole = new InverseTransform(capacity);
        narrow = new NarrowTransform(capacity);
        reduced = new ReducedTransform(capacity);
    }

    /// Transforms the first `n` blocks of `coefficients`, which are row by row, and stores the samples of block `i`
    /// at `places[i]` of `memory`, its rows `stride` bytes apart.
    ///
    /// @param size samples in a row of a block: 8, 4 or 2
    public void run(
            int size, int n, int[][] coefficients, int[] quantization, MemorySegment memory, int[] places, int stride) {
        switch (size) {
            case 8 -> whole.run(n, coefficients, quantization, memory, places, stride);
            case 4 -> reduced.toFour(n, coefficients, quantization, memory, places, stride);
            default -> reduced.toTwo(n, coefficients, quantization, memory, places, stride);
        }
    }

    /// As [#run] with 8 samples in a row, of blocks in which only the first [#NARROW] coefficients of the file's
    /// order may be other than zero; the others are not looked at.
    public void runNarrow(
            int n, int[][] coefficients, int[] quantization, MemorySegment memory, int[] places, int stride) {
        narrow.run(n, coefficients, quantization, memory, places, stride);
    }

    /// Stores the mean of each of the first `n` blocks, whose DC coefficients these are, at `places[i]` of
    /// `memory`.
    public void average(int n, int[] coefficients, int quantization, MemorySegment memory, int[] places) {
        for (int i = 0; i < n; i++) {
            int mean = ((coefficients[i] * quantization + 4) >> 3) + 128;
            memory.set(ValueLayout.JAVA_BYTE, places[i], (byte) Math.max(0, Math.min(255, mean)));
        }
    }

    /// Stores the samples of one block, `size` in a row, whose coefficients other than the first are zero, as
    /// [#run] makes them.
    public static void storeFlat(int size, int first, int quantization, MemorySegment memory, int place, int stride) {
        switch (size) {
            case 8 -> InverseTransform.storeFlat(first, quantization, memory, place, stride);
            case 4 -> ReducedTransform.storeFlatFour(first, quantization, memory, place, stride);
            default -> ReducedTransform.storeFlatTwo(first, quantization, memory, place, stride);
        }
    }
}
