package org.jspdl.array;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspdl.archive.internal.LittleEndian;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspecify.annotations.Nullable;

/// What stands before the elements of an NPY file: a Python dictionary of type, memory order and shape.
///
/// Reads exactly the dictionaries that NumPy accepts and writes: strings, `True` and `False`, tuples of integers.
final class NpyHeader {
    /// Magic, version, and the shortest length field.
    static final int PREFIX_BYTES = 10;

    private static final long MAGIC = 0x5950_4D55_4E93L;
    /// NumPy itself allows 64.
    private static final int MOST_DIMENSIONS = 64;

    final long dataOffset;

    private final MemorySegment bytes;
    private final long end;
    private long at;

    private @Nullable ElementType type;
    private ByteOrder byteOrder = ByteOrder.nativeOrder();
    private @Nullable MemoryOrder memoryOrder;
    private @Nullable Shape shape;

    private NpyHeader(MemorySegment bytes, long start, long end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
        this.dataOffset = end;
    }

    /// How many bytes the header takes, told from its first ten or twelve.
    static long byteSize(MemorySegment bytes) {
        if (bytes.byteSize() < PREFIX_BYTES + 2) {
            throw FormatException.because(String.format("NPY: the file has only %,d bytes", bytes.byteSize()));
        }
        if ((LittleEndian.i64(bytes, 0) & 0xFFFF_FFFF_FFFFL) != MAGIC) {
            throw FormatException.because("NPY: the file does not begin with \\x93NUMPY");
        }
        int version = LittleEndian.u8(bytes, 6);
        return switch (version) {
            case 1 -> 10L + LittleEndian.u16(bytes, 8);
            case 2, 3 -> 12L + LittleEndian.u32(bytes, 8);
            default -> throw FormatException.because("NPY: versions 1 to 3 are supported, this is " + version);
        };
    }

    /// Reads the header at the beginning of `bytes`.
    static NpyHeader parse(MemorySegment bytes) {
        long end = byteSize(bytes);
        if (end > bytes.byteSize()) {
            throw FormatException.because(
                    String.format("NPY: the header takes %,d bytes but the file has %,d", end, bytes.byteSize()));
        }
        NpyHeader header = new NpyHeader(bytes, LittleEndian.u8(bytes, 6) == 1 ? 10 : 12, end);
        header.dictionary();
        return header;
    }

    ElementType type() {
        return found(type, "descr");
    }

    ByteOrder byteOrder() {
        return byteOrder;
    }

    MemoryOrder memoryOrder() {
        return found(memoryOrder, "fortran_order");
    }

    Shape shape() {
        return found(shape, "shape");
    }

    private static <T> T found(@Nullable T value, String key) {
        if (value == null) {
            throw FormatException.because("NPY: the header has no '" + key + "'");
        }
        return value;
    }

    private void dictionary() {
        expect('{');
        while (next() != '}') {
            long key = at;
            int length = string();
            expect(':');
            if (isWord(key, length, "descr")) {
                descr();
            } else if (isWord(key, length, "fortran_order")) {
                memoryOrder = bool() ? MemoryOrder.COLUMN_MAJOR : MemoryOrder.ROW_MAJOR;
            } else if (isWord(key, length, "shape")) {
                shape = tuple();
            } else {
                throw wrong("no other key than 'descr', 'fortran_order' and 'shape'", key);
            }
            if (next() == ',') {
                at++;
            } else if (next() != '}') {
                throw wrong("',' or '}'", at);
            }
        }
    }

    private void descr() {
        int first = next();
        if (first == '[' || first == '(') {
            throw FormatException.because(
                    "NPY: the elements are structured (records of named fields); save each field as an array of its own");
        }
        long start = at + 1;
        int length = string();
        long name = start;
        int order = length > 0 ? byteAt(name) : 0;
        if (order == '<' || order == '>' || order == '=' || order == '|') {
            byteOrder = order == '<'
                    ? ByteOrder.LITTLE_ENDIAN
                    : order == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.nativeOrder();
            name++;
        }
        long size = -1;
        for (long i = name + 1; i < start + length && size < 1000; i++) {
            int digit = byteAt(i) - '0';
            size = digit < 0 || digit > 9 ? 1000 : Math.max(0, size) * 10 + digit;
        }
        type = length > name - start ? NpyType.of(byteAt(name), size) : null;
        if (type == null) {
            byte[] descr = bytes.asSlice(start, length).toArray(ValueLayout.JAVA_BYTE);
            throw NpyType.unsupported(new String(descr, StandardCharsets.UTF_8));
        }
    }

    /// Passes a quoted string; its length. It begins one byte behind where this began.
    private int string() {
        int quote = next();
        if (quote != '\'' && quote != '"') {
            throw wrong("a quoted string", at);
        }
        long start = ++at;
        while (byteAt(at) != quote) {
            at++;
        }
        return Math.toIntExact(at++ - start);
    }

    private boolean bool() {
        int first = next();
        for (String word : new String[] {"True", "False"}) {
            if (first == word.charAt(0) && isWord(at - 1, word.length(), word)) {
                at += word.length();
                return first == 'T';
            }
        }
        throw wrong("True or False", at);
    }

    private Shape tuple() {
        expect('(');
        long[] extents = new long[4];
        int rank = 0;
        while (next() != ')') {
            if (rank == MOST_DIMENSIONS) {
                throw FormatException.because("NPY: the array has more than " + MOST_DIMENSIONS + " dimensions");
            }
            if (rank == extents.length) {
                extents = Arrays.copyOf(extents, 4 * rank);
            }
            extents[rank++] = integer();
            if (next() == ',') {
                at++;
            } else if (next() != ')') {
                throw wrong("',' or ')'", at);
            }
        }
        at++;
        try {
            return Shape.of(rank == extents.length ? extents : Arrays.copyOf(extents, rank));
        } catch (IllegalArgumentException tooLarge) {
            throw FormatException.because("NPY: " + tooLarge.getMessage());
        }
    }

    private long integer() {
        long start = at;
        long value = 0;
        for (int digit = byteAt(at) - '0'; digit >= 0 && digit <= 9; digit = byteAt(at) - '0') {
            if (value > (Long.MAX_VALUE - digit) / 10) {
                throw FormatException.because("NPY: an extent of the shape does not fit 64 bits");
            }
            value = value * 10 + digit;
            at++;
        }
        if (at == start) {
            throw wrong("a number that is not negative", at);
        }
        if (byteAt(at) == 'L') { // written by Python 2
            at++;
        }
        return value;
    }

    /// The next byte that is no white space, not passed.
    private int next() {
        int c = byteAt(at);
        while (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            c = byteAt(++at);
        }
        return c;
    }

    private void expect(char wanted) {
        if (next() != wanted) {
            throw wrong("'" + wanted + "'", at);
        }
        at++;
    }

    private int byteAt(long place) {
        if (place >= end) {
            throw FormatException.because(String.format("NPY: the header ends unfinished after %,d bytes", end));
        }
        return bytes.get(ValueLayout.JAVA_BYTE, place);
    }

    /// Whether the `length` bytes behind the quote at `quote` are `word`.
    private boolean isWord(long quote, int length, String word) {
        if (length != word.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (byteAt(quote + 1 + i) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static FormatException wrong(String wanted, long place) {
        return FormatException.at(place, "NPY: the header has something else than " + wanted);
    }
}
