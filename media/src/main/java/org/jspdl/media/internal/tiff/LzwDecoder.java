package org.jspdl.media.internal.tiff;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// LZW as TIFF 6.0 has it, and as files of before have it: bits from the lowest, and codes that grow one later.
///
/// After the LZW section of the TIFF 6.0 specification. Reused; used by one thread at a time.
final class LzwDecoder {
    private static final int CLEAR = 256;
    private static final int END = 257;
    private static final int FIRST = 258;
    private static final int LEAST_BITS = 9;
    private static final int MOST_BITS = 12;
    private static final int CODES = 1 << MOST_BITS;

    private final short[] prefix = new short[CODES];
    private final byte[] last = new byte[CODES];
    private final byte[] first = new byte[CODES];
    private final int[] length = new int[CODES];

    LzwDecoder() {
        for (int i = 0; i < CLEAR; i++) {
            last[i] = (byte) i;
            first[i] = (byte) i;
            length[i] = 1;
        }
    }

    /// Decodes until `into` is full, or `from` ends; returns how many bytes there are, negative if the codes make
    /// no sense after them: the number is then `-1 - result`.
    long decode(MemorySegment from, MemorySegment into) {
        boolean old = from.byteSize() > 1
                && from.get(ValueLayout.JAVA_BYTE, 0) == 0
                && (from.get(ValueLayout.JAVA_BYTE, 1) & 1) != 0;
        long bitsLeft = from.byteSize() * Byte.SIZE;
        long bit = 0;
        int width = LEAST_BITS;
        int next = FIRST;
        int previous = -1;
        long written = 0;
        while (written < into.byteSize() && bitsLeft - bit >= width) {
            int code = old ? lowestFirst(from, bit, width) : highestFirst(from, bit, width);
            bit += width;
            if (code == END) {
                return written;
            }
            if (code == CLEAR) {
                width = LEAST_BITS;
                next = FIRST;
                previous = -1;
                continue;
            }
            if (previous < 0) {
                if (code > END) {
                    return -1 - written;
                }
            } else {
                if (code > next || next >= CODES) {
                    return -1 - written;
                }
                prefix[next] = (short) previous;
                first[next] = first[previous];
                length[next] = length[previous] + 1;
                last[next] = code == next ? first[previous] : first[code];
                next++;
                if (next > (1 << width) - (old ? 1 : 2) && width < MOST_BITS) {
                    width++;
                }
            }
            written = write(code, into, written);
            previous = code;
        }
        return written;
    }

    private long write(int code, MemorySegment into, long at) {
        long end = at + length[code];
        int rest = code;
        for (long to = end - 1; to >= at; to--) {
            if (to < into.byteSize()) {
                into.set(ValueLayout.JAVA_BYTE, to, last[rest]);
            }
            rest = prefix[rest];
        }
        return Math.min(end, into.byteSize());
    }

    private static int highestFirst(MemorySegment from, long bit, int width) {
        int value = 0;
        long at = bit >>> 3;
        for (int i = 0; i < 3; i++) {
            value = (value << 8) | (at + i < from.byteSize() ? from.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF : 0);
        }
        return (value >>> (24 - width - (int) (bit & 7))) & ((1 << width) - 1);
    }

    private static int lowestFirst(MemorySegment from, long bit, int width) {
        int value = 0;
        long at = bit >>> 3;
        for (int i = 0; i < 3; i++) {
            value |= (at + i < from.byteSize() ? from.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF : 0) << (8 * i);
        }
        return (value >>> (int) (bit & 7)) & ((1 << width) - 1);
    }
}
