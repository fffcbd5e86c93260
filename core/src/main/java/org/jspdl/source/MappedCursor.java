package org.jspdl.source;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/// What a function makes of the items of a cursor, as it moves.
final class MappedCursor<T, R> implements Cursor<R> {
    private final Cursor<? extends T> cursor;
    private final Function<? super T, ? extends R> function;

    @SuppressWarnings("NullAway.Init") // item() comes after advance()
    private R item;

    MappedCursor(Cursor<? extends T> cursor, Function<? super T, ? extends R> function) {
        this.cursor = cursor;
        this.function = function;
    }

    @Override
    public boolean advance() throws Exception {
        if (!cursor.advance()) {
            return false;
        }
        item = function.apply(cursor.item());
        return true;
    }

    @Override
    public R item() {
        return item;
    }

    @Override
    public Position position() {
        return cursor.position();
    }

    @Override
    public Optional<Position> place() {
        return cursor.place();
    }

    @Override
    public void close() throws IOException {
        cursor.close();
    }
}
