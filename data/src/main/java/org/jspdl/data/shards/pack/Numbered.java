package org.jspdl.data.shards.pack;

import java.io.IOException;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// An item with its number in the sequence, and where the sequence goes on behind it.
record Numbered<T>(T item, long number, Position after) implements AutoCloseable {
    @Override
    public void close() {
        if (item instanceof ShardSample sample) {
            sample.close();
        }
    }

    /// The first epoch of a source from a position on, whatever the run begins with.
    record From<T>(Source<T> source, Position begin) implements Source<Numbered<T>> {
        @Override
        public Cursor<Numbered<T>> open(long epoch, Position from) throws Exception {
            Cursor<T> cursor = source.open(0, begin);
            return new Cursor<>() {
                private long number = begin.index() - 1;

                @Override
                public boolean advance() throws Exception {
                    number++;
                    return cursor.advance();
                }

                @Override
                public Numbered<T> item() {
                    return new Numbered<>(cursor.item(), number, cursor.position());
                }

                @Override
                public Position position() {
                    return Position.at(number + 1 - begin.index());
                }

                @Override
                public void close() throws IOException {
                    cursor.close();
                }
            };
        }

        @Override
        public Resume resume() {
            return Resume.NONE;
        }
    }
}
