package org.jspdl.data.loader;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.memory.Closeables;
import org.jspdl.memory.Tensor;

/// Rows that were written in place, with the items they were made from.
///
/// A batch owns its tensor and its items: closing it frees the tensor's memory and closes every item that is
/// `AutoCloseable`, once, from any thread. A batch that the loader drops is closed the same way.
public final class RowBatch<T> implements AutoCloseable, Shareable<RowBatch<T>> {
    private final Tensor tensor;
    private final List<T> items;
    private final AtomicBoolean closed;

    private RowBatch(Tensor tensor, List<T> items, boolean owner) {
        this.tensor = tensor;
        this.items = items;
        this.closed = new AtomicBoolean(!owner);
    }

    /// A batch that owns `tensor` and `items` from here.
    static <T> RowBatch<T> owning(Tensor tensor, List<T> items) {
        return new RowBatch<>(tensor, items, true);
    }

    /// A row for each item; it belongs to this batch.
    public Tensor tensor() {
        return tensor;
    }

    /// What each row was made from, row by row; they belong to this batch.
    public List<T> items() {
        return items;
    }

    /// How many rows there are.
    public int size() {
        return items.size();
    }

    @Override
    public RowBatch<T> view() {
        return new RowBatch<>(tensor.view(), items, false);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try (tensor) {
                Closeables.closeItem(items);
            }
        }
    }

    @Override
    public String toString() {
        return "RowBatch[" + tensor + ", " + items + "]";
    }
}
