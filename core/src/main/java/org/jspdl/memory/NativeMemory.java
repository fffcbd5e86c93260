package org.jspdl.memory;

import java.lang.foreign.Arena;

/// Memory of no special kind.
enum NativeMemory implements SlabProvider {
    ORDINARY;

    @Override
    public Slab allocate(long byteSize) {
        Arena arena = Arena.ofShared();
        return new Slab(arena.allocate(byteSize, BufferPool.ALIGNMENT), arena::close);
    }
}
