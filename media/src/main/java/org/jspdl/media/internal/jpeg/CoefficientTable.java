package org.jspdl.media.internal.jpeg;

import java.util.Arrays;

/// What the next [HuffmanCode#BITS] bits of a scan hold of AC coefficients, where that is more than one code.
///
/// Made from a code when first asked for. Used by one thread at a time.
final class CoefficientTable {
    /// The second advance of an entry in which the block ends after at most one coefficient, without the advance of
    /// that one: up to 16 more.
    static final long ENDS = 0xC0;
    /// The bits of an entry that are those of [#ENDS] at this place if the block ends.
    static final int ENDED = 0xE0 << 8;
    /// The second advance of an entry of which nothing is known.
    static final long NOTHING = 0xE8;

    /// The bits used up by a code that is not looked up with another one.
    private static final int DOES_NOT_FIT = 0x3F;

    private static final int LOW = (1 << HuffmanCode.BITS) - 1;
    /// More codes are not skipped at once, so that an entry that ends a block can be told from one that goes too
    /// far.
    private static final int FARTHEST = 44;

    final HuffmanCode code = new HuffmanCode(true);
    private final long[] singles = new long[1 << HuffmanCode.BITS];
    private final long[] pairs = new long[1 << HuffmanCode.BITS];
    private final int[] skips = new int[1 << HuffmanCode.BITS];
    private int pairsVersion = -1;
    private int skipsVersion = -1;

    /// Up to two coefficients with their values: bits 0-5 say how many bits are used up, bits 24-31 and 8-15 how
    /// far the first and the last of them are from the present position, bits 32-47 and 48-63 their values. A
    /// single one stands there twice.
    long[] pairs() {
        if (pairsVersion != code.version()) {
            makePairs();
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

    /// Fills in what single codes stand for, one code and one value after the other, then what two of them do: a
    /// file with codes of its own has this made for itself.
    private void makePairs() {
        for (int i = 0; i <= LOW; ) {
            i = single(i, code.entries[i]);
        }
        for (int i = 0; i <= LOW; ) {
            i = pairsOf(i, singles[i]);
        }
    }

    /// Fills in the singles of the code of `entry`, which begin at `from`; returns where they end. A single is the
    /// entry of a pair without its first half.
    private int single(int from, int entry) {
        int used = entry & 0x3F;
        long advance = (long) (entry >>> HuffmanCode.ADVANCE);
        int end = from + (advance == HuffmanCode.UNKNOWN ? 1 : 1 << (HuffmanCode.BITS - (entry >>> 8 & 0x1F)));
        if (advance == HuffmanCode.UNKNOWN || used > HuffmanCode.BITS) {
            Arrays.fill(singles, from, end, NOTHING << 8 | DOES_NOT_FIT);
        } else if (advance == HuffmanCode.END_OF_BLOCK) {
            Arrays.fill(singles, from, end, ENDS << 8 | used);
        } else {
            int values = 1 << (entry >>> 14 & 0xF);
            int run = 1 << (HuffmanCode.BITS - used);
            for (int v = 0; v < values; v++) {
                long value = 2 * v >= values || values == 1 ? v : v - values + 1;
                Arrays.fill(singles, from + v * run, from + (v + 1) * run, value << 48 | advance << 8 | used);
            }
        }
        return end;
    }

    /// Fills in the pairs whose first half is `first`, which begin at `from`; returns where they end.
    private int pairsOf(int from, long first) {
        int used = (int) first & 0x3F;
        if (used == DOES_NOT_FIT) {
            pairs[from] = NOTHING << 24 | NOTHING << 8;
            return from + 1;
        }
        int end = from + (1 << (HuffmanCode.BITS - used));
        if ((first & ENDED) == ENDS << 8) {
            Arrays.fill(pairs, from, end, first);
            return end;
        }
        long half = first >>> 48 << 32 | (first & 0xFF00) << 16 | (first & 0xFFFF);
        long alone = half | first >>> 48 << 48;
        for (int i = from; i < end; i++) {
            long second = singles[i << used & LOW];
            pairs[i] = used + ((int) second & 0x3F) <= HuffmanCode.BITS ? half + second : alone;
        }
        return end;
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
