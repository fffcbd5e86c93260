package org.jspdl.media.internal.jpeg;

import java.util.Arrays;

/// One component of a JPEG picture: how it is sampled and quantized, and its coefficients where they come in several
/// scans. Used by one thread at a time.
final class Component {
    private static final int AREA = 64;
    /// Larger ones are not kept for the next picture.
    private static final int MOST_KEPT = 4 << 20;

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
    /// Coefficient `k` in the order of the file of block `b` at `64 * b + k`; undefined where [#present] has no
    /// bit.
    short[] coefficients = new short[0];
    /// Which coefficients of each block are not zero.
    long[] present = new long[0];
    /// Where coefficients go that are not used: behind those of the last block.
    int spare;

    void begin() {
        isQuantized = false;
        Arrays.fill(quantization, 0);
        Arrays.fill(missingBits, -1);
    }

    /// Makes room for all coefficients, which are zero.
    void clearCoefficients() {
        int blocks = Math.multiplyExact(storedAcross, storedDown);
        if (present.length < blocks) {
            present = new long[blocks];
            coefficients = new short[Math.multiplyExact(blocks + 1, AREA)];
        } else {
            Arrays.fill(present, 0, blocks, 0);
        }
        spare = blocks * AREA;
    }

    /// Lets go of memory that only large pictures need.
    void release() {
        if (coefficients.length > MOST_KEPT) {
            coefficients = new short[0];
            present = new long[0];
        }
    }
}
