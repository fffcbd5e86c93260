package org.jspdl.data.cache;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.data.storage.StoredObject;

/// Storage whose reads are kept in a cache: whole objects, and ranges that are asked for again exactly.
///
/// Objects are taken to never change: what is in the cache is not compared with the storage again. Only local files
/// are, whose size and time of change cost nothing to ask for: those that changed are read anew. Parts of two
/// versions of an object are never given for one: of an object that has changed, which is found out when a part of it
/// is not in the cache, the read fails once, and the new version is read after that. Owns neither the storage nor the
/// cache; as thread-safe as they are.
public final class CachedStorage implements Storage {
    /// Where relative paths begin: the same path elsewhere is another file.
    private static final String FOLDER =
            Location.of(Path.of("").toAbsolutePath()).key();

    private final Storage storage;
    private final ByteCache cache;
    /// The versions of objects of which the cache had others.
    private final Map<String, String> replaced = new ConcurrentHashMap<>();

    private final Optional<CachePeers> peers;
    /// Of schemes whose objects are not on their usual server, by the scheme.
    private final Map<String, String> servers = new ConcurrentHashMap<>();

    private CachedStorage(Storage storage, ByteCache cache, Optional<CachePeers> peers) {
        this.storage = storage;
        this.cache = cache;
        this.peers = peers;
    }

    /// `storage` behind `cache`; both stay the caller's.
    public static CachedStorage of(Storage storage, ByteCache cache) {
        return new CachedStorage(storage, cache, Optional.empty());
    }

    /// The same, but what the cache has not is asked of the caches of other machines before it is of `storage`, if
    /// `storage` says which version of the object it has: a request without a body for each object, the first time.
    /// All three stay the caller's.
    public static CachedStorage of(Storage storage, ByteCache cache, CachePeers peers) {
        return new CachedStorage(storage, cache, Optional.of(peers));
    }

    @Override
    public StoredObject object(Location location) {
        return new CachedObject(location, key(location), storage, cache, peers, replaced);
    }

    @Override
    public String server(Location location) {
        return storage.server(location);
    }

    /// What its entries are called by: the same location on another server is another object.
    private String key(Location location) {
        if (!location.isRemote()) {
            return location.afterScheme().startsWith("/") ? location.key() : location.key() + "\n\nin " + FOLDER;
        }
        String server = servers.computeIfAbsent(location.scheme(), _ -> storage.server(location));
        return server.isEmpty() ? location.key() : location.key() + "\n\nat " + server;
    }

    /// The object, as a cache that keeps parts of it knows it.
    private String whole(Location location) {
        return "@" + key(location);
    }

    @Override
    public Stream<ListedObject> list(Location location) throws IOException {
        return storage.list(location);
    }

    @Override
    public Stream<ListedObject> list(Location location, Predicate<String> enters) throws IOException {
        return storage.list(location, enters);
    }

    /// What was cached of an object before is not forgotten: objects are taken to never change.
    @Override
    public void put(Location location, MemorySegment content) throws IOException {
        storage.put(location, content);
    }

    /// What was cached of it is not forgotten.
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
        cache.announce(reader, objects.stream().map(this::whole).toList());
        return true;
    }

    @Override
    public Closeable use(Object reader, Location object) {
        return cache.use(reader, whole(object));
    }

    @Override
    public StorageOptions options() {
        return storage.options();
    }

    /// What the cache did.
    public CacheStats cacheStats() {
        return cache.stats();
    }

    /// What other machines gave; empty if none are asked.
    public Optional<PeerStats> peerStats() {
        return peers.map(CachePeers::stats);
    }

    /// What was read from the storage behind the cache.
    @Override
    public StorageStats stats() {
        return storage.stats();
    }

    @Override
    public void close() {}
}
