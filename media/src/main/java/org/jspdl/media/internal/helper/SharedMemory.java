package org.jspdl.media.internal.helper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// Memory that two processes share: a file that both map. It has no name on Linux, and elsewhere lies in the temporary
/// folder.
///
/// Only pages that were written take memory; [#trim] frees them. Used by one thread at a time.
final class SharedMemory implements AutoCloseable {
    private static final long GROWTH = 16L << 20;

    private final Path path;
    private final int descriptor;
    private final boolean temporary;
    private final FileChannel channel;
    private Arena arena = Arena.ofShared();
    /// Of smaller mappings that are still in use.
    private final List<Arena> outgrown = new ArrayList<>();
    private MemorySegment memory = MemorySegment.NULL;

    private SharedMemory(Path path, int descriptor, boolean temporary) throws IOException {
        this.path = path;
        this.descriptor = descriptor;
        this.temporary = temporary;
        this.channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /// New memory, which another process opens by its [#path].
    static SharedMemory create() throws IOException {
        int descriptor = Kernel.createMemoryFile("jspdl-helper");
        if (descriptor < 0) {
            return new SharedMemory(Files.createTempFile("jspdl-helper-", ".shared"), -1, true);
        }
        Path path = Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "fd", Integer.toString(descriptor));
        try {
            return new SharedMemory(path, descriptor, false);
        } catch (IOException | RuntimeException failure) {
            Kernel.close(descriptor);
            throw failure;
        }
    }

    /// The memory that another process made.
    static SharedMemory open(Path path) throws IOException {
        return new SharedMemory(path, -1, false);
    }

    /// Where another process finds it.
    Path path() {
        return path;
    }

    /// The memory, of at least `byteSize` bytes; what was given before is no longer valid if it was smaller.
    ///
    /// @throws UncheckedIOException if it cannot be mapped
    MemorySegment atLeast(long byteSize) {
        closeOutgrown();
        if (memory.byteSize() < byteSize) {
            unmap();
            map(byteSize);
        }
        return memory;
    }

    /// The same, but what was given since the last call of [#atLeast] stays valid until the next one.
    MemorySegment grow(long byteSize) {
        if (memory.byteSize() < byteSize) {
            outgrown.add(arena);
            map(byteSize);
        }
        return memory;
    }

    private void map(long byteSize) {
        long rounded = Math.ceilDiv(byteSize, GROWTH) * GROWTH;
        arena = Arena.ofShared();
        try {
            memory = channel.map(MapMode.READ_WRITE, 0, rounded, arena);
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "cannot map " + rounded + " bytes that are shared with a helper process", failure);
        }
    }

    /// Frees the pages behind the first `kept` bytes; the other process must not be using them.
    void trim(long kept) {
        if (memory.byteSize() > kept) {
            unmap();
            try {
                channel.truncate(kept);
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot free memory shared with a helper process", failure);
            }
        }
    }

    private void closeOutgrown() {
        outgrown.forEach(Arena::close);
        outgrown.clear();
    }

    private void unmap() {
        closeOutgrown();
        memory = MemorySegment.NULL;
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    @Override
    public void close() {
        unmap();
        try {
            channel.close();
            if (temporary) {
                Files.deleteIfExists(path);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot close memory shared with a helper process", failure);
        } finally {
            if (descriptor >= 0) {
                Kernel.close(descriptor);
            }
        }
    }
}
