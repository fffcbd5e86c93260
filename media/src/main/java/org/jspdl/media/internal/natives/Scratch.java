package org.jspdl.media.internal.natives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspdl.memory.CheckedMemory;

/// Native memory that grows when more is needed and is otherwise reused; its content is undefined after [#atLeast].
///
/// Owned by one decoding context; used by one thread at a time, and closed by any.
public final class Scratch implements AutoCloseable {
    private static final long ALIGNMENT = 64;

    private Arena arena = Arena.ofShared();
    private MemorySegment memory = MemorySegment.NULL;
    private int turns;

    /// The memory, of at least `byteSize` bytes.
    public MemorySegment atLeast(long byteSize) {
        if (memory.byteSize() < byteSize) {
            arena.close();
            memory = MemorySegment.NULL;
            arena = Arena.ofShared();
            memory = arena.allocate(byteSize + byteSize / 4, ALIGNMENT);
        }
        if (CheckedMemory.isOn()) {
            CheckedMemory.fill(memory, turns++);
        }
        return memory;
    }

    /// The bytes that it has.
    public long byteSize() {
        return memory.byteSize();
    }

    /// Gives the memory back; there is more when it is asked for.
    public void release() {
        arena.close();
        arena = Arena.ofShared();
        memory = MemorySegment.NULL;
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        memory = MemorySegment.NULL;
    }
}
