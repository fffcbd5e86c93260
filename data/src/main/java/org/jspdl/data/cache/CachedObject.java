package org.jspdl.data.cache;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.data.storage.WholeObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// One object behind a cache. It is opened when something is missing, not before; a local file with the first read, so
/// that what is in the cache is of the file as it is now.
///
/// All that is read is of one version: the one that was met first, in the cache or in the storage.
final class CachedObject implements StoredObject {
    private final Location location;
    private final String key;
    private final Storage storage;
    private final ByteCache cache;
    private final Optional<CachePeers> peers;
    /// Versions of objects, by their keys, that took the place of those in the cache.
    private final Map<String, String> replaced;
    private final AtomicReference<@Nullable String> version;
    private final ReentrantLock opening = new ReentrantLock();
    private volatile @Nullable StoredObject opened;
    private volatile long expected = -1;
    private volatile boolean isUnversioned;

    CachedObject(
            Location location,
            String key,
            Storage storage,
            ByteCache cache,
            Optional<CachePeers> peers,
            Map<String, String> replaced) {
        this.peers = peers;
        this.location = location;
        this.key = key;
        this.storage = storage;
        this.cache = cache;
        this.replaced = replaced;
        this.version = new AtomicReference<>(location.isRemote() ? replaced.get(key) : null);
    }

    /// Learns which version a local file has, which is no request.
    private void look() throws IOException {
        if (!location.isRemote() && opened == null) {
            answered(opened());
        }
    }

    /// Whether bytes of this version are those of the object that is read.
    private boolean isOfVersion(String other) {
        return version.compareAndSet(null, other) || other.equals(version.get());
    }

    /// The object after an answer of the storage, which told its version: asking for that is no request.
    ///
    /// @throws StorageException if what was read before is of another version
    private String answered(StoredObject object) throws IOException {
        String told = object.version();
        if (!isOfVersion(told)) {
            replaced.put(key, told);
            throw new StorageException(
                    StorageException.Kind.CHANGED,
                    location,
                    "was replaced since parts of it were read or kept in the cache; whoever opens it again reads the"
                            + " new version");
        }
        return told;
    }

    private StoredObject opened() throws IOException {
        StoredObject object = opened;
        if (object != null) {
            return object;
        }
        opening.lock();
        try {
            object = opened;
            if (object == null) {
                object = storage.object(location);
                opened = object;
                if (expected >= 0) {
                    object.expect(expected);
                }
            }
            return object;
        } finally {
            opening.unlock();
        }
    }

    @Override
    public Location location() {
        return location;
    }

    @Override
    public long size() throws IOException {
        if (expected >= 0) {
            return expected;
        }
        StoredObject object = opened();
        long size = object.size();
        answered(object);
        return size;
    }

    @Override
    public void expect(long bytes) {
        expected = bytes;
    }

    @Override
    public String version() throws IOException {
        return answered(opened());
    }

    /// What stands before the first `@` says which bytes: no object's name can be taken for a range of another.
    private String key(long offset, long length) {
        return offset + "+" + length + "@" + key;
    }

    private String wholeKey() {
        return "@" + key;
    }

    @Override
    public void read(long offset, MemorySegment target) throws IOException {
        look();
        String key = key(offset, target.byteSize());
        if (!cache.get(key, this::isOfVersion, target)) {
            String told = wantedVersion();
            if (told.isEmpty() || !peers.orElseThrow().fill(key, told, target)) {
                StoredObject object = opened();
                object.read(offset, target);
                told = answered(object);
            }
            cache.offer(key, told, target);
        }
    }

    /// The version that peers are asked for; empty if they are not. A weak tag and a date may stay while the
    /// content changes, so that they name none.
    private String wantedVersion() throws IOException {
        if (isUnversioned
                || !location.isRemote()
                || !peers.map(CachePeers::hasAny).orElse(false)) {
            return "";
        }
        String told = "";
        try {
            told = answered(opened());
        } catch (StorageException unknown) {
            if (unknown.kind() == StorageException.Kind.UNAVAILABLE
                    || unknown.kind() == StorageException.Kind.CHANGED) {
                throw unknown;
            }
        }
        boolean certain = !told.isEmpty() && !told.startsWith("W/") && !told.endsWith(" GMT");
        isUnversioned = !certain;
        return certain ? told : "";
    }

    /// What a peer has of the object, which the cache has then, too.
    private Optional<Lease> fromPeer(String key, long length, BufferPool pool) throws IOException {
        String wanted = wantedVersion();
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        Lease lease = pool.lease(length);
        boolean filled = false;
        try {
            filled = peers.orElseThrow().fill(key, wanted, lease.segment());
            if (filled) {
                cache.offer(key, wanted, lease.segment());
            }
        } finally {
            if (!filled) {
                lease.close();
            }
        }
        return filled ? Optional.of(lease) : Optional.empty();
    }

    /// What is missing is read together.
    @Override
    public List<Lease> read(List<ByteRange> ranges, BufferPool pool) throws IOException {
        look();
        List<@Nullable Lease> leases = new ArrayList<>(ranges.size());
        try {
            List<ByteRange> missing = new ArrayList<>();
            for (ByteRange range : ranges) {
                String key = key(range.offset(), range.length());
                Optional<Lease> hit = cache.get(key, this::isOfVersion, pool);
                if (hit.isEmpty()) {
                    hit = fromPeer(key, range.length(), pool);
                }
                leases.add(hit.orElse(null));
                if (hit.isEmpty()) {
                    missing.add(range);
                }
            }
            var read = (missing.isEmpty() ? List.<Lease>of() : read(missing, leases, pool)).iterator();
            List<Lease> all = new ArrayList<>(ranges.size());
            for (int i = 0; i < ranges.size(); i++) {
                Lease hit = leases.get(i);
                all.add(hit != null ? hit : read.next());
            }
            return all;
        } catch (Throwable failure) {
            leases.forEach(lease -> {
                if (lease != null) {
                    lease.close();
                }
            });
            throw failure;
        }
    }

    /// Reads what is missing, and keeps it.
    ///
    /// @param leases those of the caller, to which these are added for as long as they may have to be released
    private List<Lease> read(List<ByteRange> missing, List<@Nullable Lease> leases, BufferPool pool)
            throws IOException {
        StoredObject object = opened();
        List<Lease> read = object.read(missing, pool);
        leases.addAll(read);
        String told = answered(object);
        for (int i = 0; i < read.size(); i++) {
            ByteRange range = missing.get(i);
            cache.offer(key(range.offset(), range.length()), told, read.get(i).segment());
        }
        return read;
    }

    @Override
    public Lease readAll(BufferPool pool, long limitBytes) throws IOException {
        look();
        Optional<Lease> hit = cache.get(wholeKey(), this::isOfVersion, pool);
        if (hit.isPresent()) {
            try {
                WholeObject.check(location(), hit.get().byteSize(), limitBytes);
                return hit.get();
            } catch (Throwable failure) {
                hit.get().close();
                throw failure;
            }
        }
        if (!wantedVersion().isEmpty()) {
            long size = WholeObject.check(location, size(), limitBytes);
            Optional<Lease> given = fromPeer(wholeKey(), size, pool);
            if (given.isPresent()) {
                return given.get();
            }
        }
        StoredObject object = opened();
        Lease whole = object.readAll(pool, limitBytes);
        try {
            cache.offer(wholeKey(), answered(object), whole.segment());
            return whole;
        } catch (Throwable failure) {
            whole.close();
            throw failure;
        }
    }

    @Override
    public void close() {
        StoredObject object = opened;
        if (object != null) {
            object.close();
        }
    }
}
