package org.jspdl.data.cache;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
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
    default Optional<Lease> get(String key, BufferPool pool) throws IOException {
        return get(key, _ -> true, pool);
    }

    /// The same, if `version` takes the version that the bytes were kept with; others make room for new ones.
    Optional<Lease> get(String key, Predicate<String> version, BufferPool pool) throws IOException;

    /// Copies the bytes under `key` to `target`; false if there are none, or not as many as `target` holds.
    ///
    /// @throws java.io.InterruptedIOException if the thread was interrupted
    default boolean get(String key, MemorySegment target) throws IOException {
        return get(key, _ -> true, target);
    }

    /// The same, if `version` takes the version that the bytes were kept with; others make room for new ones.
    boolean get(String key, Predicate<String> version, MemorySegment target) throws IOException;

    /// Keeps a copy of `bytes` under `key`, if there is room and nothing is there yet.
    ///
    /// Never fails: without room, or when a disk cannot be written, the bytes are not kept, and [#stats] counts it.
    default void offer(String key, MemorySegment bytes) {
        offer(key, "", bytes);
    }

    /// The same with the version of the object that the bytes are of, which tells them from those of another.
    void offer(String key, String version, MemorySegment bytes);

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
