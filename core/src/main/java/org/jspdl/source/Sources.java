package org.jspdl.source;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/// Sources over what a program already has.
public final class Sources {
    private Sources() {}

    /// The elements of a list, in its order; the list must not change while it is read.
    public static <T> Source<T> of(List<T> list) {
        return indexed(list.size(), index -> list.get((int) index));
    }

    /// The numbers from 0 to `size` - 1.
    public static Source<Long> range(long size) {
        return indexed(size, index -> index);
    }

    /// `size` items found by their index; `get` is called by one thread at a time, in order.
    public static <T> Source<T> indexed(long size, LongFunction<T> get) {
        if (size < 0) {
            throw new IllegalArgumentException("size must not be negative but was " + size);
        }
        return new IndexedSource<>(size, (epoch, index) -> get.apply(index));
    }

    /// The items of an iterable, iterated anew for every epoch. Resuming iterates from the beginning again.
    public static <T> Source<T> of(Iterable<T> iterable) {
        if (iterable instanceof List<T> list) {
            return of(list);
        }
        return new IterableSource<>(iterable, Source.Resume.REPLAY);
    }

    /// The items of an iterator that can be had only once: one epoch, never resumed. It is closed with the cursor
    /// if it is `AutoCloseable`.
    public static <T> Source<T> once(Supplier<Iterator<T>> iterator) {
        return new IterableSource<>(() -> iterator.get(), Source.Resume.NONE);
    }

    /// What arrives in a queue, without end; waits while it is empty and can't be resumed.
    public static <T> Source<T> queue(BlockingQueue<T> queue) {
        return new QueueSource<>(queue);
    }

    /// The files of `folder` that match `glob`, those that will come among them, in the order of their names;
    /// without end. Waits for files, and resumes at once.
    ///
    /// A file must be complete when it appears under such a name: write it under another and rename it. Files that
    /// come later must have greater names, or the source fails; files that were read may be deleted.
    public static Source<Path> growing(Path folder, String glob) {
        return new GrowingFolder(folder, glob, Optional.empty());
    }

    /// As [#growing(Path, String)], until the folder also has a file called `end`.
    public static Source<Path> growing(Path folder, String glob, String end) {
        return new GrowingFolder(folder, glob, Optional.of(end));
    }

    private record IterableSource<T>(Iterable<T> iterable, Resume resume) implements Source<T> {
        @Override
        public Cursor<T> open(long epoch, Position from) throws Exception {
            IteratorCursor<T> cursor = new IteratorCursor<>(iterable.iterator());
            try {
                cursor.skipTo(from.index());
                return cursor;
            } catch (Throwable failure) {
                cursor.close();
                throw failure;
            }
        }
    }

    private record QueueSource<T>(BlockingQueue<T> queue) implements Source<T> {
        @Override
        public Cursor<T> open(long epoch, Position from) {
            return new Cursor<>() {
                private long index = from.index();

                @SuppressWarnings("NullAway.Init") // item() comes after advance()
                private T item;

                @Override
                public boolean advance() throws InterruptedException {
                    item = queue.take();
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
            };
        }

        @Override
        public OptionalLong size() {
            return OptionalLong.empty();
        }

        @Override
        public Resume resume() {
            return Resume.NONE;
        }
    }
}
