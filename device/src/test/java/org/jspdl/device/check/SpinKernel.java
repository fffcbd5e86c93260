package org.jspdl.device.check;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/// A kernel that keeps every multiprocessor busy for a given time: the computing that copies should overlap with.
///
/// Holds the primary context of the device, current on the thread that opened it, as a framework would.
@SuppressWarnings("restricted")
final class SpinKernel implements AutoCloseable {
    private static final String PTX = """
            .version 6.3
            .target sm_70
            .address_size 64
            .visible .entry spin(.param .u64 nanos)
            {
                .reg .pred %p;
                .reg .u64 %r<5>;
                ld.param.u64 %r1, [nanos];
                mov.u64 %r2, %globaltimer;
            again:
                mov.u64 %r3, %globaltimer;
                sub.u64 %r4, %r3, %r2;
                setp.lt.u64 %p, %r4, %r1;
                @%p bra again;
                ret;
            }
            """;

    private final Arena arena = Arena.ofConfined();
    private final SymbolLookup library;
    private final MethodHandle launch;
    private final int device;
    private final int blocks;
    private final long function;

    SpinKernel(SymbolLookup library, int index, int blocks) {
        this.library = library;
        this.blocks = blocks;
        MemorySegment out = arena.allocate(JAVA_LONG);
        check("cuDeviceGet", call("cuDeviceGet", out, index));
        device = out.get(JAVA_INT, 0);
        check("cuDevicePrimaryCtxRetain", call("cuDevicePrimaryCtxRetain", out, device));
        check("cuCtxSetCurrent", call("cuCtxSetCurrent", out.get(JAVA_LONG, 0)));
        check("cuModuleLoadData", call("cuModuleLoadData", out, arena.allocateFrom(PTX)));
        check(
                "cuModuleGetFunction",
                call("cuModuleGetFunction", out, out.get(JAVA_LONG, 0), arena.allocateFrom("spin")));
        function = out.get(JAVA_LONG, 0);
        // CUresult cuLaunchKernel(CUfunction f, unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY,
        //     blockDimZ, sharedMemBytes, CUstream hStream, void **kernelParams, void **extra)
        launch = Linker.nativeLinker()
                .downcallHandle(
                        library.find("cuLaunchKernel").orElseThrow(),
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
                                JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS));
    }

    /// Queues the kernel in `stream` and returns.
    void launch(long stream, long nanos) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment value = scratch.allocateFrom(JAVA_LONG, nanos);
            MemorySegment parameters = scratch.allocateFrom(ADDRESS, value);
            check("cuLaunchKernel", (int)
                    launch.invokeExact(function, blocks, 1, 1, 128, 1, 1, 0, stream, parameters, MemorySegment.NULL));
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }

    private int call(String name, Object... arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            layouts[i] =
                    arguments[i] instanceof Integer ? JAVA_INT : arguments[i] instanceof Long ? JAVA_LONG : ADDRESS;
        }
        try {
            return (int) Linker.nativeLinker()
                    .downcallHandle(library.find(name).orElseThrow(), FunctionDescriptor.of(JAVA_INT, layouts))
                    .invokeWithArguments(arguments);
        } catch (Throwable failure) {
            throw new IllegalStateException(name, failure);
        }
    }

    private static void check(String name, int result) {
        if (result != 0) {
            throw new IllegalStateException(name + " returned " + result);
        }
    }

    @Override
    public void close() {
        check("cuCtxSetCurrent", call("cuCtxSetCurrent", 0L));
        check("cuDevicePrimaryCtxRelease_v2", call("cuDevicePrimaryCtxRelease_v2", device));
        arena.close();
    }
}
