package org.jspdl.data.image;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspdl.source.Cursor;
import org.jspdl.source.ElasticSource;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// Makes items of those of a source, each of which is read when the one before is asked for, so that the last of an
/// epoch is known as such.
///
/// @param what  begins the identity
/// @param items owns what it is given
record LookaheadSource<S extends AutoCloseable, T>(String what, ElasticSource<S> source, Items<S, T> items)
        implements ElasticSource<T> {

    /// Makes an item.
    @FunctionalInterface
    interface Items<S, T> {
        /// Makes the item of `item`.
        ///
        /// @param position the number of the item in its epoch, from 0
        T of(S item, long epoch, long position, boolean last);
    }

    @Override
    public Cursor<T> open(long epoch, Position from) throws Exception {
        return new Ahead<>(source.open(epoch, from), items, epoch);
    }

    @Override
    public int rank() {
        return source.rank();
    }

    @Override
    public int worldSize() {
        return source.worldSize();
    }

    @Override
    public ElasticSource<T> sharing(Map<Long, List<String>> shares) {
        return new LookaheadSource<>(what, source.sharing(shares), items);
    }

    @Override
    public String owner(Position place) {
        return source.owner(place);
    }

    @Override
    public List<String> share(long epoch, List<Left> left, List<Position> apart) throws Exception {
        return source.share(epoch, left, apart);
    }

    @Override
    public OptionalLong size() {
        return source.size();
    }

    @Override
    public String identity() {
        return what + source.identity();
    }

    @Override
    public Resume resume() {
        return source.resume();
    }

    private static final class Ahead<S extends AutoCloseable, T> implements Cursor<T> {
        private final Cursor<? extends S> cursor;
        private final Items<S, T> items;
        private final long epoch;
        private @Nullable S current;
        private @Nullable S next;
        private Position position;
        private Position nextPosition;
        private @Nullable Exception failure;
        private boolean begun;

        Ahead(Cursor<? extends S> cursor, Items<S, T> items, long epoch) {
            this.cursor = cursor;
            this.items = items;
            this.epoch = epoch;
            this.position = cursor.position();
            this.nextPosition = position;
        }

        @Override
        public boolean advance() throws Exception {
            if (!begun) {
                begun = true;
                fetch();
            }
            if (next == null) {
                if (failure != null) {
                    throw failure;
                }
                return false;
            }
            current = next;
            position = nextPosition;
            next = null;
            fetch();
            return true;
        }

        /// A failure waits until what came before it was handed out.
        private void fetch() {
            try {
                if (cursor.advance()) {
                    next = cursor.item();
                    nextPosition = cursor.position();
                }
            } catch (Exception broken) {
                if (broken instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                failure = broken;
            }
        }

        @Override
        public T item() {
            S found = current;
            if (found == null) {
                throw new IllegalStateException("an item is asked for once after each advance");
            }
            current = null;
            return items.of(found, epoch, position.index() - 1, next == null && failure == null);
        }

        @Override
        public Position position() {
            return position;
        }

        @Override
        public void close() throws IOException {
            try (cursor) {
                close(next);
                close(current);
            }
        }

        private static void close(@Nullable AutoCloseable item) throws IOException {
            try {
                if (item != null) {
                    item.close();
                }
            } catch (IOException | RuntimeException failure) {
                throw failure;
            } catch (Exception failure) {
                throw new IOException(failure);
            }
        }
    }
}
