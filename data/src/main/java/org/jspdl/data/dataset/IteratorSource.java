package org.jspdl.data.dataset;

import java.io.IOException;
import java.util.Iterator;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// The items of an iterable dataset, read from the start of the epoch again where a run resumes.
record IteratorSource<T>(IterableDataset<T> dataset) implements Source<T> {
    @Override
    public Cursor<T> open(long epoch, Position from) throws Exception {
        IteratorCursor<T> cursor = new IteratorCursor<>(dataset.open(epoch));
        try {
            while (cursor.index < from.index() && cursor.advance()) {
                if (cursor.item instanceof AutoCloseable closeable) {
                    closeable.close();
                }
            }
            return cursor;
        } catch (Throwable failure) {
            cursor.close();
            throw failure;
        }
    }

    @Override
    public Resume resume() {
        return Resume.REPLAY;
    }

    private static final class IteratorCursor<T> implements Cursor<T> {
        private final Iterator<T> items;
        private long index;

        @SuppressWarnings("NullAway.Init") // item() comes after advance()
        private T item;

        IteratorCursor(Iterator<T> items) {
            this.items = items;
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
            if (items instanceof AutoCloseable closeable) {
                try {
                    closeable.close();
                } catch (IOException | RuntimeException failure) {
                    throw failure;
                } catch (Exception failure) {
                    throw new IOException("the items' iterator could not be closed", failure);
                }
            }
        }
    }
}
