package org.jspdl.data.cache;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// Keeps bytes under names: encoded files, or whatever was made of them. Safe for use by any number of threads.
///
/// What is in, stays in: nothing is evicted to make room, since in shuffled epochs no entry is worth more than another,
/// and exchanging them would only cost hits. A cache for `c` bytes of a dataset of `d` answers `c / d` of an epoch.
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

    /// What it holds, and how often it had what was asked for.
    CacheStats stats();

    @Override
    void close();
}
