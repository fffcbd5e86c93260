package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The segments of a JPEG file (ITU-T T.81, annex B) from one scan to the next: frame, tables, what the colors are.
///
/// What is allowed, what is damage and what cannot be decoded is as in libjpeg-turbo, so that the same files open. Used
/// by one thread at a time.
final class Segments {
    static final int END_OF_IMAGE = 0xD9;
    static final int FIRST_RESTART = 0xD0;
    static final int LAST_RESTART = 0xD7;

    private static final int BASELINE = 0xC0;
    private static final int EXTENDED = 0xC1;
    private static final int PROGRESSIVE = 0xC2;
    private static final int HUFFMAN_TABLES = 0xC4;
    private static final int ARITHMETIC_CONDITIONS = 0xCC;
    private static final int START_OF_IMAGE = 0xD8;
    private static final int SCAN = 0xDA;
    private static final int QUANTIZATION_TABLES = 0xDB;
    private static final int NUMBER_OF_LINES = 0xDC;
    private static final int RESTART_INTERVAL = 0xDD;
    private static final int JFIF = 0xE0;
    private static final int ADOBE = 0xEE;
    private static final int LAST_APPLICATION = 0xEF;
    private static final int COMMENT = 0xFE;
    private static final int TEMPORARY = 0x01;

    private static final int AREA = 64;
    private static final int LENGTHS = 16;
    private static final int TABLES = 4;
    private static final int MOST_COMPONENTS = 4;
    private static final int MOST_SAMPLING = 4;
    /// As many as TurboJPEG allows.
    private static final int MOST_SCANS = 500;

    private static final int UNKNOWN = -1;

    int width;
    int height;
    /// 1, 3 or 4.
    int components;

    boolean progressive;
    final Component[] component = new Component[MOST_COMPONENTS];
    /// The highest sampling factors.
    int across;

    int down;
    /// Units from one restart to the next; 0 if there are none.
    int restartInterval;
    /// The components of the present scan, in its order.
    final Component[] scanned = new Component[MOST_COMPONENTS];

    int scannedComponents;
    int firstCoefficient;
    int lastCoefficient;
    int formerLow;
    int low;
    /// Whether a progressive picture has had scans that are out of order, or that come again.
    boolean comesAgain;
    /// How many scans there were.
    int scans;
    /// Where the segment of the present scan begins.
    long scanMarker;

    final HuffmanCode[] dc = new HuffmanCode[TABLES];
    final CoefficientTable[] ac = new CoefficientTable[TABLES];

    private final Strictness strictness;
    private final int[][] quantization = new int[TABLES][AREA];
    private int quantizationKnown;
    private final byte[] segment = new byte[1 << 16];
    private MemorySegment file = MemorySegment.NULL;
    private long at;
    private boolean isJfif;
    private int adobeTransform;
    private long adobeMarker;

    Segments(Strictness strictness) {
        this.strictness = strictness;
        for (int i = 0; i < TABLES; i++) {
            component[i] = new Component();
            dc[i] = new HuffmanCode(false);
            ac[i] = new CoefficientTable();
        }
    }

    /// Begins with a file, behind its first marker.
    void begin(MemorySegment file) {
        this.file = file;
        at = 2;
        components = 0;
        restartInterval = 0;
        scans = 0;
        comesAgain = false;
        quantizationKnown = 0;
        isJfif = false;
        adobeTransform = UNKNOWN;
        for (int i = 0; i < TABLES; i++) {
            dc[i].forget();
            ac[i].code.forget();
        }
    }

    /// Goes on at byte `from` of the file.
    void goOn(long from) {
        at = from;
    }

    /// Where the file is read next.
    long position() {
        return at;
    }

    /// Reads up to the data of the next scan; returns false if the picture ends before one.
    boolean nextScan() {
        for (; ; ) {
            int marker = marker();
            long begin = at - 2;
            if (marker == END_OF_IMAGE) {
                return false;
            }
            if (marker == TEMPORARY || (marker >= FIRST_RESTART && marker <= LAST_RESTART)) {
                continue;
            }
            if (marker == START_OF_IMAGE) {
                throw strictness.refused(begin, "a second picture begins before the end of the first");
            }
            int length = length(begin, marker);
            if (length == UNKNOWN) {
                return false;
            }
            switch (marker) {
                case SCAN -> {
                    scan(begin, length);
                    return true;
                }
                case HUFFMAN_TABLES -> huffmanTables(begin, length);
                case QUANTIZATION_TABLES -> quantizationTables(begin, length);
                case RESTART_INTERVAL -> restartInterval(begin, length);
                case JFIF -> jfif(begin, length);
                case ADOBE -> adobe(begin, length);
                case ARITHMETIC_CONDITIONS, NUMBER_OF_LINES, COMMENT -> {}
                default -> {
                    if (marker >= BASELINE && marker < FIRST_RESTART) {
                        frame(begin, marker, length);
                    } else if (marker < JFIF || marker > LAST_APPLICATION) {
                        throw strictness.refused(begin, String.format("there is no marker 0x%02X", marker));
                    }
                }
            }
        }
    }

    /// The code of the next marker; [#END_OF_IMAGE] at the end of a file that lacks it.
    private int marker() {
        long from = at;
        long size = file.byteSize();
        for (; ; ) {
            while (at < size && u8(at) != 0xFF) {
                at++;
            }
            long found = at;
            while (at < size && u8(at) == 0xFF) {
                at++;
            }
            if (at >= size) {
                strictness.damaged(size, "the file ends without an end marker");
                at = size + 2;
                return END_OF_IMAGE;
            }
            int code = u8(at++);
            if (code != 0) {
                if (found > from) {
                    strictness.damaged(
                            from, String.format("a marker should begin here, but 0x%02X is there", u8(from)));
                }
                return code;
            }
        }
    }

    /// Copies what a segment has in it; returns its length, or [#UNKNOWN] if the file ends in it.
    private int length(long begin, int marker) {
        if (at + 2 > file.byteSize()) {
            return endsInSegment(begin);
        }
        int length = (u8(at) << 8 | u8(at + 1)) - 2;
        boolean skipped = marker == COMMENT || (marker > JFIF && marker <= LAST_APPLICATION && marker != ADOBE);
        if (length < 0) {
            String what = "the marker has a length of " + (length + 2);
            if (!skipped && marker != JFIF && marker != ADOBE && marker != NUMBER_OF_LINES) {
                throw strictness.refused(begin, what);
            }
            strictness.damaged(begin, what);
            length = 0;
        }
        at += 2;
        if (at + length > file.byteSize()) {
            return endsInSegment(begin);
        }
        if (!skipped) {
            MemorySegment.copy(file, ValueLayout.JAVA_BYTE, at, segment, 0, length);
        }
        at += length;
        return length;
    }

    private int endsInSegment(long begin) {
        strictness.damaged(begin, "the file ends in the segment that begins here");
        return UNKNOWN;
    }

    private int u8(long offset) {
        return file.get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }

    private int u8(int index) {
        return segment[index] & 0xFF;
    }

    private int u16(int index) {
        return u8(index) << 8 | u8(index + 1);
    }

    private void frame(long begin, int marker, int length) {
        if (components > 0) {
            throw strictness.refused(begin, "there is a second frame header");
        }
        if (length < 6 || length != 6 + 3 * u8(5)) {
            throw strictness.refused(begin, "the frame header has a length of " + (length + 2));
        }
        if (marker != BASELINE && marker != EXTENDED && marker != PROGRESSIVE) {
            throw strictness.refused(begin, kind(marker) + " is not supported");
        }
        int bits = u8(0);
        int count = u8(5);
        height = u16(1);
        width = u16(3);
        if (bits != 8) {
            throw strictness.refused(begin, bits + " bits a channel; 8 are supported");
        }
        if (height == 0 || width == 0) {
            throw strictness.refused(begin, "the frame header says " + width + " x " + height + " pixels");
        }
        if (count != 1 && count != 3 && count != 4) {
            throw strictness.refused(begin, count + " components; 1, 3 and 4 are supported");
        }
        progressive = marker == PROGRESSIVE;
        across = 1;
        down = 1;
        for (int c = 0; c < count; c++) {
            Component one = component[c];
            one.begin();
            one.identifier = u8(6 + 3 * c);
            one.across = u8(7 + 3 * c) >> 4;
            one.down = u8(7 + 3 * c) & 0xF;
            one.tableIndex = u8(8 + 3 * c);
            if (one.across < 1 || one.across > MOST_SAMPLING || one.down < 1 || one.down > MOST_SAMPLING) {
                throw strictness.refused(
                        begin, "component " + c + " is sampled " + one.across + " x " + one.down + " times");
            }
            across = Math.max(across, one.across);
            down = Math.max(down, one.down);
        }
        components = count;
        McuLayout.measure(this);
    }

    private static String kind(int marker) {
        return switch (marker) {
            case 0xC3 -> "lossless coding";
            case 0xC5, 0xC6, 0xC7 -> "hierarchical coding";
            case 0xC9, 0xCA -> "arithmetic coding";
            case 0xCB, 0xCD, 0xCE, 0xCF -> "lossless or hierarchical coding with arithmetic codes";
            default -> String.format("the coding of marker 0x%02X", marker);
        };
    }

    private void jfif(long begin, int length) {
        if (length >= 14 && u8(0) == 'J' && u8(1) == 'F' && u8(2) == 'I' && u8(3) == 'F' && u8(4) == 0) {
            isJfif = true;
            if (u8(5) != 1) {
                strictness.damaged(begin, "JFIF of version " + u8(5));
            }
        }
    }

    private void adobe(long begin, int length) {
        if (length >= 12 && u8(0) == 'A' && u8(1) == 'd' && u8(2) == 'o' && u8(3) == 'b' && u8(4) == 'e') {
            adobeTransform = u8(11);
            adobeMarker = begin;
        }
    }

    /// What the components are, by the rules of libjpeg, which differ from nobody else's in what they guess.
    JpegColors colors() {
        boolean damaged = adobeTransform > (components == 4 ? 2 : 1) || (components == 4 && adobeTransform == 1);
        if (components > 1 && damaged && !(components == 3 && isJfif)) {
            strictness.damaged(adobeMarker, "Adobe's color transform is " + adobeTransform);
        }
        if (components == 1) {
            return JpegColors.GRAY;
        }
        if (components == 4) {
            return adobeTransform == UNKNOWN || adobeTransform == 0 ? JpegColors.CMYK : JpegColors.YCCK;
        }
        if (isJfif) {
            return JpegColors.YCBCR;
        }
        boolean named =
                component[0].identifier == 'R' && component[1].identifier == 'G' && component[2].identifier == 'B';
        boolean rgb = adobeTransform == UNKNOWN ? named : adobeTransform == 0;
        return rgb ? JpegColors.RGB : JpegColors.YCBCR;
    }

    private void restartInterval(long begin, int length) {
        if (length != 2) {
            throw strictness.refused(begin, "the restart interval has a length of " + (length + 2));
        }
        restartInterval = u16(0);
    }

    private void quantizationTables(long begin, int length) {
        int next = 0;
        while (next < length) {
            int index = u8(next) & 0xF;
            int bytes = u8(next) >> 4 == 0 ? 1 : 2;
            next++;
            if (index >= TABLES || next + AREA * bytes > length) {
                throw strictness.refused(begin, "a quantization table is damaged");
            }
            for (int k = 0; k < AREA; k++) {
                quantization[index][k] = bytes == 1 ? u8(next + k) : u16(next + 2 * k);
            }
            next += AREA * bytes;
            quantizationKnown |= 1 << index;
        }
    }

    private void huffmanTables(long begin, int length) {
        int next = 0;
        while (next < length) {
            int kind = u8(next) >> 4;
            int index = u8(next) & 0xF;
            int symbols = 0;
            for (int i = 1; i <= LENGTHS && next + i < length; i++) {
                symbols += u8(next + i);
            }
            int end = next + 1 + LENGTHS + symbols;
            if (kind > 1 || index >= TABLES || end > length || symbols > 256) {
                throw strictness.refused(begin, "a Huffman table is damaged");
            }
            HuffmanCode code = kind == 0 ? dc[index] : ac[index].code;
            code.define(segment, next + 1, end);
            next = end;
        }
    }

    private void scan(long begin, int length) {
        if (components == 0) {
            throw strictness.refused(begin, "there is no frame header before the image data");
        }
        int count = length < 1 ? 0 : u8(0);
        if (count < 1 || count > MOST_COMPONENTS || length != 4 + 2 * count) {
            throw strictness.refused(begin, "a scan header has a length of " + (length + 2));
        }
        if (++scans > MOST_SCANS) {
            throw strictness.refused(begin, "more than " + MOST_SCANS + " scans");
        }
        scanMarker = begin;
        scannedComponents = count;
        for (int i = 0; i < count; i++) {
            int codes = u8(2 + 2 * i);
            Component one = find(begin, u8(1 + 2 * i), i);
            one.dc = codes >> 4;
            one.ac = codes & 0xF;
            scanned[i] = one;
        }
        int rest = 1 + 2 * count;
        firstCoefficient = u8(rest);
        lastCoefficient = u8(rest + 1);
        formerLow = u8(rest + 2) >> 4;
        low = u8(rest + 2) & 0xF;
        if (progressive) {
            checkProgression(begin);
        } else if (firstCoefficient != 0 || lastCoefficient != AREA - 1 || formerLow != 0 || low != 0) {
            strictness.damaged(begin, "a scan of a sequential picture is progressive");
        }
        takeTables(begin);
    }

    private Component find(long begin, int identifier, int known) {
        for (int c = 0; c < components; c++) {
            Component one = component[c];
            boolean free = true;
            for (int i = 0; i < known; i++) {
                free &= scanned[i] != one;
            }
            if (one.identifier == identifier && free) {
                return one;
            }
        }
        throw strictness.refused(begin, "a scan has component " + identifier + ", which is not in the frame header");
    }

    private void checkProgression(long begin) {
        boolean isDc = firstCoefficient == 0;
        boolean sound = isDc
                ? lastCoefficient == 0
                : firstCoefficient <= lastCoefficient && lastCoefficient < AREA && scannedComponents == 1;
        if (!sound || (formerLow != 0 && low != formerLow - 1) || low > 13) {
            throw strictness.refused(
                    begin,
                    String.format(
                            "a scan of coefficients %d to %d, bits %d to %d, of %d components",
                            firstCoefficient, lastCoefficient, formerLow, low, scannedComponents));
        }
        for (int i = 0; i < scannedComponents; i++) {
            int[] missing = scanned[i].missingBits;
            boolean expected = isDc || missing[0] >= 0;
            for (int k = firstCoefficient; k <= lastCoefficient; k++) {
                expected &= formerLow == Math.max(0, missing[k]);
                comesAgain |= formerLow == 0 && missing[k] >= 0;
                missing[k] = low;
            }
            comesAgain |= !expected;
            if (!expected) {
                strictness.damaged(begin, "scans are out of order");
            }
        }
    }

    /// Checks that the tables of a scan are there, and keeps those that count from now on.
    private void takeTables(long begin) {
        boolean usesDc = !progressive || (firstCoefficient == 0 && formerLow == 0);
        boolean usesAc = !progressive || firstCoefficient > 0;
        int blocks = 0;
        for (int i = 0; i < scannedComponents; i++) {
            Component one = scanned[i];
            blocks += one.across * one.down;
            if (!one.isQuantized) {
                if (one.tableIndex >= TABLES || (quantizationKnown >> one.tableIndex & 1) == 0) {
                    throw strictness.refused(begin, "quantization table " + one.tableIndex + " is missing");
                }
                System.arraycopy(quantization[one.tableIndex], 0, one.quantization, 0, AREA);
                one.isQuantized = true;
            }
            if (!progressive) {
                Arrays.fill(one.missingBits, 0);
            }
            if (usesDc) {
                prepare(begin, "DC", one.dc, one.dc < TABLES ? dc[one.dc] : null);
            }
            if (usesAc) {
                prepare(begin, "AC", one.ac, one.ac < TABLES ? ac[one.ac].code : null);
            }
        }
        if (scannedComponents > 1 && blocks > McuLayout.MOST_BLOCKS) {
            throw strictness.refused(begin, "a unit has " + blocks + " blocks; 10 are allowed");
        }
    }

    private void prepare(long begin, String kind, int index, @Nullable HuffmanCode code) {
        if (code != null && !code.isDefined() && !progressive && index < 2) {
            code.defineStandard(index);
        }
        if (code == null || !code.isDefined()) {
            throw strictness.refused(begin, kind + " Huffman table " + index + " is missing");
        }
        if (!code.prepare(progressive)) {
            throw strictness.refused(begin, kind + " Huffman table " + index + " is damaged");
        }
    }
}
