package org.jspdl.device.cuda;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Functions of a C library that return an `int`, called with Java's `int` and `long`.
///
/// Pointers, handles, sizes and device addresses all travel as `long`: each has 64 bits wherever there is a driver, and
/// none of them allocates.
final class Calls {
    static final MemoryLayout INT = ValueLayout.JAVA_INT;
    /// A pointer, handle, `size_t`, `CUdeviceptr` or `CUcontext`.
    static final MemoryLayout WORD = ValueLayout.JAVA_LONG;

    private static final Linker LINKER = Linker.nativeLinker();

    private Calls() {}

    /// A handle on `int name(arguments)`.
    ///
    /// @throws UnsatisfiedLinkError if the library has no such function
    @SuppressWarnings("restricted")
    static MethodHandle function(SymbolLookup library, String name, MemoryLayout... arguments) {
        MemorySegment address =
                library.find(name).orElseThrow(() -> new UnsatisfiedLinkError("the library has no function " + name));
        return LINKER.downcallHandle(address, FunctionDescriptor.of(INT, arguments));
    }

    static int call(MethodHandle function) {
        try {
            return (int) function.invokeExact();
        } catch (Throwable failure) {
            throw thrown(failure);
        }
    }

    static int call(MethodHandle function, int a) {
        try {
            return (int) function.invokeExact(a);
        } catch (Throwable failure) {
            throw thrown(failure);
        }
    }

    static int call(MethodHandle function, long a) {
        try {
            return (int) function.invokeExact(a);
        } catch (Throwable failure) {
            throw thrown(failure);
        }
    }

    static int call(MethodHandle function, int a, long b) {
        try {
            return (int) function.invokeExact(a, b);
        } catch (Throwable failure) {
            throw thrown(failure);
        }
    }

    static int call(MethodHandle function, long a, int b) {
        try {
            return (int) function.invokeExact(a, b);
        } catch (Throwable failure) {
            throw thrown(failure);
        }
    }

    static int call(MethodHandle function, long a, long b) {
        try {
            return (int) function.invokeExact(a, b);
        } catch (Throwable failure) {
            throw thrown(failure);
        }
    }

    static int call(MethodHandle function, long a, int b, int c) {
        try {
            return (int) function.invokeExact(a, b, c);
        } catch (Throwable failure) {
            throw thrown(failure);
        }
    }

    static int call(MethodHandle function, long a, long b, int c) {
        try {
            return (int) function.invokeExact(a, b, c);
        } catch (Throwable failure) {
            throw thrown(failure);
        }
    }

    static int call(MethodHandle function, long a, int b, long c) {
        try {
            return (int) function.invokeExact(a, b, c);
        } catch (Throwable failure) {
            throw thrown(failure);
        }
    }

    static int call(MethodHandle function, long a, long b, long c, long d) {
        try {
            return (int) function.invokeExact(a, b, c, d);
        } catch (Throwable failure) {
            throw thrown(failure);
        }
    }

    private static RuntimeException thrown(Throwable failure) {
        if (failure instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a native call threw a checked exception", failure);
    }
}
