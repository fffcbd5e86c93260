package org.jspdl.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageProvider;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// An object store in the memory of this process, `memory://`, which may refuse what is put.
public final class MemoryStore implements StorageProvider {
    /// All objects, by address.
    static final ConcurrentSkipListMap<String, byte[]> OBJECTS = new ConcurrentSkipListMap<>();

    /// Whether putting an object of this address fails.
    static volatile Predicate<String> fails = _ -> false;

    /// For the loader of services.
    public MemoryStore() {}

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public Storage open(StorageOptions options) {
        return new Opened();
    }

    private static final class Opened implements Storage {
        @Override
        public StoredObject object(Location location) {
            return new Stored(location);
        }

        @Override
        public Stream<ListedObject> list(Location folder) {
            String prefix = folder.text() + "/";
            List<ListedObject> below = OBJECTS.tailMap(prefix).entrySet().stream()
                    .takeWhile(each -> each.getKey().startsWith(prefix))
                    .map(each -> new ListedObject(Location.of(each.getKey()), each.getValue().length))
                    .toList();
            if (below.isEmpty()) { // as stores do, which have no empty folders
                throw new UncheckedIOException(
                        new StorageException(StorageException.Kind.MISSING, folder, "there is nothing in this folder"));
            }
            return below.stream();
        }

        @Override
        public void put(Location location, MemorySegment content) throws IOException {
            if (fails.test(location.text())) {
                throw new StorageException(StorageException.Kind.UNAVAILABLE, location, "out of order");
            }
            OBJECTS.put(location.text(), content.toArray(ValueLayout.JAVA_BYTE));
        }

        @Override
        public void requireWritable(Location folder) {
            // always is
        }

        @Override
        public void delete(Location location) {
            OBJECTS.remove(location.text());
        }

        @Override
        public StorageStats stats() {
            return StorageStats.NONE;
        }

        @Override
        public void close() {
            // holds nothing
        }
    }

    private record Stored(Location location) implements StoredObject {
        private byte[] content() throws StorageException {
            byte[] content = OBJECTS.get(location.text());
            if (content == null) {
                throw new StorageException(StorageException.Kind.MISSING, location, "there is no such object");
            }
            return content;
        }

        @Override
        public long size() throws IOException {
            return content().length;
        }

        @Override
        public String version() throws IOException {
            return Integer.toString(System.identityHashCode(content()));
        }

        @Override
        public Lease readAll(BufferPool pool, long limitBytes) throws IOException {
            byte[] content = content();
            Lease lease = pool.lease(content.length);
            lease.segment().copyFrom(MemorySegment.ofArray(content));
            return lease;
        }

        @Override
        public void read(long offset, MemorySegment target) throws IOException {
            MemorySegment.copy(MemorySegment.ofArray(content()), offset, target, 0, target.byteSize());
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
