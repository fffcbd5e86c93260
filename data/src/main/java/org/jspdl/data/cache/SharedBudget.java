package org.jspdl.data.cache;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// How many bytes a cache folder holds, counted by all processes together in a mapped file. Thread-safe.
///
/// Bytes are reserved before they are written. A process that dies in between leaves its reservation behind, so the
/// count is never too small; the next process that is alone counts again.
final class SharedBudget implements AutoCloseable {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final Arena arena = Arena.ofShared();
    private final MemorySegment count;
    private final long budgetBytes;

    private SharedBudget(FileChannel file, long budgetBytes) throws IOException {
        this.count = file.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES, arena);
        this.budgetBytes = budgetBytes;
    }

    static SharedBudget open(Path file, long budgetBytes) throws IOException {
        try (FileChannel channel =
                CacheFolder.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.size() < Long.BYTES) {
                // a full disk is found out here: writing to memory that no block of it is behind would
                // end the process
                for (ByteBuffer none = ByteBuffer.allocate(Long.BYTES); none.hasRemaining(); ) {
                    channel.write(none, none.position());
                }
            }
            return new SharedBudget(channel, budgetBytes);
        }
    }

    /// Takes `bytes` of the budget, if they are left.
    boolean reserve(long bytes) {
        long before = (long) LONG.getAndAdd(count, 0L, bytes);
        if (before + bytes <= budgetBytes) {
            return true;
        }
        release(bytes);
        return false;
    }

    void release(long bytes) {
        LONG.getAndAdd(count, 0L, -bytes);
    }

    /// Corrects the count. Only while no other process uses the folder.
    void set(long bytes) {
        LONG.setVolatile(count, 0L, bytes);
    }

    long used() {
        return (long) LONG.getVolatile(count, 0L);
    }

    long budgetBytes() {
        return budgetBytes;
    }

    @Override
    public void close() {
        arena.close();
    }
}
