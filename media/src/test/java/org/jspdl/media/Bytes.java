package org.jspdl.media;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;

/// Files of the test resources, and other bytes, as segments.
public final class Bytes {
    private Bytes() {}

    /// A test resource in memory of the heap.
    public static MemorySegment resource(String name) {
        try (InputStream in = Objects.requireNonNull(Bytes.class.getResourceAsStream("/" + name), name)) {
            return MemorySegment.ofArray(in.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// The bytes of a segment.
    public static byte[] of(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    /// A segment without its last `count` bytes.
    public static MemorySegment without(MemorySegment segment, long count) {
        return segment.asSlice(0, segment.byteSize() - count);
    }

    /// A copy with the byte at `at` inverted.
    public static MemorySegment damaged(MemorySegment segment, long at) {
        byte[] copy = of(segment);
        copy[(int) at] ^= (byte) 0xFF;
        return MemorySegment.ofArray(copy);
    }

    /// `count` bytes that depend on `seed` and hardly repeat.
    public static MemorySegment random(int count, long seed) {
        byte[] bytes = new byte[count];
        new java.util.SplittableRandom(seed).nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    /// All segments, one behind the other.
    public static MemorySegment joined(MemorySegment... parts) {
        MemorySegment all = MemorySegment.ofArray(
                new byte
                        [(int) Arrays.stream(parts)
                                .mapToLong(MemorySegment::byteSize)
                                .sum()]);
        long at = 0;
        for (MemorySegment part : parts) {
            MemorySegment.copy(part, 0, all, at, part.byteSize());
            at += part.byteSize();
        }
        return all;
    }
}
