package org.jspdl.data.shards.arrow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspecify.annotations.Nullable;

/// A column, or the part of one, that holds values: called by the structures around it with dots between them. What
/// only makes a list or a map of something adds nothing to the name.
///
/// @param name   what the field of a sample is called
/// @param column the number of the column that it is in
/// @param steps  which part of each structure leads to it, from the outermost
/// @param lists  how many lists are around a value
/// @param field  what a value is
record ArrowLeaf(String name, int column, List<Integer> steps, int lists, ArrowField field) {
    /// The end of the name of a field that says which values are not null.
    static final String VALID = ".valid";
    /// The end of the name of a field that says how long the texts of a list are.
    static final String LENGTHS = ".lengths";

    /// How values are given.
    enum Form {
        /// Numbers or booleans.
        NUMBER,
        /// Bytes as they are; text in UTF-8 is given as its bytes, too.
        BYTES,
        /// What [ArrowText] makes of them.
        TEXT,
        /// There is never a value.
        NOTHING,
        /// Not supported.
        REFUSED
    }

    /// The names of all leaves.
    static List<String> names(List<ArrowField> fields) {
        return of(fields).stream().map(ArrowLeaf::name).toList();
    }

    /// The leaves of a schema, in its order.
    ///
    /// @throws FormatException if two are called alike
    static List<ArrowLeaf> of(List<ArrowField> fields) {
        List<ArrowLeaf> leaves = new ArrayList<>();
        for (int column = 0; column < fields.size(); column++) {
            ArrowField field = fields.get(column);
            add(leaves, new ArrowLeaf(field.name(), column, List.of(), 0, field));
        }
        Set<String> names = new HashSet<>();
        for (ArrowLeaf leaf : leaves) {
            if (!names.add(leaf.name)) {
                throw FormatException.because("Arrow: there are two columns '" + leaf.name + "'");
            }
        }
        return List.copyOf(leaves);
    }

    private static void add(List<ArrowLeaf> leaves, ArrowLeaf part) {
        ArrowField field = part.field;
        if (field.type() == ArrowField.Type.STRUCT) {
            for (int i = 0; i < field.children().size(); i++) {
                ArrowField child = field.children().get(i);
                List<Integer> steps = new ArrayList<>(part.steps);
                steps.add(i);
                add(
                        leaves,
                        new ArrowLeaf(
                                part.name + "." + child.name(), part.column, List.copyOf(steps), part.lists, child));
            }
        } else if (field.type().isList()) {
            add(
                    leaves,
                    new ArrowLeaf(
                            part.name,
                            part.column,
                            part.steps,
                            part.lists + 1,
                            field.children().getFirst()));
        } else {
            leaves.add(part);
        }
    }

    /// What an element is, where values are numbers.
    @Nullable
    ElementType elementType() {
        boolean signed = field.detail() != 0;
        return switch (field.type()) {
            case BOOL -> ElementType.BOOL;
            case INT ->
                switch (field.parameter()) {
                    case 8 -> signed ? ElementType.INT8 : ElementType.UINT8;
                    case 16 -> signed ? ElementType.INT16 : ElementType.UINT16;
                    case 32 -> signed ? ElementType.INT32 : ElementType.UINT32;
                    default -> signed ? ElementType.INT64 : ElementType.UINT64;
                };
            case FLOAT ->
                switch (field.parameter()) {
                    case 16 -> ElementType.FLOAT16;
                    case 32 -> ElementType.FLOAT32;
                    default -> ElementType.FLOAT64;
                };
            default -> null;
        };
    }

    Form form() {
        return switch (field.type()) {
            case BOOL, INT, FLOAT -> Form.NUMBER;
            case BINARY, TEXT, LARGE_BINARY, LARGE_TEXT, BINARY_VIEW, TEXT_VIEW, FIXED_BINARY -> Form.BYTES;
            case DECIMAL, DATE, TIME, TIMESTAMP -> Form.TEXT;
            case NULL -> Form.NOTHING;
            case NONE,
                    INTERVAL,
                    DURATION,
                    UNION,
                    RUN_END_ENCODED,
                    LIST,
                    STRUCT,
                    FIXED_LIST,
                    MAP,
                    LARGE_LIST,
                    LIST_VIEW,
                    LARGE_LIST_VIEW -> Form.REFUSED;
        };
    }

    /// In a word, for people.
    String kind() {
        ElementType number = elementType();
        String value = switch (field.type()) {
            case BINARY, LARGE_BINARY, BINARY_VIEW, FIXED_BINARY -> "bytes";
            case TEXT, LARGE_TEXT, TEXT_VIEW -> "text";
            case TIMESTAMP -> field.detail() != 0 ? "timestamp" : "local timestamp";
            default -> number != null ? number.toString() : typeName();
        };
        return "list of ".repeat(Math.min(1, lists))
                + "lists of ".repeat(lists > 1 ? 1 : 0)
                + value
                + (form() == Form.REFUSED ? " (not supported)" : "");
    }

    private String typeName() {
        return field.type().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }

    /// Whether `wanted` names this leaf, or a structure that it is part of.
    boolean isOf(String wanted) {
        return name.equals(wanted) || name.startsWith(wanted + ".");
    }

    /// Whether `wanted` names the values of this leaf.
    boolean givesFor(String wanted) {
        return isOf(wanted) || wanted.equals(name + LENGTHS);
    }

    /// Whether `wanted` names the validity of this leaf.
    boolean validatesFor(String wanted) {
        return wanted.endsWith(VALID) && isOf(wanted.substring(0, wanted.length() - VALID.length()));
    }

    /// @throws FormatException if such values are not supported
    void check() {
        if (form() == Form.REFUSED) {
            throw FormatException.because("Arrow: the column '" + name + "' is of the type '" + typeName()
                    + "', which is not supported; write it as numbers, bytes or text, or name the columns you want with"
                    + " ShardOptions.columns");
        }
    }
}
