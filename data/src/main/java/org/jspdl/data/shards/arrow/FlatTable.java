package org.jspdl.data.shards.arrow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// A table of FlatBuffers, in which Arrow's metadata is written: fields by their numbers, absent ones having defaults.
///
/// Every access is within the bytes of the message, or throws an [IndexOutOfBoundsException].
///
/// @param bytes the whole message, little-endian
/// @param at    where the table begins
record FlatTable(ByteBuffer bytes, int at) {

    /// The table that a message begins with.
    static FlatTable root(byte[] message) {
        ByteBuffer bytes = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        return new FlatTable(bytes, bytes.getInt(0));
    }

    /// Where the value of a field is; 0 if it is absent.
    private int place(int field) {
        int layout = at - bytes.getInt(at);
        int entry = 4 + 2 * field;
        if (entry + 2 > (bytes.getShort(layout) & 0xFFFF)) {
            return 0;
        }
        int offset = bytes.getShort(layout + entry) & 0xFFFF;
        return offset == 0 ? 0 : at + offset;
    }

    private int target(int place) {
        return Math.addExact(place, bytes.getInt(place));
    }

    boolean flag(int field) {
        int place = place(field);
        return place != 0 && bytes.get(place) != 0;
    }

    int small(int field) {
        int place = place(field);
        return place == 0 ? 0 : bytes.get(place) & 0xFF;
    }

    int medium(int field, int absent) {
        int place = place(field);
        return place == 0 ? absent : bytes.getShort(place);
    }

    int number(int field, int absent) {
        int place = place(field);
        return place == 0 ? absent : bytes.getInt(place);
    }

    long large(int field) {
        int place = place(field);
        return place == 0 ? 0 : bytes.getLong(place);
    }

    /// A text; empty if it is absent.
    String text(int field) {
        int place = place(field);
        if (place == 0) {
            return "";
        }
        int begin = target(place);
        int length = bytes.getInt(begin);
        if (length < 0 || length > bytes.limit() - begin - 4) {
            throw new IndexOutOfBoundsException("a text of " + length + " bytes");
        }
        return new String(bytes.array(), bytes.arrayOffset() + begin + 4, length, StandardCharsets.UTF_8);
    }

    /// Another table; null if it is absent.
    @Nullable
    FlatTable table(int field) {
        int place = place(field);
        return place == 0 ? null : new FlatTable(bytes, target(place));
    }

    /// Another table, which must be there.
    FlatTable required(int field, String what) {
        FlatTable table = table(field);
        if (table == null) {
            throw FormatException.because("Arrow: the metadata lacks " + what);
        }
        return table;
    }

    /// The number of elements of a vector; 0 if it is absent.
    int count(int field) {
        int place = place(field);
        int count = place == 0 ? 0 : bytes.getInt(target(place));
        if (count < 0 || count > bytes.limit()) { // each takes a byte or more
            throw new IndexOutOfBoundsException("a list of " + count + " elements");
        }
        return count;
    }

    /// Where element `index` of a vector begins, of which each has `size` bytes.
    private int element(int field, int index, int size) {
        return Math.addExact(target(place(field)) + 4, Math.multiplyExact(index, size));
    }

    /// A table that is an element of a vector.
    FlatTable table(int field, int index) {
        return new FlatTable(bytes, target(element(field, index, 4)));
    }

    /// A number of 64 bits within an element of a vector of structures.
    long within(int field, int index, int size, int offset) {
        return bytes.getLong(element(field, index, size) + offset);
    }

    /// A number of 32 bits within an element of a vector of structures.
    int smallWithin(int field, int index, int size, int offset) {
        return bytes.getInt(element(field, index, size) + offset);
    }
}
