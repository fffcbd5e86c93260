package org.jspdl.data.cache;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.zip.CRC32C;
import org.jspdl.memory.SegmentBuffers;

/// One entry in its file: a magic number, the length of its key, the length and the CRC-32C of its bytes, then the key
/// and the bytes. Big-endian.
final class Entry {
    private static final long MAGIC = 0x4A5350444C433031L; // "JSPDLC01"
    private static final int FIXED = 8 + 4 + 8 + 4;

    private Entry() {}

    static long fileSize(String key, long bytes) {
        return FIXED + key.getBytes(StandardCharsets.UTF_8).length + bytes;
    }

    static void write(FileChannel file, String key, MemorySegment bytes) throws IOException {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        ByteBuffer head = ByteBuffer.allocate(FIXED + name.length)
                .putLong(MAGIC)
                .putInt(name.length)
                .putLong(bytes.byteSize())
                .putInt(checksum(bytes))
                .put(name)
                .flip();
        while (head.hasRemaining()) {
            file.write(head);
        }
        SegmentBuffers.write(file, bytes);
    }

    /// Reads the entry into the memory that `room` gives for its length, once that is known to be the length of the
    /// file; empty if the file is damaged, holds another key, or `room` gives none.
    static Optional<MemorySegment> read(FileChannel file, String key, LongFunction<Optional<MemorySegment>> room)
            throws IOException {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        ByteBuffer head = ByteBuffer.allocate(FIXED + name.length);
        long length = file.size() - head.capacity();
        if (length < 0) {
            return Optional.empty();
        }
        readFully(file, head);
        head.flip();
        boolean right = head.getLong() == MAGIC && head.getInt() == name.length && head.getLong() == length;
        int checksum = head.getInt();
        if (!right || head.compareTo(ByteBuffer.wrap(name)) != 0) {
            return Optional.empty();
        }
        Optional<MemorySegment> target = room.apply(length);
        if (target.isPresent()) {
            SegmentBuffers.readFully(file, file.position(), target.get());
        }
        return target.filter(bytes -> checksum(bytes) == checksum);
    }

    private static void readFully(FileChannel file, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (file.read(buffer) < 0) {
                throw new EOFException("the entry is shorter than its file was");
            }
        }
    }

    private static int checksum(MemorySegment bytes) {
        CRC32C crc = new CRC32C();
        SegmentBuffers.update(crc, bytes);
        return (int) crc.getValue();
    }
}
