package org.jspdl.plan.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// What operations have opened. It is closed together, in reverse order. Not thread-safe.
public final class Resources {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    public <C extends AutoCloseable> C keep(C resource) {
        open.push(resource);
        return resource;
    }

    /// Closes everything, even if something fails, and throws the first failure.
    public void closeAll() throws Exception {
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
