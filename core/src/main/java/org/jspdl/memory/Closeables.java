package org.jspdl.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Closes several resources as one: a resource that fails to close leaves none of the others open.
public final class Closeables {
    private Closeables() {}

    /// Closes every resource, also if one of them throws.
    ///
    /// @throws RuntimeException the first failure, with the others suppressed; an [IOException] comes as an
    ///     [UncheckedIOException], another checked exception as an [IllegalStateException]
    public static void closeAll(Iterable<? extends AutoCloseable> resources) {
        RuntimeException first = null;
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception failure) {
                if (first == null) {
                    first = unchecked(failure);
                } else if (first != failure) {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /// Closes what `item` holds, as [#closeAll] does: the item itself if it can be closed, else the elements of a
    /// collection, the values of a map, or what an optional has, at any depth.
    public static void closeItem(@Nullable Object item) {
        List<AutoCloseable> found = new ArrayList<>(1);
        collect(item, found);
        closeAll(found);
    }

    private static void collect(@Nullable Object item, List<AutoCloseable> found) {
        switch (item) {
            case AutoCloseable closeable -> found.add(closeable);
            case Collection<?> elements -> elements.forEach(element -> collect(element, found));
            case Map<?, ?> map -> map.values().forEach(value -> collect(value, found));
            case Optional<?> optional -> optional.ifPresent(value -> collect(value, found));
            case null, default -> {}
        }
    }

    private static RuntimeException unchecked(Exception failure) {
        return switch (failure) {
            case RuntimeException runtime -> runtime;
            case IOException io -> new UncheckedIOException(io);
            default -> new IllegalStateException("a resource could not be closed: " + failure.getMessage(), failure);
        };
    }
}
