package org.jspdl.archive.internal;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// LittleEndian-endian numbers at any address. Callers check bounds first, to say what is truncated; memory is safe
/// anyway.
public final class LittleEndian {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private LittleEndian() {}

    /// The byte at `at`, 0 to 255.
    public static int u8(MemorySegment bytes, long at) {
        return bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    /// Two bytes, 0 to 65,535.
    public static int u16(MemorySegment bytes, long at) {
        return bytes.get(SHORT, at) & 0xFFFF;
    }

    /// Four bytes as they are.
    public static int i32(MemorySegment bytes, long at) {
        return bytes.get(INT, at);
    }

    /// Four bytes, 0 to 4,294,967,295.
    public static long u32(MemorySegment bytes, long at) {
        return bytes.get(INT, at) & 0xFFFF_FFFFL;
    }

    /// Eight bytes as they are.
    public static long i64(MemorySegment bytes, long at) {
        return bytes.get(LONG, at);
    }

    /// Writes two bytes.
    public static void put16(MemorySegment bytes, long at, int value) {
        bytes.set(SHORT, at, (short) value);
    }

    /// Writes four bytes.
    public static void put32(MemorySegment bytes, long at, int value) {
        bytes.set(INT, at, value);
    }

    /// Writes eight bytes.
    public static void put64(MemorySegment bytes, long at, long value) {
        bytes.set(LONG, at, value);
    }

    /// Four characters as [#i32] reads them.
    public static int tag(String four) {
        return four.charAt(0) | four.charAt(1) << 8 | four.charAt(2) << 16 | four.charAt(3) << 24;
    }
}
