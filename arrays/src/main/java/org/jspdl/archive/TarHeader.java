package org.jspdl.archive;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspdl.archive.internal.LittleEndian;
import org.jspdl.input.FormatException;

/// A header block of a TAR archive: 512 bytes of fields, as old tar, POSIX ustar and GNU tar write them.
///
/// Numbers are octal text, or binary with the top bit of the first byte set.
final class TarHeader {
    static final int BLOCK = 512;

    static final int NAME = 0;
    static final int NAME_BYTES = 100;
    static final int MODE = 100;
    static final int SIZE = 124;
    static final int TIME = 136;
    static final int CHECKSUM = 148;
    static final int TYPE = 156;
    static final int LINK_NAME = 157;
    static final int MAGIC = 257;
    static final int PREFIX = 345;
    static final int PREFIX_BYTES = 155;

    /// "ustar" and a zero; GNU tar writes a space there.
    private static final long POSIX = 0x72_6174_7375L;
    private static final long EVEN_BYTES = 0x00FF_00FF_00FF_00FFL;
    private static final long EVEN_PAIRS = 0x0000_FFFF_0000_FFFFL;

    private TarHeader() {}

    /// The sum of all bytes of the block at `at`; 0 only if all are zero.
    ///
    /// Four 16-bit lanes of one long: 128 bytes to a lane stay below 32,641.
    static int sum(MemorySegment block, long at) {
        long lanes = 0;
        for (long i = at; i < at + BLOCK; i += 8) {
            long eight = block.get(ValueLayout.JAVA_LONG_UNALIGNED, i);
            lanes += (eight & EVEN_BYTES) + ((eight >>> 8) & EVEN_BYTES);
        }
        long pairs = (lanes & EVEN_PAIRS) + ((lanes >>> 16) & EVEN_PAIRS);
        return (int) (pairs + (pairs >>> 32));
    }

    /// Whether the checksum field fits a block whose bytes sum up to `sum`.
    static boolean isIntact(MemorySegment block, long at, int sum) {
        long written = octal(block, at + CHECKSUM, 8);
        if (written < 0) {
            return false;
        }
        // The field counts as eight spaces.
        int field = 0;
        for (int i = 0; i < 8; i++) {
            field += block.get(ValueLayout.JAVA_BYTE, at + CHECKSUM + i) & 0xFF;
        }
        int expected = sum - field + 8 * ' ';
        return written == expected || written == expected - negatives(block, at);
    }

    /// What the sum is too high by for those who, long ago, summed signed bytes.
    private static int negatives(MemorySegment block, long at) {
        int count = 0;
        for (long i = at; i < at + BLOCK; i++) {
            boolean ofField = i >= at + CHECKSUM && i < at + CHECKSUM + 8;
            count += !ofField && block.get(ValueLayout.JAVA_BYTE, i) < 0 ? 256 : 0;
        }
        return count;
    }

    /// The kind of header: a character.
    static int type(MemorySegment block, long at) {
        return block.get(ValueLayout.JAVA_BYTE, at + TYPE);
    }

    static long size(MemorySegment block, long at) {
        return number(block, at, SIZE, 12, "size");
    }

    static long modified(MemorySegment block, long at) {
        return number(block, at, TIME, 12, "time");
    }

    static long mode(MemorySegment block, long at) {
        return number(block, at, MODE, 8, "mode");
    }

    static String name(MemorySegment block, long at) {
        String name = text(block, at + NAME, NAME_BYTES);
        // POSIX puts the beginning of long paths into a field that GNU tar uses for other things.
        if ((LittleEndian.i64(block, at + MAGIC) & 0xFFFF_FFFF_FFFFL) == POSIX
                && block.get(ValueLayout.JAVA_BYTE, at + PREFIX) != 0) {
            return text(block, at + PREFIX, PREFIX_BYTES) + "/" + name;
        }
        return name;
    }

    static String linkName(MemorySegment block, long at) {
        return text(block, at + LINK_NAME, NAME_BYTES);
    }

    private static String text(MemorySegment block, long at, int mostBytes) {
        int length = 0;
        while (length < mostBytes && block.get(ValueLayout.JAVA_BYTE, at + length) != 0) {
            length++;
        }
        byte[] bytes = new byte[length];
        MemorySegment.copy(block, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return decoded(bytes);
    }

    /// A name in UTF-8, or else in Latin-1, as old programs wrote it: so names that differ stay different.
    static String decoded(byte[] name) {
        String text = new String(name, StandardCharsets.UTF_8);
        return text.indexOf('\uFFFD') < 0 || Arrays.equals(text.getBytes(StandardCharsets.UTF_8), name)
                ? text
                : new String(name, StandardCharsets.ISO_8859_1);
    }

    private static long number(MemorySegment block, long at, int field, int bytes, String what) {
        int first = block.get(ValueLayout.JAVA_BYTE, at + field);
        long value = first < 0 ? binary(block, at + field, bytes) : octal(block, at + field, bytes);
        if (value < 0 && (first >= 0 || field == SIZE)) {
            throw FormatException.at(at, "TAR: the header has a " + what + " that is no number, or out of range");
        }
        return value;
    }

    /// A number in base 256; negative beyond 63 bits too.
    private static long binary(MemorySegment block, long at, int bytes) {
        // The top bit marks the field, the one below is the sign.
        long value = (long) ((block.get(ValueLayout.JAVA_BYTE, at) & 0x7F) << 25) >> 25;
        for (int i = 1; i < bytes; i++) {
            if (value != (value << 8) >> 8) {
                return Long.MIN_VALUE;
            }
            value = (value << 8) | (block.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF);
        }
        return value;
    }

    /// A number in octal digits, with spaces before and a space or zero behind; an empty field is 0, garbage -1.
    private static long octal(MemorySegment block, long at, int bytes) {
        long value = 0;
        int i = 0;
        while (i < bytes && block.get(ValueLayout.JAVA_BYTE, at + i) == ' ') {
            i++;
        }
        for (; i < bytes; i++) {
            int digit = block.get(ValueLayout.JAVA_BYTE, at + i) - '0';
            if (digit < 0 || digit > 7) {
                return digit == -'0' || digit == ' ' - '0' ? value : -1;
            }
            value = value << 3 | digit;
        }
        return value;
    }
}
