package org.jspdl.media.internal.natives;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.SlabProvider;

/// Memory of C's `malloc`, with whatever it held before. An [Arena] clears what it gives, which for a sound that is
/// written to it afterwards takes about as long as copying it.
///
/// It can't be used after its release, as that of an arena.
public enum UnclearedMemory implements SlabProvider {
    INSTANCE;

    private static final SymbolLookup LIBC = Linker.nativeLinker().defaultLookup();

    // void *malloc(size_t size)
    private static final MethodHandle MALLOC = C.function(LIBC, "malloc", C.POINTER, C.SIZE_T);
    // void free(void *ptr)
    private static final MethodHandle FREE = C.procedure(LIBC, "free", C.POINTER);

    @Override
    @SuppressWarnings("restricted")
    public Slab allocate(long byteSize) {
        MemorySegment memory = Call.toPointer(MALLOC, Math.addExact(byteSize, BufferPool.ALIGNMENT));
        if (memory.address() == 0) {
            throw new OutOfMemoryError(String.format("no native memory for %,d bytes", byteSize));
        }
        long begin = Math.ceilDiv(memory.address(), BufferPool.ALIGNMENT) * BufferPool.ALIGNMENT;
        Arena arena = Arena.ofShared();
        MemorySegment aligned =
                MemorySegment.ofAddress(begin).reinterpret(byteSize, arena, _ -> Call.run(FREE, memory));
        return new Slab(aligned, arena::close);
    }
}
