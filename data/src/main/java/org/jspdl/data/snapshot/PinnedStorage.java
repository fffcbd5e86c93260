package org.jspdl.data.snapshot;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.ObjectVersion;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.data.storage.StoredObject;

/// A storage of which some objects are of one version: another is not read. For the shards of a dataset; the storage
/// behind it stays the caller's. Thread-safe.
public final class PinnedStorage implements Storage {
    private final Storage storage;
    private volatile Map<Location, Long> pinned = Map.of();

    /// A storage of whose objects none is pinned yet.
    public PinnedStorage(Storage storage) {
        this.storage = storage;
    }

    /// Has `objects` be of these versions from here on.
    ///
    /// @param versions by their order
    public void pin(List<Location> objects, FileVersions versions) {
        Map<Location, Long> all = new HashMap<>(pinned);
        for (int i = 0; i < objects.size(); i++) {
            if (versions.get(i) != ObjectVersion.UNKNOWN) {
                all.put(objects.get(i), versions.get(i));
            }
        }
        pinned = Map.copyOf(all);
    }

    @Override
    public StoredObject object(Location location) throws IOException {
        long version = pinned.getOrDefault(location, ObjectVersion.UNKNOWN);
        try {
            StoredObject object = storage.object(location);
            return version == ObjectVersion.UNKNOWN ? object : new PinnedObject(object, version);
        } catch (IOException unopened) {
            throw ObjectVersion.reason(location, version, unopened);
        }
    }

    @Override
    public Stream<ListedObject> list(Location location) throws IOException {
        return storage.list(location);
    }

    @Override
    public Stream<ListedObject> list(Location location, Predicate<String> enters) throws IOException {
        return storage.list(location, enters);
    }

    @Override
    public void put(Location location, MemorySegment content) throws IOException {
        storage.put(location, content);
    }

    @Override
    public void delete(Location location) throws IOException {
        storage.delete(location);
    }

    @Override
    public void requireWritable(Location folder) throws IOException {
        storage.requireWritable(folder);
    }

    @Override
    public boolean announce(Object reader, List<Location> objects) {
        return storage.announce(reader, objects);
    }

    @Override
    public Closeable use(Object reader, Location object) {
        return storage.use(reader, object);
    }

    @Override
    public String server(Location location) {
        return storage.server(location);
    }

    @Override
    public StorageOptions options() {
        return storage.options();
    }

    @Override
    public StorageStats stats() {
        return storage.stats();
    }

    /// Closes nothing: the storage behind it is the caller's.
    @Override
    public void close() {}

    @Override
    public String toString() {
        return storage.toString();
    }
}
