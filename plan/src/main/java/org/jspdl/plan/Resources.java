package org.jspdl.plan;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// What operations have opened, closed together in the reverse order. Not thread-safe.
final class Resources {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    void keep(AutoCloseable resource) {
        open.push(resource);
    }

    /// Closes everything, even if something fails, and throws the first failure.
    void closeAll() throws Exception {
        @Nullable Exception first = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception failure) {
                if (first == null) {
                    first = failure;
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
