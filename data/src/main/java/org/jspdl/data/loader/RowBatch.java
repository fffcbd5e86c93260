package org.jspdl.data.loader;

import java.util.List;
import org.jspdl.memory.Tensor;

/// Rows that were written in place, with the items they were made from. Closing gives the tensor's memory back.
///
/// @param tensor a row for each item
/// @param items  what each row was made from, row by row
public record RowBatch<T>(Tensor tensor, List<T> items) implements AutoCloseable, Lendable<RowBatch<T>> {
    /// How many rows there are.
    public int size() {
        return items.size();
    }

    @Override
    public RowBatch<T> lend() {
        return new RowBatch<>(tensor.lend(), items);
    }

    @Override
    public void close() {
        tensor.close();
    }
}
