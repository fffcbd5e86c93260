package org.jspdl.data.loader;

import java.util.List;

/// Closes what a loader owns.
final class Owned {
    private Owned() {}

    /// Closes an item that can be closed.
    static void close(Object item) {
        if (item instanceof AutoCloseable closeable) {
            close(List.of(closeable));
        }
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
