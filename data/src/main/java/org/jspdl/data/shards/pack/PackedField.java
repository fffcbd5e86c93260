package org.jspdl.data.shards.pack;

import java.util.Optional;
import org.jspdl.memory.ElementType;

/// A field of a sample that is to be a row.
///
/// @param name     of the column
/// @param type     of its one number, little-endian: `INT64`, `UINT64`, `FLOAT32` or `FLOAT64`; empty for bytes
/// @param offset   where it lies
/// @param byteSize how long it is
public record PackedField(String name, Optional<ElementType> type, long offset, long byteSize) {
    PackedField movedBy(long bytes) {
        return new PackedField(name, type, offset + bytes, byteSize);
    }
}
