package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspdl.media.internal.natives.Scratch;

/// One component of a JPEG picture: how it is sampled and quantized, and its coefficients where they come in several
/// scans. Used by one thread at a time.
final class Component implements AutoCloseable {
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    static final ValueLayout.OfLong SET = ValueLayout.JAVA_LONG_UNALIGNED;
    /// Bytes of the AC coefficients of a block, with two that are not used.
    static final int BLOCK = 128;
    /// Which coefficients are not zero.
    static final int PRESENT = 0;
    /// Which of these are in [#coefficients]. Others came with a correction, and are sums of those.
    static final int STORED = 8;
    /// Which of those others are negative.
    static final int NEGATIVE = 16;
    /// Corrections that are not in [#coefficients] yet: which of them grow by 1, away from zero.
    static final int ONES = 24;
    /// Which of them grow by 2 (in between, by another power of two: see [#settle]).
    static final int TWOS = 32;
    /// Bytes of all sets of a block.
    static final int SETS = 40;

    private static final int AREA = 64;
    /// More bytes are not kept for the next picture.
    private static final long MOST_KEPT = 8 << 20;

    int identifier;
    /// Samples of this component to one of a component sampled once, in a row and in a column: 1 to 4.
    int across;

    int down;
    /// Which quantization table the frame header names.
    int tableIndex;
    /// Which Huffman codes the present scan uses.
    int dc;

    int ac;
    /// Blocks in a row and in a column that hold samples of the picture.
    int blocksAcross;

    int blocksDown;
    /// Blocks in a row and in a column with those that fill up the last units.
    int storedAcross;

    int storedDown;
    /// In the order of the file; as it stood when the component's first scan came.
    final int[] quantization = new int[AREA];

    boolean isQuantized;
    /// How many low bits of each coefficient have not come yet; -1 where nothing has.
    final int[] missingBits = new int[AREA];
    /// Where the coefficients and the sets of coefficients are, apart from the heap: large pictures take hundreds
    /// of megabytes.
    private final Scratch memory = new Scratch();
    /// The DC coefficient of block `b` at byte `2 * b`.
    MemorySegment direct = MemorySegment.NULL;
    /// [#SETS] bytes for each block: sets of its AC coefficients, of which [#bit] says which bit is whose.
    MemorySegment sets = MemorySegment.NULL;
    /// AC coefficient `k` in the order of the file of block `b` at byte `128 * b + 2 * k`; undefined unless
    /// [#STORED] has it.
    MemorySegment coefficients = MemorySegment.NULL;
    /// Where coefficients go that are not used, in bytes: the place of one more block.
    long spare;

    private int blocks;

    void begin() {
        isQuantized = false;
        Arrays.fill(quantization, 0);
        Arrays.fill(missingBits, -1);
    }

    /// The bit of coefficient `k`: the first one has the highest, as the next bit of a file does.
    static long bit(int k) {
        return Long.MIN_VALUE >>> k;
    }

    /// Makes room for all coefficients, which are zero.
    ///
    /// @param hasAc whether there is room for others than the DC coefficients
    void clearCoefficients(boolean hasAc) {
        blocks = Math.multiplyExact(storedAcross, storedDown);
        long directBytes = Math.ceilDiv(blocks, 4) * 8L;
        long setsBytes = hasAc ? (blocks + 1L) * SETS : 0;
        long acBytes = hasAc ? (blocks + 1L) * BLOCK : 0;
        MemorySegment all = memory.atLeast(directBytes + setsBytes + acBytes);
        direct = all.asSlice(0, directBytes).fill((byte) 0);
        sets = all.asSlice(directBytes, setsBytes).fill((byte) 0);
        coefficients = all.asSlice(directBytes + setsBytes, acBytes);
        spare = (long) blocks * BLOCK;
    }

    /// About how many bytes the coefficients of a picture take.
    static long bytes(long samples) {
        return samples * (BLOCK + SETS) / AREA;
    }

    boolean hasAc() {
        return coefficients.byteSize() > 0;
    }

    /// Coefficient `k` of a block, which is present, with its corrections.
    ///
    /// @param stored and the rest: the sets of its block
    int value(int block, int k, long stored, long negative, long ones, long twos) {
        int value = coefficients.get(SHORT, block * (long) BLOCK + 2L * k) & (int) (stored << k >> (Long.SIZE - 1));
        int sign = value >> (Integer.SIZE - 1) | (int) (negative << k >> (Long.SIZE - 1));
        int more = ((int) (twos << k >>> (Long.SIZE - 2)) & 2) | (int) (ones << k >>> (Long.SIZE - 1));
        return (short) (value + (more ^ sign) - sign);
    }

    /// Adds all corrections to the coefficients, in the order in which scans have them. As in libjpeg, none is
    /// added to a coefficient that has its bit already, which only damaged data brings about.
    ///
    /// @param low by which power of two [#TWOS] grow, 1 or more
    void settle(int low) {
        for (int block = 0; block < blocks; block++) {
            settle(block, TWOS, low);
            settle(block, ONES, 0);
        }
    }

    private void settle(int block, int which, int low) {
        long at = block * (long) SETS;
        long larger = sets.get(SET, at + which);
        long stored = sets.get(SET, at + STORED);
        long negative = sets.get(SET, at + NEGATIVE);
        for (long rest = larger; rest != 0; ) {
            int k = Long.numberOfLeadingZeros(rest);
            rest ^= bit(k);
            long place = block * (long) BLOCK + 2L * k;
            int value = coefficients.get(SHORT, place);
            if ((stored & bit(k)) == 0) {
                value = (negative & bit(k)) == 0 ? 1 << low : -(1 << low);
            } else if ((value >> low & 1) == 0) {
                value += value < 0 ? -(1 << low) : 1 << low;
            }
            coefficients.set(SHORT, place, (short) value);
        }
        sets.set(SET, at + STORED, stored | larger);
        sets.set(SET, at + NEGATIVE, negative & ~larger);
        sets.set(SET, at + which, 0);
    }

    /// Stores an AC coefficient whatever it was before.
    void store(int block, int k, int value) {
        coefficients.set(SHORT, block * (long) BLOCK + 2L * k, (short) value);
        long at = block * (long) SETS;
        sets.set(SET, at + STORED, sets.get(SET, at + STORED) | bit(k));
        for (int which : new int[] {NEGATIVE, ONES, TWOS}) {
            sets.set(SET, at + which, sets.get(SET, at + which) & ~bit(k));
        }
    }

    /// Lets go of memory that only large pictures need.
    void release() {
        if (memory.byteSize() > MOST_KEPT) {
            memory.release();
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
