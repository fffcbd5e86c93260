package org.jspdl.media.internal.helper;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.media.internal.natives.C;
import org.jspecify.annotations.Nullable;

/// What Java has no way to ask of the system. Where a function is missing, nothing happens.
final class Kernel {
    /// MFD_CLOEXEC
    private static final int CLOSE_ON_EXEC = 1;
    /// RLIMIT_CORE of Linux
    private static final int CORE_FILES = 4;
    /// Helpers die before the program that they work for when memory runs out.
    private static final String FIRST_TO_DIE = "900";
    /// PROT_READ, and with PROT_WRITE
    private static final int READ_ONLY = 1;

    private static final int READ_WRITE = 3;
    /// MADV_REMOVE of Linux
    private static final int REMOVE = 9;

    private Kernel() {}

    /// Bound once.
    private static final class Functions {
        // int memfd_create(const char *name, unsigned int flags)
        static final @Nullable MethodHandle CREATE = find("memfd_create", C.POINTER, C.INT);
        // int close(int fd)
        static final @Nullable MethodHandle CLOSE = find("close", C.INT);
        // int clock_gettime(clockid_t clock, struct timespec *time)
        static final @Nullable MethodHandle CLOCK = find("clock_gettime", C.INT, C.POINTER);
        // int mprotect(void *addr, size_t len, int prot)
        static final @Nullable MethodHandle PROTECT = find("mprotect", C.POINTER, C.SIZE_T, C.INT);
        // int madvise(void *addr, size_t length, int advice)
        static final @Nullable MethodHandle ADVISE = find("madvise", C.POINTER, C.SIZE_T, C.INT);

        private Functions() {}
    }

    @SuppressWarnings("restricted")
    private static @Nullable MethodHandle find(String name, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> symbol = linker.defaultLookup().find(name);
        return symbol.map(at -> linker.downcallHandle(at, FunctionDescriptor.of(C.INT, arguments)))
                .orElse(null);
    }

    private static int call(@Nullable MethodHandle function, @Nullable Object... arguments) {
        if (function == null) {
            return -1;
        }
        try {
            return (int) function.invokeWithArguments(arguments);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// The descriptor of a new file in memory; negative if there is none here.
    static int createMemoryFile(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return call(Functions.CREATE, arena.allocateFrom(name), CLOSE_ON_EXEC);
        }
    }

    static void close(int descriptor) {
        call(Functions.CLOSE, descriptor);
    }

    /// Makes mapped memory read-only, or writable again; whether that succeeded.
    static boolean protect(MemorySegment mapped, boolean readOnly) {
        return call(Functions.PROTECT, mapped, mapped.byteSize(), readOnly ? READ_ONLY : READ_WRITE) == 0;
    }

    /// Frees the memory of a file in memory that is mapped, whoever else has mapped it.
    static void freePages(MemorySegment mapped) {
        call(Functions.ADVISE, mapped, mapped.byteSize(), REMOVE);
    }

    /// The processor time that process `pid` has used, in nanoseconds; negative if the system does not say.
    ///
    /// @param time 16 bytes to write to
    static long processorNanos(long pid, MemorySegment time) {
        MethodHandle clock = Functions.CLOCK;
        if (clock == null) {
            return -1;
        }
        try {
            // the clock of all threads of a process, as Linux numbers it
            int status = (int) clock.invokeExact((int) ((~pid << 3) | 2), time);
            return status != 0
                    ? -1
                    : time.get(ValueLayout.JAVA_LONG, 0) * 1_000_000_000 + time.get(ValueLayout.JAVA_LONG, 8);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Sees to it that this process leaves no core file behind, and is the first to go when memory runs out.
    static void becomeExpendable() {
        // int setrlimit(int resource, const struct rlimit *limits)
        MethodHandle limit = find("setrlimit", C.INT, C.POINTER);
        try (Arena arena = Arena.ofConfined()) {
            call(limit, CORE_FILES, arena.allocate(ValueLayout.JAVA_LONG, 2));
        }
        try {
            Files.writeString(Path.of("/proc/self/oom_score_adj"), FIRST_TO_DIE);
        } catch (IOException | SecurityException notLinux) {
            // The helper dies in its turn.
        }
    }
}
