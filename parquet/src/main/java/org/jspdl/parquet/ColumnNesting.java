package org.jspdl.parquet;

import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.SchemaElement;

/// What a row holds in one column.
///
/// @param kind        one value, a list, or something else
/// @param leaf        the number of the schema's element whose values they are
/// @param listDefined the definition level from which on a list is there; one more and it has an element
/// @param name        what it is called, for people, if it is refused
record ColumnNesting(Kind kind, int leaf, int listDefined, String name) {

    enum Kind {
        VALUE,
        LIST,
        REFUSED
    }

    /// The nesting of the column whose tree begins at `root`, a whole one.
    static ColumnNesting of(List<SchemaElement> elements, int root) {
        SchemaElement column = elements.get(root);
        boolean repeated = isRepeated(column);
        if (isLeaf(column)) {
            return new ColumnNesting(repeated ? Kind.LIST : Kind.VALUE, root, 0, "");
        }
        if (repeated || !isAnnotatedList(column)) {
            return refused(root, isAnnotatedMap(column) ? "map" : repeated ? "list of structures" : "structure");
        }
        return ofList(elements, root, column);
    }

    /// A list stands in the file as a group with one repeated child: the element itself, or a group around it.
    private static ColumnNesting ofList(List<SchemaElement> elements, int root, SchemaElement column) {
        int child = root + 1;
        if (column.getNum_children() != 1 || !isRepeated(elements.get(child))) {
            return refused(root, "list without elements");
        }
        int defined = column.getRepetition_type() == FieldRepetitionType.OPTIONAL ? 1 : 0;
        SchemaElement repeated = elements.get(child);
        if (isLeaf(repeated)) {
            return new ColumnNesting(Kind.LIST, child, defined, "");
        }
        boolean isElement = repeated.getNum_children() != 1
                || repeated.getName().equals("array")
                || repeated.getName().equals(column.getName() + "_tuple");
        SchemaElement element = elements.get(child + 1);
        if (isElement || (!isLeaf(element) && !isAnnotatedList(element) && !isRepeated(element))) {
            return refused(root, "list of structures");
        }
        return isLeaf(element) && !isRepeated(element)
                ? new ColumnNesting(Kind.LIST, child + 1, defined, "")
                : refused(root, "list of lists");
    }

    private static ColumnNesting refused(int root, String name) {
        return new ColumnNesting(Kind.REFUSED, root, 0, name);
    }

    private static boolean isLeaf(SchemaElement element) {
        return element.getType() != null;
    }

    private static boolean isRepeated(SchemaElement element) {
        return element.getRepetition_type() == FieldRepetitionType.REPEATED;
    }

    private static boolean isAnnotatedList(SchemaElement element) {
        return element.isSetLogicalType()
                ? element.getLogicalType().isSetLIST()
                : element.getConverted_type() == ConvertedType.LIST;
    }

    private static boolean isAnnotatedMap(SchemaElement element) {
        return element.isSetLogicalType()
                ? element.getLogicalType().isSetMAP()
                : element.getConverted_type() == ConvertedType.MAP
                        || element.getConverted_type() == ConvertedType.MAP_KEY_VALUE;
    }
}
