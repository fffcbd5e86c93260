package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The blocks of a unit (an MCU of ITU-T T.81, A.2) in the order of the file: what each is decoded with, and where its
/// samples go. Used by one thread at a time.
final class McuLayout {
    private static final int SIZE = 8;
    private static final int LUMA = 0;
    private static final int COMPONENTS = 3;
    /// Of luma in 4:1:1, and one of each chroma component.
    private static final int MOST_BLOCKS = 6;

    final HuffmanCode[] dc = new HuffmanCode[MOST_BLOCKS];
    final HuffmanCode[] ac = new HuffmanCode[MOST_BLOCKS];
    final long[][] pairs = new long[MOST_BLOCKS][];
    final int[][] skips = new int[MOST_BLOCKS][];
    final BlockBatch[] batches = new BlockBatch[MOST_BLOCKS];
    final int[] components = new int[MOST_BLOCKS];
    /// Where the next block of this kind goes.
    final int[] places = new int[MOST_BLOCKS];
    /// How far it is from one unit to the next in a row.
    final int[] steps = new int[MOST_BLOCKS];

    private final int[] offsets = new int[MOST_BLOCKS];
    private final int[] rowSteps = new int[MOST_BLOCKS];
    private final BlockBatch[] own = {new BlockBatch(), new BlockBatch(), new BlockBatch()};
    private int blocks;

    /// How many blocks there are.
    int blocks() {
        return blocks;
    }

    /// Takes the layout of a picture whose planes begin at `origins` of `memory` and have rows of `strides` bytes.
    void begin(BaselineHeader header, MemorySegment memory, int[] origins, int[] strides) {
        for (BlockBatch batch : own) {
            batch.clear();
        }
        blocks = 0;
        for (int c = 0; c < header.components; c++) {
            int[] quantization = header.quantization[header.quantizationOf[c]];
            boolean shared = c == COMPONENTS - 1
                    && Arrays.equals(quantization, header.quantization[header.quantizationOf[c - 1]]);
            BlockBatch batch = own[shared ? c - 1 : c];
            if (!shared) {
                batch.begin(quantization, memory, strides[c]);
            }
            int across = c == LUMA ? header.across : 1;
            int down = c == LUMA ? header.down : 1;
            CoefficientTable table = header.ac[header.acOf[c]];
            for (int i = 0; i < across * down; i++) {
                dc[blocks] = header.dc[header.dcOf[c]];
                ac[blocks] = table.code;
                pairs[blocks] = table.pairs();
                skips[blocks] = table.skips();
                batches[blocks] = batch;
                components[blocks] = c;
                offsets[blocks] = origins[c] + (i / across * strides[c] + i % across) * SIZE;
                steps[blocks] = across * SIZE;
                rowSteps[blocks] = down * SIZE * strides[c];
                blocks++;
            }
        }
    }

    /// Turns to unit `x` of row `y`.
    void at(int x, int y) {
        for (int i = 0; i < blocks; i++) {
            places[i] = offsets[i] + y * rowSteps[i] + x * steps[i];
        }
    }

    /// Transforms and stores what was read and not yet stored.
    void flush(InverseTransform transform) {
        for (BlockBatch batch : own) {
            batch.flush(transform);
        }
    }
}
