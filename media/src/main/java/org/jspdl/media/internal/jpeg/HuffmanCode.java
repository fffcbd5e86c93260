package org.jspdl.media.internal.jpeg;

import java.util.Arrays;
import java.util.HexFormat;

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
    /// The bits of an entry that say how many bits its value has.
    static final int VALUE = 0xF << 14;
    static final int END_OF_BLOCK = 128;
    /// The advance of a code that is longer than [#BITS], or is none.
    static final int UNKNOWN = 256;
    /// An entry for what is no code: it takes 17 bits and ends the block, as in libjpeg. It has a bit that no other
    /// has.
    static final int NO_CODE = END_OF_BLOCK << ADVANCE | 1 << 13 | 17 << 8 | 17;

    private static final int LENGTHS = 16;
    private static final int MOST_DC_BITS = 15;
    private static final int LONGEST_RUN = 15;
    /// The codes of T.81, K.3, which files may leave out: for luminance and chroma, DC before AC.
    private static final String[] STANDARD = {
        "00010501010101010100000000000000000102030405060708090a0b",
        "00030101010101010101010000000000000102030405060708090a0b",
        "0002010303020403050504040000017d01020300041105122131410613516107227114328191a1082342b1c11552d1f024336272"
                + "82090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778"
                + "797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6"
                + "d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa",
        "00020102040403040705040400010277000102031104052131061241510761711322328108144291a1b1c109233352f0156272d1"
                + "0a162434e125f11718191a262728292a35363738393a434445464748494a535455565758595a636465666768696a7374757677"
                + "78797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4"
                + "d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa"
    };

    final int[] entries = new int[1 << BITS];
    private final boolean ac;
    private final byte[] definition = new byte[LENGTHS + 256];
    private int definitionLength = -1;
    private final int[] last = new int[LENGTHS + 1];
    private final int[] shift = new int[LENGTHS + 1];
    private boolean isDefined;
    private boolean isBuilt;
    private boolean isSound;
    private boolean progressive;
    private int version;

    /// @param ac whether the code is one for AC coefficients
    HuffmanCode(boolean ac) {
        this.ac = ac;
    }

    /// Grows by one with every new code.
    int version() {
        return version;
    }

    /// Begins with another file, which has not defined this code yet.
    void forget() {
        isDefined = false;
    }

    /// Whether the file has defined this code.
    boolean isDefined() {
        return isDefined;
    }

    /// Takes a code as a file defines it: how many codes of 1 to 16 bits there are, one byte each, and then their
    /// symbols, at most 256.
    void define(byte[] file, int from, int to) {
        isDefined = true;
        if (!Arrays.equals(file, from, to, definition, 0, Math.max(0, definitionLength))) {
            System.arraycopy(file, from, definition, 0, to - from);
            definitionLength = to - from;
            isBuilt = false;
        }
    }

    /// Takes the usual code for luminance (0) or chroma (1).
    void defineStandard(int index) {
        byte[] usual = HexFormat.of().parseHex(STANDARD[(ac ? 2 : 0) + index]);
        define(usual, 0, usual.length);
    }

    /// Makes the entries for a kind of picture; returns whether the code is one that may be used.
    boolean prepare(boolean progressive) {
        if (!isBuilt || this.progressive != progressive) {
            this.progressive = progressive;
            isSound = isSound();
            if (isSound) {
                build();
                version++;
            }
            isBuilt = true;
        }
        return isSound;
    }

    /// As libjpeg has it, no code may be all ones.
    private boolean isSound() {
        int code = 0;
        int known = LENGTHS;
        for (int length = 1; length <= LENGTHS && known < definitionLength; length++) {
            code += definition[length - 1] & 0xFF;
            known += definition[length - 1] & 0xFF;
            if (code >= 1 << length) {
                return false;
            }
            code <<= 1;
        }
        for (int i = LENGTHS; i < definitionLength && !ac; i++) {
            if ((definition[i] & 0xFF) > MOST_DC_BITS) {
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
        int advance = (value >> 4) + 1;
        if (ac && bits == 0 && advance <= LONGEST_RUN) {
            // in progressive pictures, blocks that end here, and as many more as the bits behind the code
            // say
            bits = progressive ? advance - 1 : 0;
            advance = END_OF_BLOCK;
        }
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
