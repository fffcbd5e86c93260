package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The segments of a JPEG file before its scan (ITU-T T.81, annex B), if the file is of the usual kind: baseline, 8
/// bits, gray or YCbCr, all components in one scan, no restarts. Used by one thread at a time.
final class BaselineHeader {
    private static final int BASELINE = 0xC0;
    private static final int HUFFMAN_TABLES = 0xC4;
    private static final int SCAN = 0xDA;
    private static final int QUANTISATION_TABLES = 0xDB;
    private static final int JFIF = 0xE0;
    private static final int ADOBE = 0xEE;
    private static final int LAST_APPLICATION = 0xEF;
    private static final int COMMENT = 0xFE;

    private static final int AREA = 64;
    private static final int LENGTHS = 16;
    private static final int LUMA = 0;

    int width;
    int height;
    /// 1 or 3.
    int components;
    /// Luma samples to one chroma sample in a row: 1, 2 or 4.
    int across;
    /// Luma samples to one chroma sample in a column: 1 or 2.
    int down;
    /// Where the data of the scan begins.
    long scan;

    final int[][] quantization = new int[4][AREA];
    final int[] quantizationOf = new int[3];
    final HuffmanCode[] dc = {new HuffmanCode(false), new HuffmanCode(false)};
    final CoefficientTable[] ac = {new CoefficientTable(), new CoefficientTable()};
    final int[] dcOf = new int[3];
    final int[] acOf = new int[3];

    private final byte[] segment = new byte[1 << 16];
    private final int[] identifiers = new int[3];
    private int quantizationKnown;
    private int dcKnown;
    private int acKnown;

    /// Reads the segments; returns whether the file is one to be decoded here, as far as they tell.
    boolean read(MemorySegment file) {
        components = 0;
        quantizationKnown = 0;
        dcKnown = 0;
        acKnown = 0;
        long at = 2;
        while (at + 4 <= file.byteSize() && u8(file, at) == 0xFF) {
            int marker = u8(file, at + 1);
            int length = (u8(file, at + 2) << 8 | u8(file, at + 3)) - 2;
            at += 4;
            if (length < 0 || at + length > file.byteSize()) {
                return false;
            }
            boolean skipped = marker == COMMENT || (marker > JFIF && marker <= LAST_APPLICATION && marker != ADOBE);
            if (!skipped) {
                MemorySegment.copy(file, ValueLayout.JAVA_BYTE, at, segment, 0, length);
            }
            at += length;
            if (marker == SCAN) {
                scan = at;
                return isWholeScan(length);
            }
            boolean understood = switch (marker) {
                case BASELINE -> components == 0 && frame(length);
                case HUFFMAN_TABLES -> huffmanTables(length);
                case QUANTISATION_TABLES -> quantizationTables(length);
                case JFIF -> isVersion1(length);
                case ADOBE -> isYcc(length);
                default -> skipped;
            };
            if (!understood) {
                return false;
            }
        }
        return false;
    }

    private static int u8(MemorySegment file, long at) {
        return file.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    private int u8(int at) {
        return segment[at] & 0xFF;
    }

    private boolean frame(int length) {
        if (length < 6 || u8(0) != 8 || (u8(5) != 1 && u8(5) != 3) || length != 6 + 3 * u8(5)) {
            return false;
        }
        height = u8(1) << 8 | u8(2);
        width = u8(3) << 8 | u8(4);
        components = u8(5);
        for (int c = 0; c < components; c++) {
            identifiers[c] = u8(6 + 3 * c);
            quantizationOf[c] = u8(8 + 3 * c);
            if (quantizationOf[c] > 3 || (c > LUMA && u8(7 + 3 * c) != 0x11)) {
                return false;
            }
        }
        across = components == 1 ? 1 : u8(7) >> 4;
        down = components == 1 ? 1 : u8(7) & 0xF;
        boolean rgb = components == 3 && identifiers[0] == 'R' && identifiers[1] == 'G' && identifiers[2] == 'B';
        boolean usual = (down == 1 && (across == 1 || across == 2 || across == 4))
                || (down == 2 && (across == 1 || across == 2));
        return width > 0 && height > 0 && usual && !rgb;
    }

    private boolean isVersion1(int length) {
        boolean jfif = length >= 14 && u8(0) == 'J' && u8(1) == 'F' && u8(2) == 'I' && u8(3) == 'F' && u8(4) == 0;
        return !jfif || u8(5) == 1;
    }

    /// A file with Adobe's marker says in it what its colors are.
    private boolean isYcc(int length) {
        boolean adobe = length >= 12 && u8(0) == 'A' && u8(1) == 'd' && u8(2) == 'o' && u8(3) == 'b' && u8(4) == 'e';
        return !adobe || u8(11) == 1;
    }

    private boolean quantizationTables(int length) {
        for (int at = 0; at < length; at += 1 + AREA) {
            int index = u8(at);
            if (index > 3 || at + 1 + AREA > length) {
                return false;
            }
            for (int k = 0; k < AREA; k++) {
                quantization[index][k] = u8(at + 1 + k);
            }
            quantizationKnown |= 1 << index;
        }
        return true;
    }

    private boolean huffmanTables(int length) {
        int at = 0;
        while (at < length) {
            int kind = u8(at) >> 4;
            int index = u8(at) & 0xF;
            int symbols = 0;
            for (int i = 1; i <= LENGTHS && at + i < length; i++) {
                symbols += u8(at + i);
            }
            int end = at + 1 + LENGTHS + symbols;
            if (kind > 1 || index > 1 || end > length) {
                return false;
            }
            HuffmanCode code = kind == 0 ? dc[index] : ac[index].code;
            if (!code.define(segment, at + 1, end)) {
                return false;
            }
            dcKnown |= kind == 0 ? 1 << index : 0;
            acKnown |= kind == 1 ? 1 << index : 0;
            at = end;
        }
        return true;
    }

    /// Whether the scan has all components, with tables that the file has defined.
    private boolean isWholeScan(int length) {
        if (components == 0 || length != 4 + 2 * components || u8(0) != components) {
            return false;
        }
        for (int c = 0; c < components; c++) {
            dcOf[c] = u8(2 + 2 * c) >> 4;
            acOf[c] = u8(2 + 2 * c) & 0xF;
            boolean known = dcOf[c] <= 1
                    && acOf[c] <= 1
                    && (dcKnown >> dcOf[c] & 1) == 1
                    && (acKnown >> acOf[c] & 1) == 1
                    && (quantizationKnown >> quantizationOf[c] & 1) == 1;
            if (u8(1 + 2 * c) != identifiers[c] || !known) {
                return false;
            }
        }
        int at = 1 + 2 * components;
        return u8(at) == 0 && u8(at + 1) == AREA - 1 && u8(at + 2) == 0;
    }
}
