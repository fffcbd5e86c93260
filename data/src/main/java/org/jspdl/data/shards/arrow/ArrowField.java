package org.jspdl.data.shards.arrow;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// A field of a schema, as Arrow's metadata describes it: a column, or a part of one.
///
/// @param name       what it is called
/// @param type       what its values are
/// @param parameter  bits of a number, bytes or elements of a value of fixed size, or the unit of a time
/// @param detail     signed, with a time zone, dense, or the scale of a decimal: not 0
/// @param children   the fields that it consists of
/// @param dictionary the number of the dictionary that the values are in; -1 if they are in the column itself
/// @param indices    what the places in the dictionary are; null without one
record ArrowField(
        String name,
        Type type,
        int parameter,
        int detail,
        List<ArrowField> children,
        long dictionary,
        @Nullable ArrowField indices) {
    private static final int DEEPEST = 64;
    /// Metadata can refer to a part of itself again and again.
    private static final int MOST_FIELDS = 100_000;

    /// The types in the order of their numbers in the metadata.
    enum Type {
        NONE,
        NULL,
        INT,
        FLOAT,
        BINARY,
        TEXT,
        BOOL,
        DECIMAL,
        DATE,
        TIME,
        TIMESTAMP,
        INTERVAL,
        LIST,
        STRUCT,
        UNION,
        FIXED_BINARY,
        FIXED_LIST,
        MAP,
        DURATION,
        LARGE_BINARY,
        LARGE_TEXT,
        LARGE_LIST,
        RUN_END_ENCODED,
        BINARY_VIEW,
        TEXT_VIEW,
        LIST_VIEW,
        LARGE_LIST_VIEW;

        boolean isLarge() {
            return this == LARGE_BINARY || this == LARGE_TEXT || this == LARGE_LIST || this == LARGE_LIST_VIEW;
        }

        boolean isList() {
            return switch (this) {
                case LIST, LARGE_LIST, FIXED_LIST, MAP, LIST_VIEW, LARGE_LIST_VIEW -> true;
                default -> false;
            };
        }
    }

    /// The fields of a schema.
    ///
    /// @throws FormatException if they are damaged, or of types that are newer than this program
    static List<ArrowField> of(FlatTable schema) {
        if (schema.medium(0, 0) != 0) {
            throw FormatException.because("Arrow: the numbers are big-endian, which is not supported");
        }
        int[] left = {MOST_FIELDS};
        return children(schema, 1, 0, left);
    }

    private static List<ArrowField> children(FlatTable table, int vector, int depth, int[] left) {
        int count = table.count(vector);
        left[0] -= count;
        if (depth > DEEPEST || left[0] < 0) {
            throw FormatException.because(
                    "Arrow: the schema has more than " + MOST_FIELDS + " fields or " + DEEPEST + " levels");
        }
        List<ArrowField> fields = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            fields.add(field(table.table(vector, i), depth + 1, left));
        }
        return List.copyOf(fields);
    }

    private static ArrowField field(FlatTable field, int depth, int[] left) {
        int number = field.small(2);
        if (number == 0 || number >= Type.values().length) {
            throw FormatException.because(
                    "Arrow: the column '" + field.text(0) + "' has the type " + number + ", which is not known");
        }
        Type type = Type.values()[number];
        FlatTable says = field.required(3, "the type of the column '" + field.text(0) + "'");
        FlatTable dictionary = field.table(4);
        List<ArrowField> children = children(field, 5, depth, left);
        requireChildren(field.text(0), type, children.size());
        ArrowField plain = plain(field.text(0), type, says, children);
        if (dictionary == null) {
            return plain;
        }
        FlatTable stored = dictionary.table(1);
        ArrowField indices = stored == null
                ? new ArrowField("", Type.INT, 32, 1, List.of(), -1, null)
                : plain("", Type.INT, stored, List.of());
        return new ArrowField(plain.name, type, plain.parameter, plain.detail, children, dictionary.large(0), indices);
    }

    private static void requireChildren(String name, Type type, int count) {
        boolean fits = switch (type) {
            case LIST, LARGE_LIST, FIXED_LIST, MAP, LIST_VIEW, LARGE_LIST_VIEW -> count == 1;
            case RUN_END_ENCODED -> count == 2;
            case STRUCT, UNION -> true;
            default -> count == 0;
        };
        if (!fits) {
            throw FormatException.because(
                    "Arrow: the column '" + name + "' of the type " + type + " has " + count + " parts");
        }
    }

    private static ArrowField plain(String name, Type type, FlatTable says, List<ArrowField> children) {
        int parameter = switch (type) {
            case INT -> says.number(0, 0);
            case FLOAT -> 16 << Math.clamp(says.medium(0, 0), 0, 2);
            case DECIMAL -> says.number(2, 128);
            case DATE -> says.medium(0, 1);
            case TIME -> says.medium(0, 1);
            case TIMESTAMP -> says.medium(0, 0);
            case FIXED_BINARY, FIXED_LIST -> says.number(0, 0);
            default -> 0;
        };
        int detail = switch (type) {
            case INT -> says.flag(1) ? 1 : 0;
            case DECIMAL -> says.number(1, 0);
            case TIME -> says.number(1, 32);
            case TIMESTAMP -> says.text(1).isEmpty() ? 0 : 1;
            case UNION -> says.medium(0, 0);
            default -> 0;
        };
        boolean fits = switch (type) {
            case INT -> parameter == 8 || parameter == 16 || parameter == 32 || parameter == 64;
            case DECIMAL -> parameter == 32 || parameter == 64 || parameter == 128 || parameter == 256;
            case DATE -> parameter == 0 || parameter == 1;
            case TIME -> detail == (parameter < 2 ? 32 : 64) && parameter >= 0 && parameter <= 3;
            case TIMESTAMP -> parameter >= 0 && parameter <= 3;
            case FIXED_BINARY, FIXED_LIST -> parameter >= 0;
            default -> true;
        };
        if (!fits) {
            throw FormatException.because("Arrow: the column '" + name + "' has the type " + type + " of " + parameter);
        }
        return new ArrowField(name, type, parameter, detail, children, -1, null);
    }

    boolean isEncoded() {
        return dictionary >= 0 && indices != null;
    }
}
