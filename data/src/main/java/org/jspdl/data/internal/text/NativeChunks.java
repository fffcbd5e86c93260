package org.jspdl.data.internal.text;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;

/// Memory outside the heap that is released when this object is garbage. Who reads it keeps this object reachable
/// meanwhile, by a `Reference.reachabilityFence`.
///
/// `Arena.ofAuto` does the same, but what it allocates counts against the limit of direct buffers, which is the size of
/// the heap: the names of ten million files would need a heap of their size.
final class NativeChunks {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Arena arena = Arena.ofShared();
    private final List<MemorySegment> chunks = new ArrayList<>();

    NativeChunks() {
        Arena own = arena; // not this, which would never be garbage
        CLEANER.register(this, own::close);
    }

    /// Another chunk of `bytes`, behind those before.
    MemorySegment add(long bytes) {
        MemorySegment chunk = arena.allocate(bytes);
        chunks.add(chunk);
        return chunk;
    }

    MemorySegment get(int chunk) {
        return chunks.get(chunk);
    }

    int count() {
        return chunks.size();
    }

    /// The bytes of all chunks.
    long byteSize() {
        return chunks.stream().mapToLong(MemorySegment::byteSize).sum();
    }
}
