package org.jspdl.data.loader;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;

/// Sources that say when an epoch is over, as rows must know for which a block is filled ahead.
public final class EpochEnds {
    private EpochEnds() {}

    /// The items of `source`, for one run at a time. An epoch is over when it was read to its end, or when another
    /// one is opened: a resumed run may have only single items of an epoch left to read.
    ///
    /// @param ended called by the thread that reads, more than once for some epochs
    public static <T> Source<T> of(Source<T> source, Runnable ended) {
        AtomicLong last = new AtomicLong(-1);
        return Sources.through(source, (epoch, cursor) -> {
            long before = last.getAndSet(epoch);
            if (before >= 0 && before != epoch) {
                ended.run();
            }
            return new Watched<>(cursor, ended);
        });
    }

    private record Watched<T>(Cursor<? extends T> cursor, Runnable ended) implements Cursor<T> {
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
        public Optional<Position> place() {
            return cursor.place();
        }

        @Override
        public void close() throws IOException {
            cursor.close();
        }
    }
}
