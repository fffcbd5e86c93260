package org.jspdl.parquet;

import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.MessageType;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspecify.annotations.Nullable;

/// A leaf of the schema: a column, or a part of one.
///
/// @param name   what the field is called: the names of the structures around it and its own, with dots between them
/// @param schema a schema of this column alone
/// @param lists  for each list around a value, from the outermost, the definition level from which on it is there; one
///     more and it has an element
/// @param values what a value is
record ParquetColumn(String name, MessageType schema, List<Integer> lists, ValueType values) {

    /// The leaf that holds the values.
    ColumnDescriptor leaf() {
        return schema.getColumns().getFirst();
    }

    /// Whether a row has any number of values.
    boolean isList() {
        return !lists.isEmpty();
    }

    /// Whether `wanted` names this column, or a structure that it is part of.
    boolean isOf(String wanted) {
        return name.equals(wanted) || name.startsWith(wanted + ".");
    }

    /// What an element is; null for bytes.
    @Nullable
    ElementType elementType() {
        return values.number();
    }

    /// In a word, for people.
    String kind() {
        return type() + (values.form() == ValueType.Form.REFUSED ? " (not supported)" : "");
    }

    private String type() {
        return switch (lists.size()) {
            case 0 -> values.name();
            case 1 -> "list of " + values.name();
            default -> "list of lists of " + values.name();
        };
    }

    /// @throws FormatException if such columns are not supported
    void check() {
        if (values.form() == ValueType.Form.REFUSED) {
            throw FormatException.because(
                    "Parquet: the column '" + name + "' is of the type '" + type() + "', which is not supported; "
                            + values.remedy() + ", or name the columns you want with ShardOptions.columns");
        }
    }
}
