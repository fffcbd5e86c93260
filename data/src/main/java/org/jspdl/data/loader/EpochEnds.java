package org.jspdl.data.loader;

import java.io.IOException;
import java.util.OptionalLong;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;

/// A source that says when an epoch has been read to its end, as rows must know for which a block is filled ahead.
///
/// @param ended called by the thread that reads
public record EpochEnds<T>(RankedSource<T> source, Runnable ended) implements RankedSource<T> {
    @Override
    public Cursor<T> open(long epoch, Position from) throws Exception {
        return new Watched<>(source.open(epoch, from), ended);
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
    public int rank() {
        return source.rank();
    }

    @Override
    public int worldSize() {
        return source.worldSize();
    }

    @Override
    public long places() {
        return source.places();
    }

    /// The same for sources that have no ranks.
    public static <T> Cursor<T> watched(Cursor<T> cursor, Runnable ended) {
        return new Watched<>(cursor, ended);
    }

    private record Watched<T>(Cursor<T> cursor, Runnable ended) implements Cursor<T> {
        @Override
        public boolean advance() throws Exception {
            boolean more = cursor.advance();
            if (!more) {
                ended.run();
            }
            return more;
        }

        @Override
        public T item() {
            return cursor.item();
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
}
