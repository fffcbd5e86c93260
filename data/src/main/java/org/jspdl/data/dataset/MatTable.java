package org.jspdl.data.dataset;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Reads an array of structures from a MAT file of version 5, as MATLAB writes them ("MAT-File Format", MathWorks): the
/// table in which ImageNet's development kit numbers its classes.
final class MatTable {
    private static final int HEADER = 128;
    private static final int ENDIAN_AT = 126;
    private static final int MOST_BYTES = 64 << 20;
    private static final int MOST_ROWS = 1_000_000;
    private static final int LONGEST_NAME = 64;

    private static final int COMPRESSED = 15;
    private static final int MATRIX = 14;
    private static final int STRUCTURE = 2;
    private static final int CHARACTERS = 4;
    private static final int FIRST_NUMBERS = 6;
    private static final int LAST_NUMBERS = 15;

    /// A piece of the file.
    private record Element(int type, ByteBuffer data) {}

    /// What an array begins with.
    private record Array(int kind, long elements, String name) {}

    private MatTable() {}

    /// The rows of the table `name`: by the names of the fields, a [Double] of a single number and a [String] of
    /// characters; other fields are left out.
    ///
    /// @throws IllegalArgumentException if it is no such file, or has no such table; the message says why
    static List<Map<String, Object>> read(byte[] file, String name) {
        try {
            ByteBuffer in = ByteBuffer.wrap(file);
            if (file.length < HEADER) {
                throw new IllegalArgumentException("it has no more than " + file.length + " bytes");
            }
            String endian = new String(file, ENDIAN_AT, 2, StandardCharsets.ISO_8859_1);
            if (!endian.equals("IM") && !endian.equals("MI")) {
                throw new IllegalArgumentException("it is no MAT file of version 5 to 7");
            }
            in.order(endian.equals("IM") ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
            in.position(HEADER);
            while (in.hasRemaining()) {
                Element element = next(in);
                if (element.type() == COMPRESSED) {
                    element = next(inflated(element.data()));
                }
                if (element.type() == MATRIX) {
                    ByteBuffer data = element.data();
                    Array array = array(data);
                    if (array.name().equals(name) && array.kind() == STRUCTURE) {
                        return rows(data, array.elements());
                    }
                }
            }
        } catch (BufferUnderflowException | DataFormatException damaged) {
            throw new IllegalArgumentException("it is damaged, or ends too early", damaged);
        }
        throw new IllegalArgumentException("it has no table '" + name + "'");
    }

    /// Up to four bytes stand beside their type; of more, the length does.
    private static Element next(ByteBuffer in) {
        int type = in.getInt();
        int beside = type >>> 16;
        if (beside != 0) {
            ByteBuffer data = part(in, beside);
            in.position(in.position() + 4);
            return new Element(type & 0xFFFF, data);
        }
        int bytes = in.getInt();
        ByteBuffer data = part(in, bytes);
        int padded = type == COMPRESSED ? bytes : Math.ceilDiv(bytes, 8) * 8;
        in.position(Math.min(in.limit(), in.position() + padded));
        return new Element(type, data);
    }

    private static ByteBuffer part(ByteBuffer in, int bytes) {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new BufferUnderflowException();
        }
        return in.slice(in.position(), bytes).order(in.order());
    }

    private static ByteBuffer inflated(ByteBuffer packed) throws DataFormatException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] piece = new byte[1 << 16];
            while (!inflater.finished()) {
                int bytes = inflater.inflate(piece);
                if (bytes == 0 && !inflater.finished()) {
                    throw new BufferUnderflowException();
                }
                all.write(piece, 0, bytes);
                if (all.size() > MOST_BYTES) {
                    throw new IllegalArgumentException("an array of it has more than " + MOST_BYTES + " bytes");
                }
            }
            return ByteBuffer.wrap(all.toByteArray()).order(packed.order());
        } finally {
            inflater.end();
        }
    }

    /// Reads up to the content.
    private static Array array(ByteBuffer in) {
        int kind = next(in).data().getInt() & 0xFF;
        ByteBuffer dimensions = next(in).data();
        long elements = 1;
        while (dimensions.remaining() >= Integer.BYTES) {
            elements *= dimensions.getInt();
            if (elements < 0 || elements > MOST_BYTES) {
                throw new IllegalArgumentException("an array of it has more than " + MOST_BYTES + " elements");
            }
        }
        return new Array(kind, elements, text(next(in).data()));
    }

    private static List<Map<String, Object>> rows(ByteBuffer in, long count) {
        int length = next(in).data().getInt();
        ByteBuffer written = next(in).data();
        if (count > MOST_ROWS || length < 1 || length > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "a table of it has " + count + " rows, and names of " + length + " bytes");
        }
        List<String> names = new ArrayList<>();
        while (written.remaining() >= length) {
            names.add(text(part(written, length)));
            written.position(written.position() + length);
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        for (long row = 0; row < count; row++) {
            Map<String, Object> values = new LinkedHashMap<>();
            for (String name : names) {
                Element field = next(in);
                if (field.type() != MATRIX) {
                    throw new IllegalArgumentException("a field of it is of the type " + field.type());
                }
                value(values, name, field.data());
            }
            rows.add(values);
        }
        return rows;
    }

    private static void value(Map<String, Object> values, String name, ByteBuffer in) {
        if (!in.hasRemaining()) {
            return;
        }
        Array array = array(in);
        if (array.kind() == CHARACTERS) {
            values.put(name, characters(next(in)));
        } else if (array.kind() >= FIRST_NUMBERS && array.kind() <= LAST_NUMBERS && array.elements() == 1) {
            values.put(name, number(next(in)));
        }
    }

    private static String characters(Element element) {
        ByteBuffer data = element.data();
        return switch (element.type()) {
            case 1, 2, 16 -> text(data);
            case 4, 17 -> data.asCharBuffer().toString();
            default -> throw new IllegalArgumentException("a text of it is of the type " + element.type());
        };
    }

    private static double number(Element element) {
        ByteBuffer data = element.data();
        return switch (element.type()) {
            case 1 -> data.get();
            case 2 -> data.get() & 0xFF;
            case 3 -> data.getShort();
            case 4 -> data.getShort() & 0xFFFF;
            case 5 -> data.getInt();
            case 6 -> data.getInt() & 0xFFFFFFFFL;
            case 7 -> data.getFloat();
            case 9 -> data.getDouble();
            case 12, 13 -> data.getLong();
            default -> throw new IllegalArgumentException("a number of it is of the type " + element.type());
        };
    }

    /// Up to the first zero.
    private static String text(ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(data.position(), bytes);
        String text = new String(bytes, StandardCharsets.UTF_8);
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }
}
