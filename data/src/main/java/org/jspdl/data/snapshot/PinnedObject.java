package org.jspdl.data.snapshot;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.ObjectVersion;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// An object that must be of one version. Since all reads of an object see the version that the first saw, that is
/// compared once, behind the first read, when it costs no request; of local files behind each.
final class PinnedObject implements StoredObject {
    private final StoredObject object;
    private final long version;
    private volatile boolean compared;

    PinnedObject(StoredObject object, long version) {
        this.object = object;
        this.version = version;
    }

    private void compare() throws IOException {
        if (!compared) {
            ObjectVersion.require(object, version);
            compared = object.location().isRemote(); // others may be written to while they are open
        }
    }

    private void compare(List<Lease> read) throws IOException {
        try {
            compare();
        } catch (Throwable other) {
            read.forEach(Lease::close);
            throw other;
        }
    }

    @Override
    public Location location() {
        return object.location();
    }

    @Override
    public long size() throws IOException {
        return object.size();
    }

    @Override
    public void expect(long bytes) throws IOException {
        object.expect(bytes);
    }

    @Override
    public String version() throws IOException {
        return object.version();
    }

    @Override
    public void read(long offset, MemorySegment target) throws IOException {
        object.read(offset, target);
        compare();
    }

    @Override
    public Lease readAll(BufferPool pool, long limitBytes) throws IOException {
        Lease lease = object.readAll(pool, limitBytes);
        compare(List.of(lease));
        return lease;
    }

    @Override
    public Lease read(long offset, long length, BufferPool pool) throws IOException {
        Lease lease = object.read(offset, length, pool);
        compare(List.of(lease));
        return lease;
    }

    @Override
    public List<Lease> read(List<ByteRange> ranges, BufferPool pool) throws IOException {
        List<Lease> leases = object.read(ranges, pool);
        if (!leases.isEmpty()) {
            compare(leases);
        }
        return leases;
    }

    @Override
    public void close() {
        object.close();
    }

    @Override
    public String toString() {
        return object.toString();
    }
}
