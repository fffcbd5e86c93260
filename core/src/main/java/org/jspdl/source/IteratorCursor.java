package org.jspdl.source;

import java.io.IOException;
import java.util.Iterator;

/// The items of an iterator, which is closed with the cursor if it is `AutoCloseable`.
final class IteratorCursor<T> implements Cursor<T> {
    private final Iterator<T> items;
    private long index;

    @SuppressWarnings("NullAway.Init") // item() comes after advance()
    private T item;

    IteratorCursor(Iterator<T> items) {
        this.items = items;
    }

    /// Passes over the first items; what is `AutoCloseable` of them is closed.
    void skipTo(long first) throws Exception {
        while (index < first && advance()) {
            Items.close(item);
        }
        index = first;
    }

    @Override
    public boolean advance() {
        if (!items.hasNext()) {
            return false;
        }
        item = items.next();
        index++;
        return true;
    }

    @Override
    public T item() {
        return item;
    }

    @Override
    public Position position() {
        return Position.at(index);
    }

    @Override
    public void close() throws IOException {
        try {
            Items.close(items);
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IOException("the items' iterator could not be closed", failure);
        }
    }
}
