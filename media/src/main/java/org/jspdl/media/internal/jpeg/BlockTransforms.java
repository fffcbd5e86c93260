package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The inverse transforms of blocks to 8, 4, 2 or 1 samples in a row. Used by one thread at a time.
final class BlockTransforms {
    private final InverseTransform whole = new InverseTransform(BlockBatch.CAPACITY);
    private final ReducedTransform reduced = new ReducedTransform(BlockBatch.CAPACITY);

    /// Which coefficients the transform to `size` samples in a row uses, as [Component#bit] has them.
    static long used(int size) {
        return switch (size) {
            case 8 -> -1;
            case 4 -> BlockBatch.inRowsAndColumns(0b1110_1111);
            case 2 -> BlockBatch.inRowsAndColumns(0b1010_1011);
            default -> Component.bit(0);
        };
    }

    /// Transforms the first `n` blocks of `coefficients`, which are row by row, and stores the samples of block `i`
    /// at `places[i]` of `memory`, its rows `stride` bytes apart.
    ///
    /// @param size samples in a row of a block: 8, 4 or 2
    void run(
            int size, int n, int[][] coefficients, int[] quantization, MemorySegment memory, int[] places, int stride) {
        switch (size) {
            case 8 -> whole.run(n, coefficients, quantization, memory, places, stride);
            case 4 -> reduced.toFour(n, coefficients, quantization, memory, places, stride);
            default -> reduced.toTwo(n, coefficients, quantization, memory, places, stride);
        }
    }

    /// Stores the mean of each of the first `n` blocks, whose DC coefficients these are, at `places[i]` of
    /// `memory`.
    void average(int n, int[] coefficients, int quantization, MemorySegment memory, int[] places) {
        for (int i = 0; i < n; i++) {
            int mean = ((coefficients[i] * quantization + 4) >> 3) + 128;
            memory.set(ValueLayout.JAVA_BYTE, places[i], (byte) Math.max(0, Math.min(255, mean)));
        }
    }
}
