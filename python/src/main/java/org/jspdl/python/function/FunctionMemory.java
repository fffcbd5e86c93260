package org.jspdl.python.function;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspdl.memory.SlabProvider;
import org.jspdl.python.ring.FileMemory;

/// Memory that this process and its helpers have mapped: a file without a name. What is freed goes back to the system;
/// its place in the file is used again for pieces of the same size. Thread-safe. It lasts as long as the process.
final class FunctionMemory implements SlabProvider {
    /// Of address space; memory is used where it is written to.
    static final long BYTES = 1L << 36;

    private static final long PAGE = 1 << 12;
    private static final int CLOSE_ON_EXEC = 1;

    private final MemorySegment memory;
    private final String file;
    private final Map<Long, Deque<Long>> free = new HashMap<>();
    private long end;

    private FunctionMemory(MemorySegment memory, String file) {
        this.memory = memory;
        this.file = file;
    }

    /// @throws IOException if the system has no such memory, or no room for it
    static FunctionMemory create() throws IOException {
        int descriptor = unnamedFile();
        if (descriptor < 0) {
            throw new IOException(
                    "map(order=) needs memory that processes share, which the system refused (memfd_create)");
        }
        try (FileChannel channel = FileChannel.open(
                Path.of("/proc/self/fd/" + descriptor), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new FunctionMemory(
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, Arena.global()),
                    "/proc/" + ProcessHandle.current().pid() + "/fd/" + descriptor);
        } catch (IOException refused) {
            throw new IOException(
                    "map(order=) needs " + (BYTES >> 30) + " GiB of address space, which is limited here (ulimit -v): "
                            + refused.getMessage(),
                    refused);
        }
    }

    @SuppressWarnings("restricted")
    private static int unnamedFile() {
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            return (int) linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("memfd_create"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT))
                    .invokeExact(arena.allocateFrom("jspdl-functions"), CLOSE_ON_EXEC);
        } catch (Throwable impossible) { // the function throws nothing, and was found
            throw new AssertionError(impossible);
        }
    }

    /// Where helpers find it.
    String file() {
        return file;
    }

    @Override
    public synchronized Slab allocate(long byteSize) {
        long size = (byteSize + PAGE - 1) & -PAGE;
        Deque<Long> unused = free.get(size);
        long begin;
        if (unused != null && !unused.isEmpty()) {
            begin = unused.pop();
        } else if (size <= BYTES - end) {
            begin = end;
            end += size;
        } else {
            throw new OutOfMemoryError("samples of functions take more than the " + (BYTES >> 30)
                    + " GiB of address space that there are for them");
        }
        return new Slab(memory.asSlice(begin, byteSize), () -> release(begin, size), true);
    }

    private void release(long begin, long size) {
        boolean _ = FileMemory.giveBack(memory.asSlice(begin, size));
        synchronized (this) {
            free.computeIfAbsent(size, _ -> new ArrayDeque<>()).push(begin);
        }
    }

    /// Where `bytes` begin in the file; negative if they lie elsewhere.
    long offsetOf(MemorySegment bytes) {
        long offset = bytes.isNative() ? bytes.address() - memory.address() : -1;
        return offset >= 0 && offset + bytes.byteSize() <= BYTES ? offset : -1;
    }

    /// The memory at `offset`.
    MemorySegment at(long offset, long byteSize) {
        return memory.asSlice(offset, byteSize);
    }
}
