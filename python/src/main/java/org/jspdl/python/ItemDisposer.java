package org.jspdl.python;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Closes what an item holds when nobody sees it any more.
final class ItemDisposer {
    private ItemDisposer() {}

    /// Closes `item`, or what it consists of.
    ///
    /// @throws IllegalStateException if something cannot be closed
    static void close(@Nullable Object item) {
        switch (item) {
            case null -> {}
            case AutoCloseable closeable -> {
                try {
                    closeable.close();
                } catch (Exception failure) {
                    throw new IllegalStateException("an item could not be closed: " + failure.getMessage(), failure);
                }
            }
            case Collection<?> elements -> elements.forEach(ItemDisposer::close);
            case Map<?, ?> map -> map.values().forEach(ItemDisposer::close);
            case Optional<?> optional -> optional.ifPresent(ItemDisposer::close);
            case Record fields -> RecordFields.of(fields).values().forEach(ItemDisposer::close);
            default -> {}
        }
    }
}
