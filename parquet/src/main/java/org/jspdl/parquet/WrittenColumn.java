package org.jspdl.parquet;

import java.util.List;
import java.util.Optional;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.Type;
import org.jspdl.memory.ElementType;

/// A column that is written: a leaf, or one within a structure, which is what a dot in its name says.
///
/// @param name      such as `image.bytes`
/// @param structure the name of the structure; empty if there is none
/// @param leaf      the name of the leaf
/// @param type      how values are stored
/// @param element   its description in the schema
record WrittenColumn(String name, String structure, String leaf, Type type, SchemaElement element) {

    /// @param number empty for bytes
    /// @param text   whether bytes are UTF-8
    static WrittenColumn of(String name, Optional<ElementType> number, boolean text) {
        int dot = name.indexOf('.');
        boolean within = dot > 0 && dot < name.length() - 1;
        String leaf = within ? name.substring(dot + 1) : name;
        Type type = number.map(WrittenColumn::typeOf).orElse(Type.BYTE_ARRAY);
        SchemaElement element = new SchemaElement(leaf);
        element.setRepetition_type(FieldRepetitionType.OPTIONAL);
        element.setType(type);
        if (number.isEmpty() && text) {
            element.setConverted_type(ConvertedType.UTF8);
            element.setLogicalType(LogicalType.STRING(new StringType()));
        } else if (number.filter(ElementType.UINT64::equals).isPresent()) {
            element.setConverted_type(ConvertedType.UINT_64);
            element.setLogicalType(LogicalType.INTEGER(new IntType((byte) 64, false)));
        }
        return new WrittenColumn(name, within ? name.substring(0, dot) : "", leaf, type, element);
    }

    private static Type typeOf(ElementType type) {
        return switch (type) {
            case FLOAT32 -> Type.FLOAT;
            case FLOAT64 -> Type.DOUBLE;
            default -> Type.INT64;
        };
    }

    /// The names on the way to it.
    List<String> path() {
        return structure.isEmpty() ? List.of(leaf) : List.of(structure, leaf);
    }

    /// The level of a value that is there.
    int levels() {
        return structure.isEmpty() ? 1 : 2;
    }
}
