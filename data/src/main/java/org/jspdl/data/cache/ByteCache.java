package org.jspdl.data.cache;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// Keeps bytes under names: encoded files, or whatever was made of them. Safe for use by any number of threads.
///
/// A key is that of an object, or of a part of one: then what the object is called comes after the first `@`.
///
/// Where nothing was announced, what is in stays in: in a shuffled order that is not known no entry is worth more than
/// another, and exchanging them would only cost hits. A cache for `c` bytes of a dataset of `d` then answers `c / d` of
/// an epoch.
public interface ByteCache extends AutoCloseable {

    /// The bytes under `key`, in memory from `pool` that the caller owns; empty if there are none.
    ///
    /// @throws java.io.InterruptedIOException if the thread was interrupted
    Optional<Lease> get(String key, BufferPool pool) throws IOException;

    /// Copies the bytes under `key` to `target`; false if there are none, or not as many as `target` holds.
    ///
    /// @throws java.io.InterruptedIOException if the thread was interrupted
    boolean get(String key, MemorySegment target) throws IOException;

    /// Keeps a copy of `bytes` under `key`, if there is room and nothing is there yet.
    ///
    /// Never fails: without room, or when a disk cannot be written, the bytes are not kept, and [#stats] counts it.
    void offer(String key, MemorySegment bytes);

    /// Says which objects a reader is going to use, in this order, instead of what it said before: what is needed
    /// soonest is kept.
    ///
    /// @param reader who it is; compared by identity
    default void announce(Object reader, List<String> objects) {}

    /// A reader begins to use an object.
    ///
    /// @return what is closed when it has done so
    default Closeable use(Object reader, String object) {
        return () -> {};
    }

    /// What it holds, and how often it had what was asked for.
    CacheStats stats();

    @Override
    void close();
}
