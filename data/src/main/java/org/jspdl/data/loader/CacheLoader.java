package org.jspdl.data.loader;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;
import org.jspdl.memory.Closeables;
import org.jspdl.memory.Tensor;

/// Serves a few batches of a loader indefinitely: what a perfect loader would give.
///
/// A training step that is hardly faster with it does not wait for its data. The first batches are kept, and once
/// enough have come they are given in turn, without end or up to a number; the loader behind it then rests. Consumers
/// close what they get as always: the batches themselves are closed with this loader. Used by one thread.
///
/// ```java
/// try (CacheLoader<TensorBatch> perfect = CacheLoader.of(loader, 4).stopAfter(500)) {
///     for (TensorBatch batch : perfect) try (batch) { model.step(batch); }
/// }
/// ```
public final class CacheLoader<B> implements Iterable<B>, AutoCloseable {
    private final Iterable<B> loader;
    private final int kept;
    private final long cachedAfter;
    private final long stopAfter;
    private final UnaryOperator<B> view;
    private final List<B> cache = new ArrayList<>();

    private CacheLoader(Iterable<B> loader, int kept, long cachedAfter, long stopAfter, UnaryOperator<B> view) {
        this.loader = loader;
        this.kept = kept;
        this.cachedAfter = cachedAfter;
        this.stopAfter = stopAfter;
        this.view = view;
    }

    /// The first `kept` batches of `loader`, which stays the caller's, again and again.
    public static <B> CacheLoader<B> of(Iterable<B> loader, int kept) {
        if (kept < 1) {
            throw new IllegalArgumentException("kept must be at least 1 but was " + kept);
        }
        return new CacheLoader<>(loader, kept, kept, Long.MAX_VALUE, CacheLoader::shared);
    }

    /// The same, but the first batches are fresh, up to this number, as a warm-up; at least those that are kept.
    public CacheLoader<B> returnCachesAfter(long batches) {
        if (batches < kept) {
            throw new IllegalArgumentException(
                    "caches can be returned after " + kept + " batches, which are kept, but not after " + batches);
        }
        return new CacheLoader<>(loader, kept, batches, stopAfter, view);
    }

    /// The same, but each loop ends after this number of batches.
    public CacheLoader<B> stopAfter(long batches) {
        if (batches < 1) {
            throw new IllegalArgumentException("stopAfter must be at least 1 but was " + batches);
        }
        return new CacheLoader<>(loader, kept, cachedAfter, batches, view);
    }

    /// The same, with what makes of a kept batch one that a consumer may close: for batches that are
    /// `AutoCloseable` and not [Shareable].
    public CacheLoader<B> sharing(UnaryOperator<B> viewer) {
        return new CacheLoader<>(loader, kept, cachedAfter, stopAfter, viewer);
    }

    @SuppressWarnings("unchecked")
    private static <B> B shared(B batch) {
        return switch (batch) {
            case Shareable<?> shareable -> (B) shareable.view();
            case Tensor tensor -> (B) tensor.view();
            case List<?> items -> (B) items.stream().map(CacheLoader::shared).toList();
            case AutoCloseable closeable ->
                throw new IllegalStateException("a consumer would close the "
                        + closeable.getClass().getName() + " that is kept; say by sharing(..) how it is shared");
            default -> batch;
        };
    }

    @Override
    public Iterator<B> iterator() {
        return new Iterator<>() {
            private long given;
            private final Iterator<B> fresh =
                    cache.size() < kept ? loader.iterator() : List.<B>of().iterator();

            @Override
            public boolean hasNext() {
                return given < stopAfter && (servesCache() ? !cache.isEmpty() : fresh.hasNext() || !cache.isEmpty());
            }

            // A loader with fewer batches than asked for is served from what it had.
            private boolean servesCache() {
                return (cache.size() == kept && given >= cachedAfter) || !fresh.hasNext();
            }

            @Override
            public B next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("the " + stopAfter + " batches of this loop have been given");
                }
                B batch;
                if (servesCache()) {
                    batch = view.apply(cache.get((int) (given % cache.size())));
                } else {
                    batch = fresh.next();
                    if (cache.size() < kept) {
                        cache.add(batch);
                        batch = view.apply(batch);
                    }
                }
                given++;
                return batch;
            }
        };
    }

    /// Closes the kept batches.
    @Override
    public void close() {
        List<B> closing = List.copyOf(cache);
        cache.clear();
        Closeables.closeItem(closing);
    }
}
