package org.jspdl.array;

/// Which index runs fastest in memory.
public enum MemoryOrder {
    /// The last index, as in C and in every [org.jspdl.memory.Tensor].
    ROW_MAJOR,
    /// The first index, as in Fortran.
    COLUMN_MAJOR
}
