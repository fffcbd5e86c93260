package org.jspdl.archive.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// The functions of libdeflate that we call. A decompressor is used by one thread at a time.
///
/// The library decompresses whole buffers only, at about twice the speed of zlib. It is optional.
final class LibDeflate {
    static final int SUCCESS = 0;

    private static final MemoryLayout POINTER = ValueLayout.ADDRESS;
    // size_t, on machines of 64 bits
    private static final MemoryLayout SIZE_T = ValueLayout.JAVA_LONG;

    /// The library, or null where there is none.
    static final @Nullable LibDeflate INSTANCE = find();

    // struct libdeflate_decompressor *libdeflate_alloc_decompressor(void)
    private final MethodHandle allocate;
    // void libdeflate_free_decompressor(struct libdeflate_decompressor *decompressor)
    private final MethodHandle free;
    // enum libdeflate_result libdeflate_deflate_decompress(struct libdeflate_decompressor *decompressor, const void
    //     *in, size_t in_nbytes, void *out, size_t out_nbytes_avail, size_t *actual_out_nbytes_ret)
    private final MethodHandle decompress;

    private LibDeflate(SymbolLookup library) {
        allocate = bind(library, "libdeflate_alloc_decompressor", FunctionDescriptor.of(POINTER));
        free = bind(library, "libdeflate_free_decompressor", FunctionDescriptor.ofVoid(POINTER));
        decompress = bind(
                library,
                "libdeflate_deflate_decompress",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, POINTER, POINTER, SIZE_T, POINTER, SIZE_T, POINTER));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bind(SymbolLookup library, String name, FunctionDescriptor type) {
        MemorySegment function =
                library.find(name).orElseThrow(() -> new UnsatisfiedLinkError("libdeflate has no function " + name));
        return Linker.nativeLinker().downcallHandle(function, type);
    }

    @SuppressWarnings("restricted")
    private static @Nullable LibDeflate find() {
        for (String name : new String[] {"libdeflate.so.0", "libdeflate.so", "libdeflate.dylib"}) {
            try {
                return new LibDeflate(SymbolLookup.libraryLookup(name, Arena.global()));
            } catch (IllegalArgumentException | UnsatisfiedLinkError | IllegalCallerException absent) {
                // the next name may be there; without any, the JDK inflates
            }
        }
        return null;
    }

    /// A new decompressor; NULL if there is no memory.
    MemorySegment allocate() {
        try {
            return (MemorySegment) allocate.invokeExact();
        } catch (Throwable failure) {
            throw unexpected(failure);
        }
    }

    /// Frees a decompressor.
    void free(MemorySegment decompressor) {
        try {
            free.invokeExact(decompressor);
        } catch (Throwable failure) {
            throw unexpected(failure);
        }
    }

    /// Fills `to` exactly with what `from` holds; [#SUCCESS] or what went wrong. Both are native memory.
    int decompress(MemorySegment decompressor, MemorySegment from, MemorySegment to) {
        try {
            return (int)
                    decompress.invokeExact(decompressor, from, from.byteSize(), to, to.byteSize(), MemorySegment.NULL);
        } catch (Throwable failure) {
            throw unexpected(failure);
        }
    }

    /// A downcall handle throws nothing that is checked.
    private static RuntimeException unexpected(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }
}
