package org.jspdl.source;

import java.util.ArrayList;
import java.util.List;

/// Reads sources to their end.
final class Read {
    private Read() {}

    static <T> List<T> all(Source<T> source, long epoch) throws Exception {
        return from(source, epoch, Position.START);
    }

    static <T> List<T> from(Source<T> source, long epoch, Position from) throws Exception {
        List<T> items = new ArrayList<>();
        try (Cursor<T> cursor = source.open(epoch, from)) {
            while (cursor.advance()) {
                items.add(cursor.item());
            }
        }
        return items;
    }
}
