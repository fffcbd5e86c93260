package org.jspdl.data.shards.pack;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;

/// The samples of a shard as they were gathered, one behind the other.
///
/// @param rows  the fields of each
/// @param bytes what they hold
public record PackedRows(List<List<PackedField>> rows, MemorySegment bytes) {

    /// How many samples there are.
    public int size() {
        return rows.size();
    }

    /// The fields of a sample.
    public List<PackedField> row(int index) {
        return rows.get(index);
    }

    /// What a field holds.
    public MemorySegment value(PackedField field) {
        return bytes.asSlice(field.offset(), field.byteSize());
    }

    /// All columns in the order of their names, with the types of their numbers.
    ///
    /// @throws FormatException if a field is one thing in one sample and another in another
    public SortedMap<String, Optional<ElementType>> columns() {
        SortedMap<String, Optional<ElementType>> columns = new TreeMap<>();
        for (List<PackedField> row : rows) {
            for (PackedField field : row) {
                Optional<ElementType> before = columns.putIfAbsent(field.name(), field.type());
                if (before != null && !before.equals(field.type())) {
                    throw FormatException.because("the field '" + field.name() + "' holds "
                            + shown(before) + " in one sample and " + shown(field.type()) + " in another; a column"
                            + " holds one kind of value");
                }
            }
        }
        return columns;
    }

    private static String shown(Optional<ElementType> type) {
        return type.map(ElementType::toString).orElse("bytes");
    }
}
