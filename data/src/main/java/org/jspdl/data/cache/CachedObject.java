package org.jspdl.data.cache;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.data.storage.WholeObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// One object behind a cache. It is opened when something is missing, not before.
final class CachedObject implements StoredObject {
    private final Location location;
    private final String key;
    private final Storage storage;
    private final ByteCache cache;
    private final ReentrantLock opening = new ReentrantLock();
    private volatile @Nullable StoredObject opened;
    private volatile long expected = -1;

    CachedObject(Location location, Storage storage, ByteCache cache) {
        this.location = location;
        this.key = location.key();
        this.storage = storage;
        this.cache = cache;
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
        return expected < 0 ? opened().size() : expected;
    }

    @Override
    public void expect(long bytes) {
        expected = bytes;
    }

    @Override
    public String version() throws IOException {
        return opened().version();
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
        String key = key(offset, target.byteSize());
        if (!cache.get(key, target)) {
            opened().read(offset, target);
            cache.offer(key, target);
        }
    }

    /// What is missing is read together.
    @Override
    public List<Lease> read(List<ByteRange> ranges, BufferPool pool) throws IOException {
        List<@Nullable Lease> leases = new ArrayList<>(ranges.size());
        try {
            List<ByteRange> missing = new ArrayList<>();
            for (ByteRange range : ranges) {
                Optional<Lease> hit = cache.get(key(range.offset(), range.length()), pool);
                leases.add(hit.orElse(null));
                if (hit.isEmpty()) {
                    missing.add(range);
                }
            }
            var read = (missing.isEmpty() ? List.<Lease>of() : opened().read(missing, pool)).iterator();
            List<Lease> all = new ArrayList<>(ranges.size());
            for (int i = 0; i < ranges.size(); i++) {
                Lease hit = leases.get(i);
                all.add(hit != null ? hit : kept(ranges.get(i), read.next()));
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

    private Lease kept(ByteRange range, Lease lease) {
        cache.offer(key(range.offset(), range.length()), lease.segment());
        return lease;
    }

    @Override
    public Lease readAll(BufferPool pool, long limitBytes) throws IOException {
        Optional<Lease> hit = cache.get(wholeKey(), pool);
        if (hit.isPresent()) {
            try {
                WholeObject.check(location(), hit.get().byteSize(), limitBytes);
                return hit.get();
            } catch (Throwable failure) {
                hit.get().close();
                throw failure;
            }
        }
        Lease whole = opened().readAll(pool, limitBytes);
        cache.offer(wholeKey(), whole.segment());
        return whole;
    }

    @Override
    public void close() {
        StoredObject object = opened;
        if (object != null) {
            object.close();
        }
    }
}
