package org.jspdl.source;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.RandomAccess;
import java.util.concurrent.BlockingQueue;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspdl.internal.Arguments;

/// Sources over what a program already has.
public final class Sources {
    private Sources() {}

    /// The elements of a list, in its order; the list must not change while it is read.
    public static <T> Source<T> of(List<T> list) {
        return requireNonNull(list, "list") instanceof RandomAccess
                ? indexed(list.size(), index -> list.get((int) index))
                : new SequentialList<>(list, list.size());
    }

    /// The numbers from 0 to `size` - 1.
    public static Source<Long> range(long size) {
        return indexed(size, index -> index);
    }

    /// `size` items found by their index; `get` is called by one thread at a time, in order.
    public static <T> Source<T> indexed(long size, LongFunction<T> get) {
        Arguments.notNegative("size", size);
        requireNonNull(get, "get");
        return new IndexedSource<>(size, (epoch, index) -> get.apply(index));
    }

    /// The items of an iterable, iterated anew for every epoch. Resuming iterates from the beginning again.
    public static <T> Source<T> of(Iterable<T> iterable) {
        if (iterable instanceof List<T> list) {
            return of(list);
        }
        return of("of unknown size", iterable);
    }

    /// The same, called by what the items are of: a checkpoint is refused where it is something else.
    public static <T> Source<T> of(String what, Iterable<T> iterable) {
        return new IterableSource<>(requireNonNull(iterable, "iterable"), Source.Resume.REPLAY, what);
    }

    /// The items of an iterator that can be had only once: one epoch, never resumed. It is closed with the cursor
    /// if it is `AutoCloseable`.
    public static <T> Source<T> once(Supplier<Iterator<T>> iterator) {
        requireNonNull(iterator, "iterator");
        return new IterableSource<>(() -> iterator.get(), Source.Resume.NONE, "of unknown size");
    }

    /// What arrives in a queue, without end; waits while it is empty and can't be resumed.
    public static <T> Source<T> queue(BlockingQueue<T> queue) {
        return new QueueSource<>(requireNonNull(queue, "queue"));
    }

    /// The files of `folder` that match `glob`, those that will come among them, in the order of their names;
    /// without end. Waits for files, and resumes at once.
    ///
    /// A file must be complete when it appears under such a name: write it under another and rename it. Files that
    /// come later must have greater names, or the source fails; files that were read may be deleted.
    public static Source<Path> growing(Path folder, String glob) {
        return new GrowingFolder(requireNonNull(folder, "folder"), requireNonNull(glob, "glob"), Optional.empty());
    }

    /// As [#growing(Path, String)], until the folder also has a file called `end`.
    public static Source<Path> growing(Path folder, String glob, String end) {
        return new GrowingFolder(
                requireNonNull(folder, "folder"),
                requireNonNull(glob, "glob"),
                Optional.of(requireNonNull(end, "end")));
    }

    /// What `function` makes of the items of `source`, at the same places.
    ///
    /// @param function called once for each item, by the thread that reads; it owns the item
    public static <T, R> Source<R> map(Source<T> source, Function<? super T, ? extends R> function) {
        requireNonNull(function, "function");
        return through(source, (_, cursor) -> new MappedCursor<T, R>(cursor, function));
    }

    /// The items of `source` as other cursors hand them out: same places, size, identity and ranks.
    public static <T, R> Source<R> through(Source<T> source, Passing<? super T, R> passing) {
        return DelegatingSource.of(requireNonNull(source, "source"), requireNonNull(passing, "passing"));
    }

    /// Hands the items of a cursor out.
    @FunctionalInterface
    public interface Passing<T, R> {
        /// A cursor with the places of `cursor`, which it owns from here.
        Cursor<R> pass(long epoch, Cursor<? extends T> cursor);
    }

    /// A list whose elements may be slow to find by their index, such as a linked list.
    private record SequentialList<T>(List<T> list, long items) implements Source<T> {
        @Override
        public Cursor<T> open(long epoch, Position from) {
            return IteratorCursor.at(list.listIterator((int) Math.min(from.index(), items)), from.index());
        }

        @Override
        public OptionalLong size() {
            return OptionalLong.of(items);
        }
    }

    private record IterableSource<T>(Iterable<T> iterable, Resume resume, String identity) implements Source<T> {
        @Override
        public Cursor<T> open(long epoch, Position from) throws Exception {
            return IteratorCursor.behind(iterable.iterator(), from.index());
        }
    }

    private record QueueSource<T>(BlockingQueue<T> queue) implements Source<T> {
        @Override
        public Cursor<T> open(long epoch, Position from) {
            return new CountingCursor<>(from.index()) {
                @Override
                public boolean advance() throws InterruptedException {
                    moveTo(queue.take());
                    return true;
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
