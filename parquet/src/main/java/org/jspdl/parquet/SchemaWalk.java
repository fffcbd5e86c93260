package org.jspdl.parquet;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.jspdl.input.FormatException;

/// Finds the columns of a schema: every leaf of its tree, called by the structures around it with dots between them.
///
/// The groups that only make a list or a map of something have no name of their own: the lists of `a` are called `a`,
/// the parts of their structures `a.x`, the keys of a map `m.key`. See the format's rules for lists, among them those
/// for files without the group in the middle.
final class SchemaWalk {
    private static final int DEEPEST = 64;

    private final List<SchemaElement> elements;
    private final List<ParquetColumn> columns = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private int next = 1;

    /// What an element adds to the names of the columns below it.
    private enum Naming {
        NAMED,
        ELIDED,
        /// Its only child adds nothing either.
        WRAPPER
    }

    /// The elements from the root down, what they are called, and where lists begin among the levels of definition.
    private record Path(String name, List<SchemaElement> above, int defined, List<Integer> lists) {
        Path below(SchemaElement element, Naming naming) {
            List<SchemaElement> longer = new ArrayList<>(above);
            longer.add(element);
            List<Integer> begun = lists;
            if (isRepeated(element)) {
                begun = new ArrayList<>(lists);
                begun.add(defined);
            }
            String called =
                    naming != Naming.NAMED ? name : name.isEmpty() ? element.getName() : name + "." + element.getName();
            return new Path(called, longer, defined + (isRequired(element) ? 0 : 1), begun);
        }
    }

    private SchemaWalk(List<SchemaElement> elements) {
        this.elements = elements;
    }

    /// The columns of a footer, whose elements are a tree in pre-order.
    static List<ParquetColumn> columns(List<SchemaElement> elements) {
        if (elements.isEmpty()) {
            throw FormatException.because("Parquet: the footer has no schema");
        }
        SchemaWalk walk = new SchemaWalk(elements);
        Path root = new Path("", List.of(), 0, List.of());
        for (int i = 0; i < elements.getFirst().getNum_children(); i++) {
            walk.visit(root, Naming.NAMED);
        }
        if (walk.next != elements.size()) {
            throw FormatException.because("Parquet: the schema of the footer has columns that belong to no other");
        }
        return List.copyOf(walk.columns);
    }

    private void visit(Path above, Naming naming) {
        if (next >= elements.size() || above.above.size() > DEEPEST) {
            throw FormatException.because("Parquet: the schema of the footer is incomplete");
        }
        SchemaElement element = elements.get(next++);
        Path path = above.below(element, naming);
        if (isLeaf(element)) {
            add(path, element);
            return;
        }
        Naming below = naming == Naming.WRAPPER ? Naming.ELIDED : ofChildren(element);
        for (int i = 0; i < element.getNum_children(); i++) {
            visit(path, below);
        }
    }

    private Naming ofChildren(SchemaElement group) {
        boolean list = isAnnotatedList(group);
        if (group.getNum_children() != 1
                || next >= elements.size()
                || !(list || isAnnotatedMap(group))
                || !isRepeated(elements.get(next))) {
            return Naming.NAMED;
        }
        SchemaElement repeated = elements.get(next);
        boolean wrapper = list
                && !isLeaf(repeated)
                && repeated.getNum_children() == 1
                && next + 1 < elements.size()
                && !isRepeated(elements.get(next + 1))
                && !repeated.getName().equals("array")
                && !repeated.getName().equals(group.getName() + "_tuple");
        return wrapper ? Naming.WRAPPER : Naming.ELIDED;
    }

    private void add(Path path, SchemaElement leaf) {
        if (!names.add(path.name)) {
            throw FormatException.because("Parquet: there are two columns '" + path.name + "'");
        }
        Type type = primitive(leaf);
        for (int i = path.above.size() - 2; i >= 0; i--) {
            type = new GroupType(
                    repetition(path.above.get(i)), path.above.get(i).getName(), type);
        }
        columns.add(new ParquetColumn(
                path.name, new MessageType("row", type), List.copyOf(path.lists), ValueType.of(leaf)));
    }

    private static PrimitiveType primitive(SchemaElement element) {
        String name = element.getType().name();
        PrimitiveTypeName primitive = PrimitiveTypeName.valueOf(name.equals("BYTE_ARRAY") ? "BINARY" : name);
        return primitive == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY
                ? new PrimitiveType(repetition(element), primitive, element.getType_length(), element.getName())
                : new PrimitiveType(repetition(element), primitive, element.getName());
    }

    private static Repetition repetition(SchemaElement element) {
        FieldRepetitionType repetition = element.getRepetition_type();
        return Repetition.valueOf(repetition == null ? "REQUIRED" : repetition.name());
    }

    private static boolean isLeaf(SchemaElement element) {
        return element.getType() != null;
    }

    private static boolean isRepeated(SchemaElement element) {
        return element.getRepetition_type() == FieldRepetitionType.REPEATED;
    }

    private static boolean isRequired(SchemaElement element) {
        return repetition(element) == Repetition.REQUIRED;
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
