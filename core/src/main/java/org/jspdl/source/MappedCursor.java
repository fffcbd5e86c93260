package org.jspdl.source;

import java.io.IOException;
import java.util.function.Function;

/// What a function makes of the items of a cursor.
record MappedCursor<T, R>(Cursor<? extends T> cursor, Function<? super T, ? extends R> function) implements Cursor<R> {
    @Override
    public boolean advance() throws Exception {
        return cursor.advance();
    }

    @Override
    public R item() {
        return function.apply(cursor.item());
    }

    @Override
    public Position position() {
        return cursor.position();
    }

    @Override
    public void close() throws IOException {
        cursor.close();
    }
}
