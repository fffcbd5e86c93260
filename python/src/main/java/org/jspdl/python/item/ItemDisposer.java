package org.jspdl.python.item;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.memory.Closeables;
import org.jspecify.annotations.Nullable;

/// Closes what an item holds when nobody sees it any more.
public final class ItemDisposer {
    private ItemDisposer() {}

    /// Closes `item`, or what it consists of: also the components of a record, which [Closeables] leaves alone.
    ///
    /// @throws RuntimeException if something cannot be closed; the rest is closed all the same
    public static void close(@Nullable Object item) {
        List<AutoCloseable> found = new ArrayList<>(1);
        collect(item, found);
        Closeables.closeAll(found);
    }

    private static void collect(@Nullable Object item, List<AutoCloseable> found) {
        switch (item) {
            case AutoCloseable closeable -> found.add(closeable);
            case Collection<?> elements -> elements.forEach(element -> collect(element, found));
            case Map<?, ?> map -> map.values().forEach(value -> collect(value, found));
            case Optional<?> optional -> optional.ifPresent(value -> collect(value, found));
            case Record fields -> RecordFields.of(fields).values().forEach(value -> collect(value, found));
            case null, default -> {}
        }
    }
}
