package org.jspdl.array;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.memory.Shape;

/// Changes the order of elements and of their bytes.
final class Reordering {
    /// Rows and columns moved at a time: a block of 16-byte elements of both sides fits a first-level cache.
    private static final long BLOCK = 32;

    private Reordering() {}

    /// Reverses the bytes of each number of `bytes`, in place.
    static void swapBytes(MemorySegment bytes, int numberBytes) {
        long size = bytes.byteSize();
        switch (numberBytes) {
            case 1 -> {}
            case 2 -> {
                for (long at = 0; at < size; at += 2) {
                    short number = bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
                    bytes.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, Short.reverseBytes(number));
                }
            }
            case 4 -> {
                for (long at = 0; at < size; at += 4) {
                    int number = bytes.get(ValueLayout.JAVA_INT_UNALIGNED, at);
                    bytes.set(ValueLayout.JAVA_INT_UNALIGNED, at, Integer.reverseBytes(number));
                }
            }
            case 8 -> {
                for (long at = 0; at < size; at += 8) {
                    long number = bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
                    bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, at, Long.reverseBytes(number));
                }
            }
            default -> throw new IllegalArgumentException("no number has " + numberBytes + " bytes");
        }
    }

    /// Copies a column-major array of `shape` to `target`, row-major.
    static void toRowMajor(MemorySegment source, Shape shape, int elementBytes, MemorySegment target) {
        int last = shape.rank() - 1;
        if (shape.elements() == 0) {
            return;
        }
        // The first index is contiguous in the source and the last one in the target; those between are walked.
        long[] index = new long[shape.rank()];
        long[] sourceStride = new long[shape.rank()];
        long[] targetStride = new long[shape.rank()];
        sourceStride[0] = elementBytes;
        for (int d = 1; d <= last; d++) {
            sourceStride[d] = sourceStride[d - 1] * shape.extent(d - 1);
        }
        targetStride[last] = elementBytes;
        for (int d = last - 1; d >= 0; d--) {
            targetStride[d] = targetStride[d + 1] * shape.extent(d + 1);
        }
        int d;
        do {
            long from = 0;
            long to = 0;
            for (int i = 1; i < last; i++) {
                from += index[i] * sourceStride[i];
                to += index[i] * targetStride[i];
            }
            transpose(
                    source,
                    from,
                    sourceStride[last],
                    target,
                    to,
                    targetStride[0],
                    shape.extent(0),
                    shape.extent(last),
                    elementBytes);
            for (d = 1; d < last && ++index[d] == shape.extent(d); d++) {
                index[d] = 0;
            }
        } while (d < last);
    }

    private static void transpose(
            MemorySegment source,
            long from,
            long sourceStride,
            MemorySegment target,
            long to,
            long targetStride,
            long rows,
            long columns,
            int elementBytes) {
        for (long row = 0; row < rows; row += BLOCK) {
            long rowEnd = Math.min(rows, row + BLOCK);
            for (long column = 0; column < columns; column += BLOCK) {
                long columnEnd = Math.min(columns, column + BLOCK);
                for (long r = row; r < rowEnd; r++) {
                    long in = from + r * elementBytes + column * sourceStride;
                    long out = to + r * targetStride + column * elementBytes;
                    gather(source, in, sourceStride, target, out, columnEnd - column, elementBytes);
                }
            }
        }
    }

    private static void gather(
            MemorySegment source, long in, long stride, MemorySegment target, long out, long count, int elementBytes) {
        switch (elementBytes) {
            case 1 -> {
                for (long i = 0; i < count; i++) {
                    target.set(ValueLayout.JAVA_BYTE, out + i, source.get(ValueLayout.JAVA_BYTE, in + i * stride));
                }
            }
            case 2 -> {
                for (long i = 0; i < count; i++) {
                    short element = source.get(ValueLayout.JAVA_SHORT_UNALIGNED, in + i * stride);
                    target.set(ValueLayout.JAVA_SHORT_UNALIGNED, out + 2 * i, element);
                }
            }
            case 4 -> {
                for (long i = 0; i < count; i++) {
                    int element = source.get(ValueLayout.JAVA_INT_UNALIGNED, in + i * stride);
                    target.set(ValueLayout.JAVA_INT_UNALIGNED, out + 4 * i, element);
                }
            }
            case 8 -> {
                for (long i = 0; i < count; i++) {
                    long element = source.get(ValueLayout.JAVA_LONG_UNALIGNED, in + i * stride);
                    target.set(ValueLayout.JAVA_LONG_UNALIGNED, out + 8 * i, element);
                }
            }
            default -> {
                for (long i = 0; i < count; i++) {
                    MemorySegment.copy(source, in + i * stride, target, out + i * elementBytes, elementBytes);
                }
            }
        }
    }
}
