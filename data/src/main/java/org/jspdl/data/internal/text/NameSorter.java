package org.jspdl.data.internal.text;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspdl.data.storage.FileNames;

/// Names outside the heap that are sorted by their bytes, which is the order of [TextOrder] where these are UTF-8: a
/// stack, of which the topmost are sorted, read, and taken off again. Used by one thread at a time, closed by its
/// owner.
public final class NameSorter implements AutoCloseable {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong PLACE = ValueLayout.JAVA_LONG;
    /// A name ends with at least one zero byte, and may be read in words of 8 bytes.
    private static final int PADDING = 8;

    private final Growing text = new Growing(1 << 16);
    private final Growing places = new Growing(1 << 13);
    private final Growing merged = new Growing(1 << 13);
    private long textBytes;
    private int count;

    /// Memory that grows by being copied.
    private static final class Growing implements AutoCloseable {
        private Arena arena = Arena.ofShared(); // filled by one thread, and read by another
        private MemorySegment segment;

        Growing(long bytes) {
            segment = arena.allocate(bytes, 8);
        }

        MemorySegment of(long bytes) {
            if (bytes > segment.byteSize()) {
                Arena larger = Arena.ofShared();
                MemorySegment moved = larger.allocate(Math.max(bytes, segment.byteSize() * 3 / 2), 8);
                moved.copyFrom(segment);
                arena.close();
                arena = larger;
                segment = moved;
            }
            return segment;
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /// How many names there are.
    public int count() {
        return count;
    }

    /// Adds a name on top.
    ///
    /// @throws IllegalArgumentException if it has a character 0
    public void add(String name) {
        if (name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a name cannot have a character 0: " + name.replace('\0', '?'));
        }
        byte[] encoded = FileNames.bytes(name);
        long end = textBytes + encoded.length;
        MemorySegment target = text.of(end + PADDING);
        MemorySegment.copy(encoded, 0, target, ValueLayout.JAVA_BYTE, textBytes, encoded.length);
        target.asSlice(end, PADDING).fill((byte) 0);
        places.of((count + 1L) * 8).setAtIndex(PLACE, count, textBytes);
        count++;
        textBytes = end + PADDING;
    }

    /// Name `index`, from the bottom.
    public String name(int index) {
        byte[] encoded = new byte[length(index)];
        copy(index, encoded, 0, encoded.length);
        return FileNames.text(encoded, 0, encoded.length);
    }

    /// How many bytes name `index` has.
    int length(int index) {
        long at = places.segment.getAtIndex(PLACE, index);
        long end = at;
        for (long zeros = 0; zeros == 0; end += 8) {
            long word = text.segment.get(WORD, end);
            zeros = (word - 0x0101_0101_0101_0101L) & ~word & 0x8080_8080_8080_8080L;
        }
        end -= 8;
        while (text.segment.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
        }
        return (int) (end - at);
    }

    /// Copies the bytes of name `index`, `length` in number.
    void copy(int index, byte[] target, int offset, int length) {
        long at = places.segment.getAtIndex(PLACE, index);
        MemorySegment.copy(text.segment, ValueLayout.JAVA_BYTE, at, target, offset, length);
    }

    /// Whether the bytes of name `index` end so.
    public boolean endsWith(int index, byte[] ending) {
        int length = length(index);
        if (length < ending.length) {
            return false;
        }
        long at = places.segment.getAtIndex(PLACE, index) + length - ending.length;
        for (int i = 0; i < ending.length; i++) {
            if (text.segment.get(ValueLayout.JAVA_BYTE, at + i) != ending[i]) {
                return false;
            }
        }
        return true;
    }

    /// Sorts the names from `from` to the top, where those below were added before.
    public void sort(int from) {
        int size = count - from;
        MemorySegment source = places.segment.asSlice(from * 8L, size * 8L);
        MemorySegment target = merged.of(size * 8L).asSlice(0, size * 8L);
        for (long width = 1; width < size; width *= 2) {
            for (long begin = 0; begin < size; begin += 2 * width) {
                merge(source, target, begin, Math.min(size, begin + width), Math.min(size, begin + 2 * width));
            }
            MemorySegment sorted = target;
            target = source;
            source = sorted;
        }
        if (source.address() != places.segment.address() + from * 8L) {
            target.copyFrom(source);
        }
    }

    private void merge(MemorySegment source, MemorySegment target, long begin, long middle, long end) {
        long left = begin;
        long right = middle;
        if (middle == end || compare(source.getAtIndex(PLACE, middle - 1), source.getAtIndex(PLACE, middle)) <= 0) {
            MemorySegment.copy(source, begin * 8, target, begin * 8, (end - begin) * 8);
            return;
        }
        for (long to = begin; to < end; to++) {
            boolean takesLeft = left < middle
                    && (right == end || compare(source.getAtIndex(PLACE, left), source.getAtIndex(PLACE, right)) <= 0);
            target.setAtIndex(PLACE, to, source.getAtIndex(PLACE, takesLeft ? left++ : right++));
        }
    }

    private int compare(long one, long other) {
        MemorySegment bytes = text.segment;
        for (long i = 0; ; i += 8) {
            long a = bytes.get(WORD, one + i);
            long b = bytes.get(WORD, other + i);
            if (a != b) {
                return Long.compareUnsigned(a, b);
            }
            if ((a & 0xFF) == 0) {
                return 0; // the padding of both
            }
        }
    }

    /// What is there now, for [#release].
    public Mark mark() {
        return new Mark(count, textBytes);
    }

    /// Takes everything off that was added after `mark`; its space is used again.
    public void release(Mark mark) {
        count = mark.count;
        textBytes = mark.textBytes;
    }

    /// Takes everything off.
    public void clear() {
        release(new Mark(0, 0));
    }

    /// A height of the stack.
    public record Mark(int count, long textBytes) {}

    @Override
    public void close() {
        try (text;
                places;
                merged) {
            count = 0;
        }
    }
}
