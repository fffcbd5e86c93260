package org.jspdl.data.plan;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// What `function` makes of the items of a source, which it takes over.
record Mapped<T, R>(Source<T> source, Function<? super T, ? extends R> function) implements Source<R> {
    @Override
    public Cursor<R> open(long epoch, Position from) throws Exception {
        Cursor<T> cursor = source.open(epoch, from);
        return new Cursor<>() {
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
        };
    }

    @Override
    public OptionalLong size() {
        return source.size();
    }

    @Override
    public String identity() {
        return source.identity();
    }

    @Override
    public Resume resume() {
        return source.resume();
    }
}
