package org.jspdl.media.internal.jpeg;

/// What the next [HuffmanCode#BITS] bits of a scan hold of AC coefficients, where that is more than one code.
///
/// Made from a code when first asked for. Used by one thread at a time.
final class CoefficientTable {
    /// The second advance of an entry in which the block ends after at most one coefficient.
    static final long ENDS = 200;
    /// The second advance of an entry of which nothing is known.
    static final long NOTHING = 232;

    private static final int LOW = (1 << HuffmanCode.BITS) - 1;
    /// More codes are not skipped at once, so that an entry that ends a block can be told from one that goes too
    /// far.
    private static final int FARTHEST = 44;

    final HuffmanCode code = new HuffmanCode(true);
    private final long[] pairs = new long[1 << HuffmanCode.BITS];
    private final int[] skips = new int[1 << HuffmanCode.BITS];
    private int pairsVersion = -1;
    private int skipsVersion = -1;

    /// Up to two coefficients with their values: bits 0-5 say how many bits are used up, bits 24-31 and 8-15 how
    /// far the first and the last of them are from the present position, bits 32-47 and 48-63 their values. A
    /// single one stands there twice.
    long[] pairs() {
        if (pairsVersion != code.version()) {
            for (int i = 0; i <= LOW; i++) {
                pairs[i] = pair(i);
            }
            pairsVersion = code.version();
        }
        return pairs;
    }

    /// As many codes as fit, to be skipped with their values, in the form of an entry of [HuffmanCode]: the bits
    /// used up and the advance, which has [HuffmanCode#END_OF_BLOCK] added to it if the block ends.
    int[] skips() {
        if (skipsVersion != code.version()) {
            for (int i = 0; i <= LOW; i++) {
                skips[i] = skip(i);
            }
            skipsVersion = code.version();
        }
        return skips;
    }

    private long pair(int bits) {
        int first = code.entries[bits];
        int used = first & 0x3F;
        long advance = (long) (first >>> HuffmanCode.ADVANCE);
        if (advance == HuffmanCode.UNKNOWN || used > HuffmanCode.BITS) {
            return NOTHING << 24 | NOTHING << 8;
        }
        if (advance == HuffmanCode.END_OF_BLOCK) {
            return ENDS << 8 | used;
        }
        long value = value(bits, first);
        int second = code.entries[bits << used & LOW];
        int usedByBoth = used + (second & 0x3F);
        long more = (long) (second >>> HuffmanCode.ADVANCE);
        if (more == HuffmanCode.UNKNOWN || usedByBoth > HuffmanCode.BITS) {
            return value << 48 | value << 32 | advance << 24 | advance << 8 | used;
        }
        if (more == HuffmanCode.END_OF_BLOCK) {
            return value << 32 | advance << 24 | ENDS << 8 | usedByBoth;
        }
        return value(bits << used, second) << 48 | value << 32 | advance << 24 | (advance + more) << 8 | usedByBoth;
    }

    /// In 16 bits.
    private static long value(int bits, int entry) {
        return HuffmanCode.value((long) bits << HuffmanCode.LOOK_UP, entry) & 0xFFFF;
    }

    private int skip(int bits) {
        int used = 0;
        int advance = 0;
        while (true) {
            int next = code.entries[bits << used & LOW];
            boolean known = used + (next >>> 8 & 0x1F) <= HuffmanCode.BITS;
            if (next >>> HuffmanCode.ADVANCE == HuffmanCode.UNKNOWN || advance > FARTHEST || !known) {
                return used == 0 ? HuffmanCode.UNKNOWN << HuffmanCode.ADVANCE : advance << HuffmanCode.ADVANCE | used;
            }
            used += next & 0x3F;
            advance += next >>> HuffmanCode.ADVANCE;
            if (advance >= HuffmanCode.END_OF_BLOCK || used >= HuffmanCode.BITS) {
                return advance << HuffmanCode.ADVANCE | used;
            }
        }
    }
}
