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

    /// Reads something.
    @FunctionalInterface
    private interface Reading {
        List<Lease> read() throws IOException;
    }

    private List<Lease> compared(Reading reading) throws IOException {
        List<Lease> read;
        try {
            read = reading.read();
        } catch (IOException unread) {
            throw ObjectVersion.reason(object.location(), version, unread);
        }
        try {
            if (!read.isEmpty()) {
                compare();
            }
            return read;
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
        try {
            object.read(offset, target);
        } catch (IOException unread) {
            throw ObjectVersion.reason(object.location(), version, unread);
        }
        compare();
    }

    @Override
    public Lease readAll(BufferPool pool, long limitBytes) throws IOException {
        return compared(() -> List.of(object.readAll(pool, limitBytes))).getFirst();
    }

    @Override
    public Lease read(long offset, long length, BufferPool pool) throws IOException {
        return compared(() -> List.of(object.read(offset, length, pool))).getFirst();
    }

    @Override
    public List<Lease> read(List<ByteRange> ranges, BufferPool pool) throws IOException {
        return compared(() -> object.read(ranges, pool));
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
