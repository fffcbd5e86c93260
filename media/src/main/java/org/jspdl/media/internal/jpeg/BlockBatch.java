package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspdl.media.internal.jpeg.transform.BlockTransforms;

/// Blocks of one component, or of two with the same quantization, until there are enough of them to be transformed
/// together.
///
/// Narrow blocks, which have none but the first few coefficients, are transformed with less work. They lie at the
/// bottom, others at the top. Where most blocks so far were narrow, a block begins at the bottom and is moved if it
/// turns out not to be; otherwise all are left at the top. Used by one thread at a time.
final class BlockBatch {
    /// Enough blocks for long loops, and few enough that their coefficients stay in the processor's second
    /// cache.
    /// [ScanReader] and [CoefficientTable] shift by its 8 bits.
    static final int CAPACITY = 256;
    /// The bits of the capacity.
    static final int SHIFT = 8;

    private static final int AREA = 64;
    /// Where in the coefficients goes what is none.
    static final int SPARE = AREA * CAPACITY;

    /// Fewer blocks at the top are not worth the loops over them, and stay until there are more.
    private static final int FEW = CAPACITY / 4;
    /// It is decided anew where blocks begin once there were as many.
    private static final int LEAST_SEEN = 2 * CAPACITY;
    /// Where coefficient `k` of the file is in a block, row by row (ITU-T T.81, figure A.6).
    private static final int[] ZIGZAG = {
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14,
        21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60,
        61, 54, 47, 55, 62, 63
    };

    private final int[][] inRows = new int[AREA][CAPACITY];
    private final int[] coefficients = new int[SPARE + 1];
    private final int[] places = new int[CAPACITY];
    private final int[] placesAtTop = new int[CAPACITY];
    private final int[] quantization = new int[AREA];
    private MemorySegment memory = MemorySegment.NULL;
    private int stride;
    private int samples;
    /// The coefficients that the transform looks at.
    private long used;
    /// How many blocks are at the bottom.
    private int low;
    /// How many are at the top.
    private int high;
    /// Whether blocks begin at the top.
    private boolean fromTop;
    /// Of the blocks since it was last decided where they begin: how many there were, and how many narrow ones.
    private int seen;

    private int narrow;
    private boolean mostlyNarrow;

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
        used = used(samples);
        decide();
    }

    /// Where most blocks of the pictures before were narrow, these are expected to be so.
    private void decide() {
        if (seen >= LEAST_SEEN) {
            mostlyNarrow = narrow >= seen - seen / 8;
            seen = 0;
            narrow = 0;
        }
        fromTop = samples != 1 && !(samples == 8 && mostlyNarrow);
    }

    /// Drops what was added and not flushed.
    void clear() {
        clear(AREA, 0, low);
        clear(AREA, CAPACITY - high, high);
        low = 0;
        high = 0;
    }

    private void clear(int all, int from, int length) {
        for (int k = 0; k < all; k++) {
            Arrays.fill(coefficients, k * CAPACITY + from, k * CAPACITY + from + length, 0);
        }
    }

    /// Where the coefficients go: `k` in the order of the file of block `b` to `k * CAPACITY + b`.
    int[] coefficients() {
        return coefficients;
    }

    /// Adds a block of zeros whose samples go to `place` of the memory, and returns its index.
    int add(int place, BlockTransforms transforms) {
        if (low + high == CAPACITY) {
            makeRoom(transforms);
        }
        int block = fromTop ? CAPACITY - ++high : low++;
        places[block] = place;
        return block;
    }

    /// Adds block `of` of a component, and of its AC coefficients those that are `used`.
    void add(int place, Component one, int of, long used, BlockTransforms transforms) {
        int block = add(place, transforms);
        coefficients[block] = one.direct.get(Component.SHORT, 2L * of);
        long at = of * (long) Component.SETS;
        MemorySegment sets = one.sets;
        long present = one.hasAc() ? sets.get(Component.SET, at + Component.PRESENT) & used : 0;
        if (present != 0) {
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
        finish(block, present == 0 ? 0 : AREA - 1 - Long.numberOfTrailingZeros(present));
    }

    /// Says that the block that was added last is whole.
    ///
    /// @param block the index of that block
    /// @param last  no coefficient behind this one, in the order of the file, is other than zero
    void finish(int block, int last) {
        if (samples == 1) {
            return;
        }
        if (samples == 8) {
            seen++;
            if (last >= BlockTransforms.NARROW) {
                if (!fromTop) {
                    moveToTop(block, last);
                }
                return;
            }
            narrow++;
        }
        if (last == 0) {
            BlockTransforms.storeFlat(samples, coefficients[block], quantization[0], memory, places[block], stride);
            coefficients[block] = 0;
            high -= fromTop ? 1 : 0;
            low -= fromTop ? 0 : 1;
        }
    }

    private void moveToTop(int block, int last) {
        low--;
        high++;
        int to = CAPACITY - high;
        if (to != block) {
            places[to] = places[block];
            for (int at = 0; at <= last * CAPACITY; at += CAPACITY) {
                coefficients[at + to] = coefficients[at + block];
                coefficients[at + block] = 0;
            }
        }
    }

    private void makeRoom(BlockTransforms transforms) {
        flushLow(transforms);
        if (high >= FEW) {
            flushHigh(transforms);
            decide();
        }
    }

    /// Transforms and stores what was added.
    void flush(BlockTransforms transforms) {
        flushLow(transforms);
        flushHigh(transforms);
    }

    private void flushLow(BlockTransforms transforms) {
        if (low > 0) {
            if (samples == 1) {
                transforms.average(low, coefficients, quantization[0], memory, places);
                clear(1, 0, low);
            } else {
                order(BlockTransforms.NARROW, 0, low);
                transforms.runNarrow(low, inRows, quantization, memory, places, stride);
                clear(BlockTransforms.NARROW, 0, low);
            }
            low = 0;
        }
    }

    private void flushHigh(BlockTransforms transforms) {
        if (high > 0) {
            int from = CAPACITY - high;
            order(AREA, from, high);
            System.arraycopy(places, from, placesAtTop, 0, high);
            transforms.run(samples, high, inRows, quantization, memory, placesAtTop, stride);
            clear(AREA, from, high);
            high = 0;
        }
    }

    private void order(int all, int from, int length) {
        for (int k = 0; k < all; k++) {
            if ((used & Component.bit(k)) != 0) {
                System.arraycopy(coefficients, k * CAPACITY + from, inRows[ZIGZAG[k]], 0, length);
            }
        }
    }
}
