package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.util.Iterator;
import java.util.stream.BaseStream;

/// Elements for [Pipeline#flatMap] that are not an `Iterable`.
public final class Elements {
    private Elements() {}

    /// The remaining elements of `iterator`, for one iteration. If the iterator is `AutoCloseable`, it is closed
    /// after its last element, or when the run ends before it.
    public static <T> Iterable<T> of(Iterator<T> iterator) {
        return new OfIterator<>(requireNonNull(iterator, "iterator"));
    }

    /// The elements of `stream`, for one iteration. The stream is closed after its last element, or when the run
    /// ends before it. It is as lazy as the JDK makes it.
    public static <T> Iterable<T> of(BaseStream<T, ?> stream) {
        return of(new StreamIterator<>(requireNonNull(stream, "stream"), stream.iterator()));
    }

    /// Closed too where the engine drops it before it was iterated.
    @SuppressWarnings("try") // the close of an iterator may throw anything
    private record OfIterator<T>(Iterator<T> iterator) implements Iterable<T>, AutoCloseable {
        @Override
        public void close() throws Exception {
            if (iterator instanceof AutoCloseable closeable) {
                closeable.close();
            }
        }
    }

    private record StreamIterator<T>(BaseStream<T, ?> stream, Iterator<T> elements)
            implements Iterator<T>, AutoCloseable {
        @Override
        public boolean hasNext() {
            return elements.hasNext();
        }

        @Override
        public T next() {
            return elements.next();
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
