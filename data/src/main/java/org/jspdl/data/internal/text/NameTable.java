package org.jspdl.data.internal.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.function.ObjLongConsumer;
import java.util.zip.CRC32C;
import org.jspdl.data.storage.FileNames;

/// Texts with a number each, found by their index, outside the heap. Immutable.
///
/// A text is stored without the bytes that it begins with as the one before it does, and its number as the difference
/// to the one before: sorted names of files take a third of their length. Groups of 16 begin anew, so that finding a
/// text decodes at most 16. Read by any thread. Nobody has to close a table: its memory is small for what it
/// describes, and is released when the table is garbage.
public final class NameTable {
    private static final int GROUP = 16;

    private final NativeChunks chunks;
    private final long[] groups;
    private final long size;
    private final int longest;
    private final long checksum;

    private NameTable(NativeChunks chunks, long[] groups, long size, int longest, long checksum) {
        this.chunks = chunks;
        this.groups = groups;
        this.size = size;
        this.longest = longest;
        this.checksum = checksum;
    }

    /// How many texts there are.
    public long size() {
        return size;
    }

    /// How many bytes of memory the table takes, on the heap and outside.
    public long byteSize() {
        return chunks.byteSize() + groups.length * 8L;
    }

    /// Text `index`.
    public String text(long index) {
        try {
            Reader reader = reader(index);
            return FileNames.text(reader.text, 0, reader.length);
        } finally {
            Reference.reachabilityFence(chunks);
        }
    }

    /// The number of text `index`.
    public int number(long index) {
        try {
            return reader(index).number;
        } finally {
            Reference.reachabilityFence(chunks);
        }
    }

    /// Tells `each` the numbers of all texts, in order.
    public void numbers(NumberConsumer each) {
        read((reader, index) -> each.accept(index, reader.number));
    }

    /// The CRC-32C of all texts, in order, each with a line feed behind it.
    public long checksum() {
        return checksum;
    }

    private void read(ObjLongConsumer<Reader> each) {
        try {
            Reader reader = new Reader(MemorySegment.NULL, 0, 0);
            for (long index = 0; index < size; index++) {
                if (index % GROUP == 0) {
                    long group = groups[(int) (index / GROUP)];
                    reader = new Reader(chunks.get((int) (group >>> 32)), (int) group, longest);
                }
                reader.next();
                each.accept(reader, index);
            }
        } finally {
            Reference.reachabilityFence(chunks);
        }
    }

    /// Takes the number of a text.
    @FunctionalInterface
    public interface NumberConsumer {
        /// Takes the number of text `index`.
        void accept(long index, int number);
    }

    private Reader reader(long index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("index " + index + " of " + size);
        }
        long group = groups[(int) (index / GROUP)];
        Reader reader = new Reader(chunks.get((int) (group >>> 32)), (int) group, longest);
        for (long skipped = index % GROUP; skipped >= 0; skipped--) {
            reader.next();
        }
        return reader;
    }

    private static final class Reader {
        private final MemorySegment chunk;
        private final byte[] text;
        private int at;
        private int length;
        private int number;

        Reader(MemorySegment chunk, int at, int longest) {
            this.chunk = chunk;
            this.at = at;
            this.text = new byte[longest];
        }

        void next() {
            int change = varint();
            number += (change >>> 1) ^ -(change & 1);
            int shared = varint();
            int own = varint();
            MemorySegment.copy(chunk, ValueLayout.JAVA_BYTE, at, text, shared, own);
            at += own;
            length = shared + own;
        }

        private int varint() {
            int value = 0;
            for (int shift = 0; ; shift += 7) {
                byte b = chunk.get(ValueLayout.JAVA_BYTE, at++);
                value |= (b & 0x7F) << shift;
                if (b >= 0) {
                    return value;
                }
            }
        }
    }

    /// Collects texts; used by one thread.
    public static final class Builder {
        private static final int FIRST_CHUNK = 1 << 12;
        private static final int LARGEST_CHUNK = 1 << 20;

        private final NativeChunks chunks = new NativeChunks();
        /// Of what is added as it is: to read a million texts for it again would hold up the first batch.
        private final CRC32C checksum = new CRC32C();
        private MemorySegment last = MemorySegment.NULL;
        private long[] groups = new long[16];
        private long size;
        private byte[] group = new byte[4096];
        private int used;
        private byte[] text = new byte[256];
        private byte[] before = new byte[256];
        private int lengthBefore;
        private int numberBefore;
        private int longest;
        private int chunkUsed;

        /// Adds a text with its number.
        public void add(String text, int number) {
            byte[] encoded = FileNames.bytes(text);
            System.arraycopy(encoded, 0, room(encoded.length), 0, encoded.length);
            add(encoded.length, number);
        }

        /// Adds `prefix` with name `index` of `names` behind it, with its number.
        public void add(byte[] prefix, NameSorter names, int index, int number) {
            int length = names.length(index);
            byte[] room = room(prefix.length + length);
            System.arraycopy(prefix, 0, room, 0, prefix.length);
            names.copy(index, room, prefix.length, length);
            add(prefix.length + length, number);
        }

        /// Memory for a text and a line feed.
        private byte[] room(int length) {
            text = length < text.length ? text : new byte[length * 2];
            return text;
        }

        private void add(int length, int number) {
            text[length] = '\n';
            checksum.update(text, 0, length + 1);
            if (size % GROUP == 0) {
                endGroup();
            }
            int differs = Arrays.mismatch(before, 0, lengthBefore, text, 0, length);
            int shared = differs < 0 ? length : differs;
            int change = number - numberBefore;
            varint((change << 1) ^ (change >> 31));
            varint(shared);
            varint(length - shared);
            append(text, shared, length - shared);
            byte[] free = before;
            before = text;
            lengthBefore = length;
            text = free;
            numberBefore = number;
            longest = Math.max(longest, length);
            size++;
        }

        /// How many texts were added.
        public long size() {
            return size;
        }

        private void endGroup() {
            if (used > 0) {
                if (last.byteSize() - chunkUsed < used) {
                    int next = Math.clamp(2 * last.byteSize(), FIRST_CHUNK, LARGEST_CHUNK);
                    last = chunks.add(Math.max(next, used));
                    chunkUsed = 0;
                }
                int slot = Math.toIntExact((size - 1) / GROUP);
                if (slot == groups.length) {
                    groups = Arrays.copyOf(groups, slot * 2);
                }
                groups[slot] = ((long) (chunks.count() - 1) << 32) | chunkUsed;
                MemorySegment.copy(group, 0, last, ValueLayout.JAVA_BYTE, chunkUsed, used);
                chunkUsed += used;
            }
            used = 0;
            lengthBefore = 0;
            numberBefore = 0;
        }

        private void varint(int value) {
            int rest = value;
            while ((rest & ~0x7F) != 0) {
                append((byte) (rest | 0x80));
                rest >>>= 7;
            }
            append((byte) rest);
        }

        private void append(byte value) {
            if (used == group.length) {
                group = Arrays.copyOf(group, used * 2);
            }
            group[used++] = value;
        }

        private void append(byte[] from, int offset, int length) {
            if (length > group.length - used) {
                group = Arrays.copyOf(group, Math.max(group.length * 2, used + length));
            }
            System.arraycopy(from, offset, group, used, length);
            used += length;
        }

        /// The table; nothing is added afterwards.
        public NameTable build() {
            endGroup();
            return new NameTable(
                    chunks, Arrays.copyOf(groups, (int) Math.ceilDiv(size, GROUP)), size, longest, checksum.getValue());
        }
    }
}
