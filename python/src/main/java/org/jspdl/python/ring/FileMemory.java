package org.jspdl.python.ring;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Pages of a file in memory that several processes have mapped.
public final class FileMemory {
    /// `MADV_REMOVE` of Linux: a hole in the file, in place of the pages.
    private static final int REMOVE = 9;

    private FileMemory() {}

    private static final class Madvise {
        @SuppressWarnings("restricted")
        private static final MethodHandle FUNCTION = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("madvise"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT));
    }

    /// Gives `pages` back to the system, for all who have the file mapped: what is read there next is 0. What a
    /// process has changed in a private mapping stays its own.
    ///
    /// @param pages whole pages of a shared mapping of the file, that nobody uses meanwhile
    /// @return whether the system did it; the file system may not be able to
    public static boolean giveBack(MemorySegment pages) {
        try {
            return (int) Madvise.FUNCTION.invokeExact(pages, pages.byteSize(), REMOVE) == 0;
        } catch (Throwable impossible) { // the function throws nothing, and was found
            throw new AssertionError(impossible);
        }
    }
}
