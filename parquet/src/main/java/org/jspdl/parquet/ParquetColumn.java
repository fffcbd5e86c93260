package org.jspdl.parquet;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
/// @param type    as parquet-java describes it
/// @param schema  a schema of this column alone
/// @param nesting what a row has: one value, a list of them, or something that is not supported
/// @param values  what a value is
record ParquetColumn(Type type, MessageType schema, ColumnNesting nesting, ValueType values) {

    /// The columns of a footer, whose elements are a tree in pre-order.
    static List<ParquetColumn> of(List<SchemaElement> elements) {
        if (elements.isEmpty()) {
            throw FormatException.because("Parquet: the footer has no schema");
        }
        int[] next = {1};
        List<ParquetColumn> columns = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < elements.getFirst().getNum_children(); i++) {
            int root = next[0];
            Type type = type(elements, next, 0);
            if (!names.add(type.getName())) {
                throw FormatException.because("Parquet: there are two columns '" + type.getName() + "'");
            }
            ColumnNesting nesting = ColumnNesting.of(elements, root);
            ValueType values = nesting.kind() == ColumnNesting.Kind.REFUSED
                    ? ValueType.refused(nesting.name())
                    : ValueType.of(elements.get(nesting.leaf()));
            columns.add(new ParquetColumn(type, new MessageType("row", type), nesting, values));
        }
        if (next[0] != elements.size()) {
            throw FormatException.because("Parquet: the schema of the footer has columns that belong to no other");
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

    /// The leaf that holds the values.
    ColumnDescriptor leaf() {
        return schema.getColumns().getFirst();
    }

    /// Whether a row has any number of values.
    boolean isList() {
        return nesting.kind() == ColumnNesting.Kind.LIST;
    }

    /// What an element is; null for bytes.
    @Nullable
    ElementType elementType() {
        return values.number();
    }

    /// In a word, for people.
    String kind() {
        if (nesting.kind() == ColumnNesting.Kind.REFUSED) {
            return nesting.name() + " (not supported)";
        }
        return (isList() ? "list of " : "") + values.name() + (isSupported() ? "" : " (not supported)");
    }

    private boolean isSupported() {
        return switch (values.form()) {
            case NUMBER -> nesting.kind() != ColumnNesting.Kind.REFUSED;
            case BYTES, UUID, NOTHING -> nesting.kind() == ColumnNesting.Kind.VALUE;
            case REFUSED -> false;
        };
    }

    /// @throws FormatException if such columns are not supported
    void check() {
        if (!isSupported()) {
            boolean nested = nesting.kind() == ColumnNesting.Kind.REFUSED;
            String what = nested ? nesting.name() : (isList() ? "list of " : "") + values.name();
            throw FormatException.because("Parquet: the column '" + name() + "' is of the type '" + what
                    + "', which is not supported; "
                    + (nested || isList() ? "write its parts as columns" : values.remedy())
                    + ", or name the columns you want with ShardOptions.columns");
        }
    }
}
