package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.util.Iterator;
import java.util.concurrent.Flow;
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

    /// The elements that `publisher` publishes, for one iteration: an asynchronous source of several results, such
    /// as the rows that a client streams. It is subscribed to when the first element is asked for, and asked for no
    /// more than some elements ahead. The subscription is canceled, and what it had brought is closed, when the run
    /// ends before the last element.
    ///
    /// Whoever pulls waits for the next element, so that the place of such a `flatMap` is [StageOptions#io].
    public static <T> Iterable<T> of(Flow.Publisher<? extends T> publisher) {
        return of(new PublishedElements<T>(requireNonNull(publisher, "publisher")));
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
