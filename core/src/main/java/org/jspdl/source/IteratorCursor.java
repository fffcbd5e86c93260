package org.jspdl.source;

import java.io.IOException;
import java.util.Iterator;
import org.jspdl.source.internal.Items;

/// The items of an iterator, which is closed with the cursor if it is `AutoCloseable`.
final class IteratorCursor<T> extends CountingCursor<T> {
    private final Iterator<T> items;

    /// @param index of the item that comes next
    private IteratorCursor(Iterator<T> items, long index) {
        super(index);
        this.items = items;
    }

    /// The rest of the items.
    ///
    /// @param index of the item that comes next
    static <T> IteratorCursor<T> at(Iterator<T> items, long index) {
        return new IteratorCursor<>(items, index);
    }

    /// Passes over the items before `first`; what is `AutoCloseable` of them is closed.
    static <T> IteratorCursor<T> behind(Iterator<T> items, long first) throws Exception {
        IteratorCursor<T> cursor = new IteratorCursor<>(items, first);
        try {
            for (long passed = 0; passed < first && items.hasNext(); passed++) {
                Items.close(items.next());
            }
            return cursor;
        } catch (Throwable failure) {
            cursor.close();
            throw failure;
        }
    }

    @Override
    public boolean advance() {
        if (!items.hasNext()) {
            return false;
        }
        moveTo(items.next());
        return true;
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
