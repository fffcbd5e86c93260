package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;

/// Reads the scans of a picture that come one after the other, until its end: those of progressive pictures, and of
/// sequential ones that are not interleaved. Used by one thread at a time.
final class SeveralScans {
    private static final int BLOCK = 8;

    private final Strictness strictness;
    private final Segments segments;
    private final ScanData data;
    private final ProgressiveReader reader;
    private int left;
    private int right;
    private int top;
    private int endRow;

    SeveralScans(Strictness strictness, Segments segments, ScanData data) {
        this.strictness = strictness;
        this.segments = segments;
        this.data = data;
        this.reader = new ProgressiveReader(strictness, data);
    }

    /// Reads the coefficients of all components, the first scan of which was just found: those of units
    /// `[left, right)` of rows `[top, endRow)`; others are undefined.
    ///
    /// @param size samples in a row of a block: for a single one no AC coefficients are read
    void read(MemorySegment file, int left, int top, int right, int endRow, int size) {
        this.left = left;
        this.right = right;
        this.top = top;
        this.endRow = endRow;
        for (int c = 0; c < segments.components; c++) {
            segments.component[c].clearCoefficients(size > 1);
        }
        boolean decoded = false;
        do {
            data.begin(file, segments.position());
            if (size > 1 || segments.firstCoefficient == 0) {
                decoded |= scanAndSettle();
            } else {
                segments.goOn(data.leave(0, 1, 1));
            }
        } while (segments.nextScan());
        if (!decoded) {
            throw strictness.refused("nothing of the image data is there");
        }
        for (int c = 0; c < segments.components; c++) {
            if (segments.component[c].missingBits[0] < 0) {
                strictness.damaged(segments.position(), "component " + c + " has no scan");
            }
        }
    }

    /// Leaves corrections for when the block is transformed, if that gives what adding them at once does: all scans
    /// are in order, and corrections are by 1 or 2.
    private boolean scanAndSettle() {
        boolean mayWait = segments.low <= 1 && !segments.comesAgain;
        Component one = segments.scanned[0];
        if (segments.firstCoefficient == 0 || mayWait) {
            return scan();
        }
        one.settle(1);
        boolean decoded = scan();
        one.settle(Math.max(1, segments.low));
        return decoded;
    }

    /// Reads a scan, up to the marker behind it; returns whether anything of it was there.
    private boolean scan() {
        Component one = segments.scanned[0];
        boolean alone = segments.scannedComponents == 1;
        int across = alone ? one.blocksAcross : Math.ceilDiv(segments.width, BLOCK * segments.across);
        int all = alone ? one.blocksDown : Math.ceilDiv(segments.height, BLOCK * segments.down);
        int rows = Math.min(all, alone && segments.components > 1 ? endRow * one.down : endRow);
        int interval = segments.restartInterval == 0 ? Integer.MAX_VALUE : segments.restartInterval;
        int end = rows * across;
        int toRestart = interval;
        boolean decoded = false;
        reader.begin(segments);
        for (int here = 0; here < end; ) {
            if (toRestart == 0) {
                data.restart(true);
                reader.begin(segments);
                toRestart = interval;
            }
            int column = here % across;
            int run = Math.min(Math.min(across - column, toRestart), end - here);
            if (!data.isExhausted()) {
                decoded = true;
                units(here / across, column, run);
            }
            here += run;
            toRestart -= run;
        }
        segments.goOn(rows == all ? data.finish() : data.leave(all * across - end, toRestart, interval));
        return decoded;
    }

    /// Reads up to `n` units of row `y` from column `x` on.
    private void units(int y, int x, int n) {
        Component one = segments.scanned[0];
        if (segments.firstCoefficient > 0 && segments.progressive) {
            int block = y * one.storedAcross + x;
            HuffmanCode code = segments.ac[one.ac].code;
            if (segments.formerLow > 0) {
                reader.acRefine(one, code, block, n);
                return;
            }
            boolean single = segments.components == 1;
            boolean isKept = y >= top * (single ? 1 : one.down);
            int row = y * one.storedAcross;
            int from = isKept ? row + left * (single ? 1 : one.across) : Integer.MAX_VALUE;
            int to = row + right * (single ? 1 : one.across);
            reader.acFirst(one, code, block, n, from, to);
            return;
        }
        reader.beginBlocks();
        boolean goesOn = true;
        for (int i = 0; i < n && goesOn; i++) {
            if (segments.scannedComponents == 1) {
                goesOn = block(one, 0, y * one.storedAcross + x + i);
            } else {
                goesOn = unit(y, x + i);
            }
        }
        reader.endBlocks();
    }

    private boolean unit(int y, int x) {
        boolean goesOn = true;
        for (int c = 0; c < segments.scannedComponents; c++) {
            Component one = segments.scanned[c];
            for (int i = 0; i < one.across * one.down; i++) {
                int row = y * one.down + i / one.across;
                goesOn &= block(one, c, row * one.storedAcross + x * one.across + i % one.across);
            }
        }
        return goesOn;
    }

    private boolean block(Component one, int index, int block) {
        if (!segments.progressive) {
            return reader.sequential(one, index, segments.dc[one.dc], segments.ac[one.ac].code, block);
        }
        return segments.formerLow == 0
                ? reader.dcFirst(one, index, segments.dc[one.dc], block)
                : reader.dcRefine(one, block);
    }
}
