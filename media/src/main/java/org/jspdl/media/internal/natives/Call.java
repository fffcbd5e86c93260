package org.jspdl.media.internal.natives;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Invokes downcall handles, one method for each signature that occurs more than once; others are invoked where they
/// are bound. A handle that is a constant at the caller is one here too once this is inlined.
public final class Call {
    private Call() {}

    public static int toInt(MethodHandle function) {
        try {
            return (int) function.invokeExact();
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static int toInt(MethodHandle function, MemorySegment a) {
        try {
            return (int) function.invokeExact(a);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static int toInt(MethodHandle function, MemorySegment a, int b) {
        try {
            return (int) function.invokeExact(a, b);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static int toInt(MethodHandle function, MemorySegment a, MemorySegment b) {
        try {
            return (int) function.invokeExact(a, b);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static int toInt(MethodHandle function, MemorySegment a, MemorySegment b, int c) {
        try {
            return (int) function.invokeExact(a, b, c);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static int toInt(MethodHandle function, MemorySegment a, MemorySegment b, MemorySegment c) {
        try {
            return (int) function.invokeExact(a, b, c);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static int toInt(MethodHandle function, MemorySegment a, MemorySegment b, MemorySegment c, int d) {
        try {
            return (int) function.invokeExact(a, b, c, d);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static int toInt(MethodHandle function, MemorySegment a, MemorySegment b, MemorySegment c, MemorySegment d) {
        try {
            return (int) function.invokeExact(a, b, c, d);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static MemorySegment toPointer(MethodHandle function) {
        try {
            return (MemorySegment) function.invokeExact();
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static MemorySegment toPointer(MethodHandle function, int a) {
        try {
            return (MemorySegment) function.invokeExact(a);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static MemorySegment toPointer(MethodHandle function, long a) {
        try {
            return (MemorySegment) function.invokeExact(a);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static MemorySegment toPointer(MethodHandle function, MemorySegment a) {
        try {
            return (MemorySegment) function.invokeExact(a);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static MemorySegment toPointer(MethodHandle function, MemorySegment a, MemorySegment b) {
        try {
            return (MemorySegment) function.invokeExact(a, b);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static void run(MethodHandle function, int a) {
        try {
            function.invokeExact(a);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static void run(MethodHandle function, MemorySegment a, int b) {
        try {
            function.invokeExact(a, b);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static void run(MethodHandle function, MemorySegment a) {
        try {
            function.invokeExact(a);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static void run(MethodHandle function, MemorySegment a, MemorySegment b) {
        try {
            function.invokeExact(a, b);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// `pointer`, unless it is NULL, which here only means that there was no memory.
    public static MemorySegment allocated(MemorySegment pointer, String function) {
        if (pointer.address() == 0) {
            throw new OutOfMemoryError(function + " returned NULL");
        }
        return pointer;
    }
}
