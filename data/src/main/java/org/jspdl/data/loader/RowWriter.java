package org.jspdl.data.loader;

import java.lang.foreign.MemorySegment;

/// Writes one item into its row of a batch.
@FunctionalInterface
public interface RowWriter<T> {
    /// Fills `row`, whose content is undefined before. Called by several workers at once, for different rows.
    void write(T item, MemorySegment row) throws Exception;
}
