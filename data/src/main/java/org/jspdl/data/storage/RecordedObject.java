package org.jspdl.data.storage;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// An object whose reads are events for a flight recorder. Used only while one runs.
final class RecordedObject implements StoredObject {
    private final StoredObject object;

    RecordedObject(StoredObject object) {
        this.object = object;
    }

    /// A read that yields something.
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException;
    }

    private <T> T recorded(long offset, Reading<T> reading, ToLongFunction<T> size) throws IOException {
        StorageReadEvent event = new StorageReadEvent();
        event.begin();
        @Nullable T read = null;
        try {
            read = reading.read();
            return read;
        } finally {
            event.end();
            if (event.shouldCommit()) {
                event.location = object.location().toString();
                event.offset = offset;
                event.size = read == null ? 0 : size.applyAsLong(read);
                event.failed = read == null;
                event.commit();
            }
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
        recorded(
                offset,
                () -> {
                    object.read(offset, target);
                    return target;
                },
                MemorySegment::byteSize);
    }

    @Override
    public Lease readAll(BufferPool pool, long limitBytes) throws IOException {
        return recorded(
                0,
                () -> object.readAll(pool, limitBytes),
                lease -> lease.segment().byteSize());
    }

    @Override
    public Lease read(long offset, long length, BufferPool pool) throws IOException {
        return recorded(offset, () -> object.read(offset, length, pool), lease -> length);
    }

    @Override
    public List<Lease> read(List<ByteRange> ranges, BufferPool pool) throws IOException {
        return recorded(
                ranges.isEmpty() ? 0 : ranges.getFirst().offset(),
                () -> object.read(ranges, pool),
                leases -> leases.stream()
                        .mapToLong(lease -> lease.segment().byteSize())
                        .sum());
    }

    @Override
    public void close() {
        object.close();
    }
}
