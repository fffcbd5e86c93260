package org.jspdl.observe.history;

import java.util.ArrayList;
import java.util.List;

/// What was done to an item, in the order of time. Written by one thread at a time, the one that has the item; safe for
/// use by any.
public final class ItemHistory {
    private final List<Span> spans = new ArrayList<>(4);

    /// A history that begins with this.
    public ItemHistory(Span first) {
        spans.add(first);
    }

    /// Adds what was done then; how many stages had the item before.
    public synchronized int add(Span span) {
        spans.add(span);
        return spans.size() - 1;
    }

    /// Whether nothing was done to it since it took its source `nanos` or longer to yield it.
    public synchronized boolean isNewAfter(long nanos) {
        Span first = spans.getFirst();
        return spans.size() == 1 && first.source() && first.end() - first.start() >= nanos;
    }

    /// When the last thing was done to it.
    public synchronized long end() {
        return spans.getLast().end();
    }

    /// The first name that it had; empty if it had none.
    public synchronized String name() {
        return spans.stream()
                .map(Span::item)
                .filter(item -> !item.isEmpty())
                .findFirst()
                .orElse("");
    }

    /// All of it.
    public synchronized List<Span> spans() {
        return List.copyOf(spans);
    }
}
