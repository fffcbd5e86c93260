package org.jspdl.data.loader;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/// Closes what a loader owns.
final class Owned {
    private Owned() {}

    /// Closes an item that can be closed.
    static void close(Object item) {
        closeItems(Collections.singletonList(item));
    }

    /// Closes those items that can be closed, also if one of them throws.
    static void closeItems(Collection<?> items) {
        close(items.stream().flatMap(Owned::closeable).toList());
    }

    private static Stream<AutoCloseable> closeable(Object item) {
        return item instanceof AutoCloseable closeable ? Stream.of(closeable) : Stream.empty();
    }

    /// Closes all, also if one of them throws.
    static void close(List<? extends AutoCloseable> resources) {
        RuntimeException first = null;
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception failure) {
                if (first == null) {
                    first = failure instanceof RuntimeException runtime
                            ? runtime
                            : new IllegalStateException("a resource of the loader could not be closed", failure);
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
