package org.jspdl.data.cache;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.jspdl.memory.SegmentBuffers;

/// One entry in its file: a magic number, the lengths of its key, its version and its bytes, the CRC-32C of version and
/// bytes, then the key, the version and the bytes. Big-endian.
final class Entry {
    private static final long MAGIC = 0x4A5350444C433032L; // "JSPDLC02"
    private static final int FIXED = 8 + 4 + 4 + 8 + 4;
    private static final int LONGEST_VERSION = 1 << 16;
    /// Longer keys are read by those alone who know them.
    private static final int LONGEST_KEY = 1 << 16;

    private Entry() {}

    /// What stands before the bytes.
    ///
    /// @param version  of the object; empty if it is not known
    /// @param length   bytes of the entry
    /// @param checksum CRC-32C of version and bytes
    /// @param start    where the bytes begin in the file
    record Head(byte[] key, byte[] version, long length, int checksum, long start) {}

    static long fileSize(String key, String version, long bytes) {
        return FIXED
                + key.getBytes(StandardCharsets.UTF_8).length
                + version.getBytes(StandardCharsets.UTF_8).length
                + bytes;
    }

    static void write(FileChannel file, String key, String version, MemorySegment bytes) throws IOException {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        byte[] told = version.getBytes(StandardCharsets.UTF_8);
        ByteBuffer head = ByteBuffer.allocate(FIXED + name.length + told.length)
                .putLong(MAGIC)
                .putInt(name.length)
                .putInt(told.length)
                .putLong(bytes.byteSize())
                .putInt(checksum(told, bytes))
                .put(name)
                .put(told)
                .flip();
        while (head.hasRemaining()) {
            file.write(head);
        }
        SegmentBuffers.write(file, bytes);
    }

    /// Reads the entry into the memory that `room` gives for its length, once that is known to be the length of the
    /// file; empty if the file is damaged, holds another key, `room` gives none, or `wanted` does not take the
    /// version that the entry is of, which it is asked about last.
    static Optional<MemorySegment> read(
            FileChannel file, String key, Predicate<String> wanted, LongFunction<Optional<MemorySegment>> room)
            throws IOException {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        ByteBuffer head = ByteBuffer.allocate(FIXED + name.length);
        long rest = file.size() - head.capacity();
        if (rest < 0) {
            return Optional.empty();
        }
        readFully(file, head);
        head.flip();
        boolean right = head.getLong() == MAGIC && head.getInt() == name.length;
        int versionBytes = head.getInt();
        long length = head.getLong();
        int checksum = head.getInt();
        right &= versionBytes >= 0 && versionBytes <= LONGEST_VERSION && length >= 0 && length == rest - versionBytes;
        if (!right || head.compareTo(ByteBuffer.wrap(name)) != 0) {
            return Optional.empty();
        }
        byte[] version = new byte[versionBytes];
        readFully(file, ByteBuffer.wrap(version));
        Optional<MemorySegment> target = room.apply(length);
        if (target.isPresent()) {
            SegmentBuffers.readFully(file, file.position(), target.get());
        }
        return target.filter(bytes ->
                checksum(version, bytes) == checksum && wanted.test(new String(version, StandardCharsets.UTF_8)));
    }

    /// Reads what stands before the bytes of an entry of any key; empty if the file is damaged.
    static Optional<Head> head(FileChannel file) throws IOException {
        long size = file.size();
        if (size < FIXED) {
            return Optional.empty();
        }
        ByteBuffer fixed = ByteBuffer.allocate(FIXED);
        readFully(file, fixed);
        fixed.flip();
        long magic = fixed.getLong();
        int key = fixed.getInt();
        int version = fixed.getInt();
        long length = fixed.getLong();
        int checksum = fixed.getInt();
        if (magic != MAGIC || key < 0 || key > LONGEST_KEY || version < 0 || version > LONGEST_VERSION) {
            return Optional.empty();
        }
        long start = FIXED + (long) key + version;
        if (length < 0 || length != size - start) {
            return Optional.empty();
        }
        byte[] name = new byte[key];
        byte[] told = new byte[version];
        readFully(file, ByteBuffer.wrap(name));
        readFully(file, ByteBuffer.wrap(told));
        return Optional.of(new Head(name, told, length, checksum, start));
    }

    private static void readFully(FileChannel file, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (file.read(buffer) < 0) {
                throw new EOFException("the entry is shorter than its file was");
            }
        }
    }

    /// CRC-32C of both.
    static int checksum(byte[] version, MemorySegment bytes) {
        CRC32C crc = new CRC32C();
        crc.update(version, 0, version.length);
        SegmentBuffers.update(crc, bytes);
        return (int) crc.getValue();
    }
}
