package org.jspdl.media.internal.jpeg;

import java.util.Arrays;

/// A Huffman code of a JPEG file (ITU-T T.81, annexes C and F): what the next bits of a scan stand for.
///
/// What is found is an entry of one `int`: in bits 0-5 how many bits the code and the value behind it have, in bits
/// 8-12 those of the code alone, in bits 14-17 those of the value, and from bit 18 on how far the position in a block
/// advances, which is [#END_OF_BLOCK] for the code that ends it. Rebuilt in place, and only if another code comes. Used
/// by one thread at a time.
final class HuffmanCode {
    /// How many bits are looked up at once: most codes with their values are not longer.
    static final int BITS = 11;
    /// So far to the right go the bits to be looked up.
    static final int LOOK_UP = Long.SIZE - BITS;

    static final int ADVANCE = 18;
    static final int END_OF_BLOCK = 128;
    /// The advance of a code that is longer than [#BITS], or is none.
    static final int UNKNOWN = 256;
    /// An entry for what is no code: it takes no bits and ends the block. Its lowest bit is one that no other has.
    static final int NO_CODE = END_OF_BLOCK << ADVANCE | 1 << 13;

    private static final int LENGTHS = 16;
    private static final int MOST_DC_BITS = 11;
    private static final int MOST_AC_BITS = 10;
    private static final int LONGEST_RUN = 15;

    final int[] entries = new int[1 << BITS];
    private final boolean ac;
    private final byte[] definition = new byte[LENGTHS + 256];
    private int definitionLength = -1;
    private final int[] last = new int[LENGTHS + 1];
    private final int[] shift = new int[LENGTHS + 1];
    private int version;

    /// @param ac whether the code is one for AC coefficients
    HuffmanCode(boolean ac) {
        this.ac = ac;
    }

    /// Grows by one with every new code.
    int version() {
        return version;
    }

    /// Takes a code as a file defines it: how many codes of 1 to 16 bits there are, one byte each, and then their
    /// symbols. Returns whether it is one that a baseline file may have.
    boolean define(byte[] file, int from, int to) {
        if (to - from == definitionLength && Arrays.equals(file, from, to, definition, 0, definitionLength)) {
            return true;
        }
        definitionLength = -1;
        if (!isSound(file, from, to)) {
            return false;
        }
        System.arraycopy(file, from, definition, 0, to - from);
        build();
        definitionLength = to - from;
        version++;
        return true;
    }

    private boolean isSound(byte[] file, int from, int to) {
        int code = 0;
        int symbols = 0;
        for (int length = 1; length <= LENGTHS; length++) {
            int count = file[from + length - 1] & 0xFF;
            code += count;
            symbols += count;
            if (code > 1 << length) {
                return false;
            }
            code <<= 1;
        }
        if (to - from != LENGTHS + symbols || symbols > 256) {
            return false;
        }
        for (int i = from + LENGTHS; i < to; i++) {
            int run = (file[i] & 0xFF) >> 4;
            int bits = file[i] & 0xF;
            boolean known = ac
                    ? bits <= MOST_AC_BITS && (bits > 0 || run == 0 || run == LONGEST_RUN)
                    : run == 0 && bits <= MOST_DC_BITS;
            if (!known) {
                return false;
            }
        }
        return true;
    }

    private void build() {
        Arrays.fill(entries, UNKNOWN << ADVANCE);
        int code = 0;
        int symbol = 0;
        for (int length = 1; length <= LENGTHS; length++) {
            int count = definition[length - 1] & 0xFF;
            shift[length] = symbol - code;
            for (int i = 0; i < count && length <= BITS; i++) {
                int from = (code + i) << (BITS - length);
                Arrays.fill(entries, from, from + (1 << (BITS - length)), entry(symbol + i, length));
            }
            code += count;
            symbol += count;
            last[length] = count > 0 ? code - 1 : -1;
            code <<= 1;
        }
    }

    private int entry(int symbol, int length) {
        int value = definition[LENGTHS + symbol] & 0xFF;
        int bits = value & 0xF;
        int advance = ac && value == 0 ? END_OF_BLOCK : (value >> 4) + 1;
        return advance << ADVANCE | bits << 14 | length << 8 | (length + bits);
    }

    /// The entry of a code that is longer than [#BITS], at the top of `bits`; [#NO_CODE] if there is none.
    int find(long bits) {
        for (int length = BITS + 1; length <= LENGTHS; length++) {
            int code = (int) (bits >>> (Long.SIZE - length));
            if (code <= last[length]) {
                return entry(code + shift[length], length);
            }
        }
        return NO_CODE;
    }

    /// The value behind the code of `entry`, both at the top of `bits` (T.81, F.2.2.1).
    static int value(long bits, int entry) {
        long rest = bits << (entry >>> 8);
        long sign = ~(rest >> (Long.SIZE - 1));
        return (int) (((rest ^ sign) >>> 1 >>> (Long.SIZE - 1 - (entry >>> 14 & 0xF)) ^ sign) - sign);
    }
}
