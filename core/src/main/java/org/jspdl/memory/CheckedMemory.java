package org.jspdl.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Checks on the use of memory, switched on for a whole process by `-Djspdl.memory.checked=true`: for tests, and to
/// look for a mistake.
///
/// Memory of undefined content is then filled with a pattern, another one each time, when it is handed out and again
/// when it comes back: a byte that nobody wrote shows. The segment of a lease from a pool ends with the lease: use
/// after closing throws, rather than reads what belongs to somebody else by then. Each lease costs two passes over its
/// memory and a handshake with every thread.
public final class CheckedMemory {
    private static final boolean ON = Boolean.getBoolean("jspdl.memory.checked");
    /// Makes patterns of numbers that follow each other differ in most bits.
    private static final int SPREAD = 0x9E3779B1;

    private CheckedMemory() {}

    /// Whether memory is checked in this process.
    public static boolean isOn() {
        return ON;
    }

    /// Fills memory that has no content with the pattern number `turn`; no two that follow each other are the same.
    public static void fill(MemorySegment memory, int turn) {
        memory.fill((byte) ((turn * SPREAD) >>> 24));
    }

    /// The same memory for as long as `life` lives.
    @SuppressWarnings("restricted") // makes access narrower, not wider
    static MemorySegment within(Arena life, MemorySegment memory) {
        return memory.reinterpret(life, null);
    }
}
