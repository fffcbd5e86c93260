package org.jspdl.data.storage;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// One object, opened for reading at any position by any number of threads at once.
///
/// All reads see one version of the object: when it changes while it is open, a read either gives the bytes of the
/// version that was read first, or throws. Bytes go straight to memory outside the heap. A read that is interrupted
/// throws [java.io.InterruptedIOException] and disturbs no other read.
public interface StoredObject extends AutoCloseable {

    /// Where the object lies, as given to [Storage#object].
    Location location();

    /// How many bytes it has. May take one request, the first time.
    ///
    /// @throws StorageException if the object cannot be reached
    long size() throws IOException;

    /// Says how many bytes the object has as far as an index knows, so that no request is needed to learn it;
    /// before the first read.
    ///
    /// @throws StorageException if it is known to have another size; else the first read finds that out, and throws
    ///     it
    default void expect(long bytes) throws IOException {
        if (size() != bytes) {
            throw StorageException.notAsIndexed(location(), size(), bytes);
        }
    }

    /// Changes whenever the content does, as far as the storage knows: an entity tag, or size and time of change.
    /// May take one request, the first time.
    ///
    /// @throws StorageException if the object cannot be reached
    String version() throws IOException;

    /// Fills `target` with the bytes from `offset` on.
    ///
    /// @throws StorageException if the object ends before `target` is full, or cannot be read
    void read(long offset, MemorySegment target) throws IOException;

    /// The whole content, in one request where the storage allows it; the caller owns the lease.
    ///
    /// @param limitBytes the largest object that is read
    /// @throws StorageException if the object is empty, larger than `limitBytes`, or cannot be read
    Lease readAll(BufferPool pool, long limitBytes) throws IOException;

    /// `length` bytes from `offset` on; the caller owns the lease.
    ///
    /// @throws StorageException if the object ends before that, or cannot be read
    default Lease read(long offset, long length, BufferPool pool) throws IOException {
        Lease lease = pool.lease(length);
        try {
            read(offset, lease.segment());
            return lease;
        } catch (Throwable failure) {
            lease.close();
            throw failure;
        }
    }

    /// Several ranges, each into a lease of its own, in the order of `ranges`; the caller owns the leases. Ranges
    /// that are neighbors are read together where that saves requests.
    ///
    /// @throws StorageException if one of them cannot be read; none is kept then
    default List<Lease> read(List<ByteRange> ranges, BufferPool pool) throws IOException {
        List<Lease> leases = new ArrayList<>(ranges.size());
        try {
            for (ByteRange range : ranges) {
                leases.add(read(range.offset(), range.length(), pool));
            }
            return leases;
        } catch (Throwable failure) {
            leases.forEach(Lease::close);
            throw failure;
        }
    }

    /// Gives the object up; reads that are running elsewhere may fail. Closing again is harmless.
    @Override
    void close();
}
