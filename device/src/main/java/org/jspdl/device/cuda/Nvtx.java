package org.jspdl.device.cuda;

import static org.jspdl.device.cuda.Calls.WORD;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The functions of NVTX, NVIDIA's library for marking timelines, that we call.
final class Nvtx {
    private final MethodHandle push;
    private final MethodHandle pop;

    private Nvtx(SymbolLookup library) {
        // int nvtxRangePushA(const char *message)
        push = Calls.function(library, "nvtxRangePushA", WORD);
        // int nvtxRangePop(void)
        pop = Calls.function(library, "nvtxRangePop");
    }

    /// The machine's library; null where there is none.
    @SuppressWarnings("restricted")
    static @Nullable Nvtx installed() {
        for (String name : new String[] {"libnvToolsExt.so.1", "libnvtx3interop.so", "libnvtx3interop.so.1"}) {
            try {
                return new Nvtx(SymbolLookup.libraryLookup(name, Arena.global()));
            } catch (IllegalArgumentException | UnsatisfiedLinkError absent) {
                // the next name may be there; without any, nothing is marked
            }
        }
        return null;
    }

    /// The library at `file`.
    @SuppressWarnings("restricted")
    static Nvtx of(Path file) {
        return new Nvtx(SymbolLookup.libraryLookup(file, Arena.global()));
    }

    /// Begins a range on this thread. Returns its depth, which is negative if nobody listens.
    int push(MemorySegment name) {
        return Calls.call(push, name.address());
    }

    /// Ends the last range of this thread.
    int pop() {
        return Calls.call(pop);
    }
}
