package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspdl.media.internal.jpeg.transform.BlockTransforms;

/// The blocks of one unit of a scan (ITU-T T.81, A.2) in the order of the file: what each is decoded with, and where
/// its samples go. Used by one thread at a time.
final class McuLayout {
    /// As many blocks as a unit may have.
    static final int MOST_BLOCKS = 10;

    private static final int SIZE = 8;
    private static final int COMPONENTS = 4;

    final HuffmanCode[] dc = new HuffmanCode[MOST_BLOCKS];
    final HuffmanCode[] ac = new HuffmanCode[MOST_BLOCKS];
    /// There once [#prepareToRead] was called.
    final long[][] pairs = new long[MOST_BLOCKS][];
    /// There once [#prepareToSkip] was called.
    final int[][] skips = new int[MOST_BLOCKS][];
    final BlockBatch[] batches = new BlockBatch[MOST_BLOCKS];
    final int[] components = new int[MOST_BLOCKS];
    /// Where the next block of this kind goes.
    final int[] places = new int[MOST_BLOCKS];
    /// How far it is from one unit to the next in a row.
    final int[] steps = new int[MOST_BLOCKS];

    private final int[] offsets = new int[MOST_BLOCKS];
    private final int[] rowSteps = new int[MOST_BLOCKS];
    private final CoefficientTable[] tables = new CoefficientTable[MOST_BLOCKS];
    private final BlockBatch[] own = {new BlockBatch(), new BlockBatch(), new BlockBatch(), new BlockBatch()};
    private final BlockBatch[] batchOf = new BlockBatch[COMPONENTS];
    private int blocks;
    private boolean reads;
    private boolean skipsOver;

    /// How many blocks there are.
    int blocks() {
        return blocks;
    }

    /// Works out how many blocks the components of a frame have.
    static void measure(Segments frame) {
        int unitsAcross = Math.ceilDiv(frame.width, SIZE * frame.across);
        int unitsDown = Math.ceilDiv(frame.height, SIZE * frame.down);
        for (int c = 0; c < frame.components; c++) {
            Component one = frame.component[c];
            one.blocksAcross = Math.ceilDiv(frame.width * one.across, SIZE * frame.across);
            one.blocksDown = Math.ceilDiv(frame.height * one.down, SIZE * frame.down);
            boolean alone = frame.components == 1;
            one.storedAcross = alone ? one.blocksAcross : unitsAcross * one.across;
            one.storedDown = alone ? one.blocksDown : unitsDown * one.down;
        }
    }

    /// Prepares for the samples of a picture, whose planes begin at `origins` of `memory` and have rows of
    /// `strides` bytes.
    ///
    /// @param size samples in a row of a block: 8, or fewer of a reduced picture
    void begin(Segments frame, MemorySegment memory, int[] origins, int[] strides, int size) {
        for (BlockBatch batch : own) {
            batch.clear();
        }
        for (int c = 0; c < frame.components; c++) {
            int[] quantization = frame.component[c].quantization;
            boolean shared = c == 2
                    && strides[c] == strides[c - 1]
                    && Arrays.equals(quantization, frame.component[c - 1].quantization);
            BlockBatch batch = own[shared ? c - 1 : c];
            batchOf[c] = batch;
            if (!shared) {
                batch.begin(quantization, memory, strides[c], size);
            }
        }
        blocks = 0;
        reads = false;
        skipsOver = false;
        if (frame.progressive || frame.scannedComponents < frame.components) {
            return;
        }
        for (int i = 0; i < frame.scannedComponents; i++) {
            Component one = frame.scanned[i];
            int c = Arrays.asList(frame.component).indexOf(one);
            int across = frame.components == 1 ? 1 : one.across;
            int down = frame.components == 1 ? 1 : one.down;
            CoefficientTable table = frame.ac[one.ac];
            for (int k = 0; k < across * down; k++) {
                dc[blocks] = frame.dc[one.dc];
                ac[blocks] = table.code;
                tables[blocks] = table;
                batches[blocks] = batchOf[c];
                components[blocks] = c;
                offsets[blocks] = origins[c] + (k / across * strides[c] + k % across) * size;
                steps[blocks] = across * size;
                rowSteps[blocks] = down * size * strides[c];
                blocks++;
            }
        }
    }

    /// Makes what blocks are read with. Files with codes of their own need it made for each of them, so it is left
    /// out for those that are only passed over.
    void prepareToRead() {
        for (int b = 0; b < blocks && !reads; b++) {
            pairs[b] = tables[b].pairs();
        }
        reads = true;
    }

    /// Makes what blocks are passed over with.
    void prepareToSkip() {
        for (int b = 0; b < blocks && !skipsOver; b++) {
            skips[b] = tables[b].skips();
        }
        skipsOver = true;
    }

    /// Where the blocks of component `c` are transformed.
    BlockBatch batch(int c) {
        return batchOf[c];
    }

    /// Turns to unit `x` of row `y`.
    void at(int x, int y) {
        for (int i = 0; i < blocks; i++) {
            places[i] = offsets[i] + y * rowSteps[i] + x * steps[i];
        }
    }

    /// Transforms and stores what was read and not yet stored.
    void flush(BlockTransforms transforms) {
        for (BlockBatch batch : own) {
            batch.flush(transforms);
        }
    }
}
