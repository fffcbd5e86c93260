package org.jspdl.memory;

import java.lang.foreign.MemorySegment;

/// Where a [BufferPool] gets its memory: native memory by default, pinned memory or a mapped file by other modules.
///
/// A provider may be called from any thread, but never by two threads at once for one pool.
public interface SlabProvider {

    /// A new slab of exactly `byteSize` bytes, aligned to at least 64 bytes, usable from every thread.
    ///
    /// @throws OutOfMemoryError if the memory cannot be had
    Slab allocate(long byteSize);

    /// Slabs of ordinary native memory.
    static SlabProvider nativeMemory() {
        return NativeMemory.ORDINARY;
    }

    /// One piece of memory from a provider.
    ///
    /// @param segment the memory
    /// @param release frees it; called at most once, when no lease of the slab is out, and must not use the
    ///     pool
    /// @param kept    whether the pool may keep it for later leases; if not, it is released when its lease is
    ///     closed
    record Slab(MemorySegment segment, Runnable release, boolean kept) {
        /// A slab that the pool may keep.
        public Slab(MemorySegment segment, Runnable release) {
            this(segment, release, true);
        }
    }
}
