package org.jspdl.data.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspdl.data.storage.Location;

/// Collects where the sources of a plan read, and what keeps that: offered to the plan by whoever tells it before a
/// run. Thread-safe.
public final class CacheNotes {
    private final List<Source> sources = new ArrayList<>();

    /// One source.
    ///
    /// @param data  what it reads
    /// @param cache what keeps it, open for as long as the plan is; empty without one
    public record Source(Location data, Optional<OpenedCache> cache) {}

    /// Nothing is noted yet.
    public CacheNotes() {}

    /// Notes a source.
    public synchronized void add(Source source) {
        sources.add(source);
    }

    /// What was noted so far, in order.
    public synchronized List<Source> sources() {
        return List.copyOf(sources);
    }
}
