package org.jspdl.media.image;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Memory for an image between bytes that nobody may write.
final class GuardedRow {
    private static final byte GUARD = 0x3C;
    private static final int GUARD_BYTES = 64;

    private final MemorySegment memory;
    private final long bytes;

    GuardedRow(long bytes, Arena arena) {
        this.bytes = bytes;
        memory = arena.allocate(bytes + 2 * GUARD_BYTES);
        memory.fill(GUARD);
    }

    /// The row.
    MemorySegment segment() {
        return memory.asSlice(GUARD_BYTES, bytes);
    }

    /// @throws AssertionError if a byte beside the row was written
    void check() {
        for (int i = 0; i < GUARD_BYTES; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, i) != GUARD
                    || memory.get(ValueLayout.JAVA_BYTE, GUARD_BYTES + bytes + i) != GUARD) {
                throw new AssertionError("a byte outside of the row was written");
            }
        }
    }
}
