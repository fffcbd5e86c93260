package org.jspdl.parquet;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspecify.annotations.Nullable;

/// A column of the highest level, which may be a tree of others.
///
/// @param type   as parquet-java describes it
/// @param schema a schema of this column alone
record ParquetColumn(Type type, MessageType schema) {

    /// The columns of a footer, whose elements are a tree in pre-order.
    static List<ParquetColumn> of(List<SchemaElement> elements) {
        if (elements.isEmpty()) {
            throw FormatException.because("Parquet: the footer has no schema");
        }
        int[] next = {1};
        List<ParquetColumn> columns = new ArrayList<>();
        for (int i = 0; i < elements.getFirst().getNum_children(); i++) {
            Type type = type(elements, next, 0);
            columns.add(new ParquetColumn(type, new MessageType("row", type)));
        }
        return List.copyOf(columns);
    }

    private static Type type(List<SchemaElement> elements, int[] next, int depth) {
        if (next[0] >= elements.size() || depth > 64) {
            throw FormatException.because("Parquet: the schema of the footer is incomplete");
        }
        SchemaElement element = elements.get(next[0]++);
        FieldRepetitionType repetition = element.getRepetition_type();
        Repetition repeats = Repetition.valueOf(repetition == null ? "REQUIRED" : repetition.name());
        if (element.getType() != null) {
            String name = element.getType().name();
            PrimitiveTypeName primitive = PrimitiveTypeName.valueOf(name.equals("BYTE_ARRAY") ? "BINARY" : name);
            return primitive == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY
                    ? new PrimitiveType(repeats, primitive, element.getType_length(), element.getName())
                    : new PrimitiveType(repeats, primitive, element.getName());
        }
        List<Type> children = new ArrayList<>();
        for (int i = 0; i < element.getNum_children(); i++) {
            children.add(type(elements, next, depth + 1));
        }
        return new GroupType(repeats, element.getName(), children);
    }

    String name() {
        return type.getName();
    }

    /// The one leaf, or null if there are several.
    private @Nullable ColumnDescriptor leafOrNull() {
        List<ColumnDescriptor> leaves = schema.getColumns();
        return leaves.size() == 1 ? leaves.getFirst() : null;
    }

    /// The leaf that holds the values.
    ColumnDescriptor leaf() {
        return schema.getColumns().getFirst();
    }

    /// Whether a row has any number of values.
    boolean isList() {
        ColumnDescriptor leaf = leafOrNull();
        return leaf != null && leaf.getMaxRepetitionLevel() == 1;
    }

    /// What an element is; null for bytes.
    @Nullable
    ElementType elementType() {
        return switch (leaf().getPrimitiveType().getPrimitiveTypeName()) {
            case BOOLEAN -> ElementType.BOOL;
            case INT32 -> ElementType.INT32;
            case INT64 -> ElementType.INT64;
            case FLOAT -> ElementType.FLOAT32;
            case DOUBLE -> ElementType.FLOAT64;
            case BINARY, FIXED_LEN_BYTE_ARRAY, INT96 -> null;
        };
    }

    /// In a word, for people.
    String kind() {
        ColumnDescriptor leaf = leafOrNull();
        if (leaf == null || leaf.getMaxRepetitionLevel() > 1) {
            return "nested (not supported)";
        }
        ElementType type = elementType();
        return (isList() ? "list of " : "") + (type == null ? "bytes" : type.toString());
    }

    /// @throws FormatException if such columns are not supported
    void check() {
        ColumnDescriptor leaf = leafOrNull();
        boolean supported = leaf != null
                && leaf.getMaxRepetitionLevel() <= 1
                && leaf.getPrimitiveType().getPrimitiveTypeName() != PrimitiveTypeName.INT96
                && !(isList() && elementType() == null);
        if (!supported) {
            throw FormatException.because("Parquet: the column '" + name()
                    + "' is a structure, a list of lists or bytes, or an INT96 time, which is not supported;"
                    + " name the columns you want with ShardOptions.columns");
        }
    }
}
