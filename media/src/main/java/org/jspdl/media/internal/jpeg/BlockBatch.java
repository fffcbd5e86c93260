package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspdl.media.internal.jpeg.transform.BlockTransforms;

/// Blocks of one component, or of two with the same quantization, until there are enough of them to be transformed
/// together. Used by one thread at a time.
final class BlockBatch {
    /// Enough blocks for long loops, and few enough that their coefficients stay in the processor's second
    /// cache.
    /// [ScanReader] and [CoefficientTable] shift by its 8 bits.
    static final int CAPACITY = 256;

    private static final int AREA = 64;
    /// Where coefficient `k` of the file is in a block, row by row (ITU-T T.81, figure A.6).
    private static final int[] ZIGZAG = {
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14,
        21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60,
        61, 54, 47, 55, 62, 63
    };

    private final int[][] inRows = new int[AREA][CAPACITY];
    private final int[] coefficients = new int[AREA * CAPACITY];
    private final int[] places = new int[CAPACITY];
    private final int[] quantization = new int[AREA];
    private MemorySegment memory = MemorySegment.NULL;
    private int stride;
    private int samples;
    private int size;

    /// The coefficients whose row and whose column are both among `wanted`, a bit for each; [Component#bit] is the
    /// result's.
    static long inRowsAndColumns(int wanted) {
        long found = 0;
        for (int k = 0; k < AREA; k++) {
            long both = wanted >> (ZIGZAG[k] >> 3) & wanted >> (ZIGZAG[k] & 7) & 1;
            found |= both << (AREA - 1 - k);
        }
        return found;
    }

    /// Which coefficients the transform to `size` samples in a row uses, as [Component#bit] has them.
    static long used(int size) {
        return switch (size) {
            case 8 -> -1;
            case 4 -> inRowsAndColumns(0b1110_1111);
            case 2 -> inRowsAndColumns(0b1010_1011);
            default -> Component.bit(0);
        };
    }

    /// Begins with a picture; the batch has to be empty.
    ///
    /// @param quantization in the order of the file
    /// @param stride       bytes from one row of samples to the next
    /// @param samples      in a row of a block: 8, 4, 2 or 1
    void begin(int[] quantization, MemorySegment memory, int stride, int samples) {
        for (int k = 0; k < AREA; k++) {
            this.quantization[ZIGZAG[k]] = quantization[k];
        }
        this.memory = memory;
        this.stride = stride;
        this.samples = samples;
    }

    /// Drops what was added and not flushed.
    void clear() {
        for (int k = 0; k < AREA; k++) {
            Arrays.fill(coefficients, k * CAPACITY, k * CAPACITY + size, 0);
        }
        size = 0;
    }

    /// Where the coefficients go: `k` in the order of the file of block `b` to `k * CAPACITY + b`.
    int[] coefficients() {
        return coefficients;
    }

    /// Adds a block of zeros whose samples go to `place` of the memory, and returns its index.
    int add(int place, BlockTransforms transforms) {
        if (size == CAPACITY) {
            flush(transforms);
        }
        places[size] = place;
        return size++;
    }

    /// Adds block `of` of a component, and of its AC coefficients those that are `used`.
    void add(int place, Component one, int of, long used, BlockTransforms transforms) {
        int block = add(place, transforms);
        coefficients[block] = one.direct.get(Component.SHORT, 2L * of);
        long at = of * (long) Component.SETS;
        MemorySegment sets = one.sets;
        long present = one.hasAc() ? sets.get(Component.SET, at + Component.PRESENT) & used : 0;
        if (present == 0) {
            storeFlat(block);
            return;
        }
        long stored = sets.get(Component.SET, at + Component.STORED);
        long negative = sets.get(Component.SET, at + Component.NEGATIVE);
        long ones = sets.get(Component.SET, at + Component.ONES);
        long twos = sets.get(Component.SET, at + Component.TWOS);
        for (long rest = present; rest != 0; ) {
            int k = Long.numberOfLeadingZeros(rest);
            rest ^= Component.bit(k);
            coefficients[k * CAPACITY + block] = one.value(of, k, stored, negative, ones, twos);
        }
    }

    /// Stores the block that was added last at once if that is less work than with the others.
    ///
    /// @param block the index of that block, which has no other coefficient than DC
    void storeFlat(int block) {
        if (samples == 8) {
            BlockTransforms.storeFlat(coefficients[block], quantization[0], memory, places[block], stride);
            coefficients[block] = 0;
            size = block;
        }
    }

    /// Transforms and stores what was added.
    void flush(BlockTransforms transforms) {
        if (size > 0) {
            if (samples == 1) {
                transforms.average(size, coefficients, quantization[0], memory, places);
                Arrays.fill(coefficients, 0, size, 0);
                size = 0;
                return;
            }
            for (int k = 0; k < AREA; k++) {
                System.arraycopy(coefficients, k * CAPACITY, inRows[ZIGZAG[k]], 0, size);
            }
            transforms.run(samples, size, inRows, quantization, memory, places, stride);
            clear();
        }
    }
}
