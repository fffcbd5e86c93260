package org.jspdl.data.storage;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// An object that tells somebody how many bytes each read gave, on the thread that asked. Used only where somebody
/// wants to know.
final class CountedObject implements StoredObject {
    private final StoredObject object;
    private final LongConsumer told;

    CountedObject(StoredObject object, LongConsumer told) {
        this.object = object;
        this.told = told;
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
        told.accept(target.byteSize());
    }

    @Override
    public Lease readAll(BufferPool pool, long limitBytes) throws IOException {
        return counted(object.readAll(pool, limitBytes));
    }

    @Override
    public Lease read(long offset, long length, BufferPool pool) throws IOException {
        return counted(object.read(offset, length, pool));
    }

    @Override
    public List<Lease> read(List<ByteRange> ranges, BufferPool pool) throws IOException {
        List<Lease> leases = object.read(ranges, pool);
        long bytes = 0;
        for (Lease lease : leases) {
            bytes += lease.byteSize();
        }
        told.accept(bytes);
        return leases;
    }

    private Lease counted(Lease lease) {
        told.accept(lease.byteSize());
        return lease;
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
