package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.zip.CRC32C;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.memory.SegmentBuffers;
import org.jspdl.source.Position;

/// A sample as it will stand in a tar archive: headers, contents and padding; or as the fields of a row, one behind the
/// other. Owns its bytes.
///
/// @param key      what it is called
/// @param bytes    the part of the archive, or the contents of the fields
/// @param files    what it consists of in a tar file; places count from its own beginning
/// @param fields   what it consists of as a row
/// @param checksum of names and contents
/// @param after    where the input goes on behind it
record PackedSample(
        String key, Lease bytes, List<TarIndex.Component> files, List<PackedField> fields, int checksum, Position after)
        implements AutoCloseable {
    private static final int BLOCK = 512;

    /// The sample as `key`; it stays the caller's.
    static PackedSample of(ShardSample sample, String key, Position after, BufferPool pool) throws IOException {
        Map<String, MemorySegment> fields = PackedFields.of(sample);
        List<TarIndex.Component> files = new ArrayList<>(fields.size());
        CRC32C checksum = new CRC32C();
        TarWriter counting = TarWriter.over(new Counting());
        for (Map.Entry<String, MemorySegment> field : fields.entrySet()) {
            String name = key + "." + field.getKey();
            MemorySegment content = field.getValue();
            counting.add(name, content);
            files.add(new TarIndex.Component(
                    field.getKey(), counting.position() - padded(content.byteSize()), content.byteSize(), name));
            update(checksum, name, content);
        }
        Lease bytes = pool.lease(counting.position());
        try {
            TarWriter writer = TarWriter.over(new Filling(bytes.segment()));
            for (Map.Entry<String, MemorySegment> field : fields.entrySet()) {
                writer.add(key + "." + field.getKey(), field.getValue());
            }
            return new PackedSample(key, bytes, List.copyOf(files), List.of(), (int) checksum.getValue(), after);
        } catch (Throwable failure) {
            bytes.close();
            throw failure;
        }
    }

    /// The sample as a row; it stays the caller's.
    static PackedSample row(ShardSample sample, Position after, BufferPool pool) throws IOException {
        SortedMap<String, PackedFields.Value> values = PackedFields.row(sample);
        List<PackedField> fields = new ArrayList<>(values.size());
        CRC32C checksum = new CRC32C();
        long end = 0;
        for (Map.Entry<String, PackedFields.Value> each : values.entrySet()) {
            MemorySegment bytes = each.getValue().bytes();
            fields.add(new PackedField(each.getKey(), each.getValue().type(), end, bytes.byteSize()));
            update(checksum, each.getKey(), bytes);
            end += bytes.byteSize();
        }
        Lease lease = pool.lease(Math.max(1, end));
        long at = 0;
        for (PackedFields.Value each : values.values()) {
            MemorySegment.copy(
                    each.bytes(), 0, lease.segment(), at, each.bytes().byteSize());
            at += each.bytes().byteSize();
        }
        return new PackedSample("", lease, List.of(), fields, (int) checksum.getValue(), after);
    }

    /// Adds a file to the checksum of a sample.
    static void update(CRC32C checksum, String name, MemorySegment content) {
        checksum.update(name.getBytes(StandardCharsets.UTF_8));
        SegmentBuffers.update(checksum, content);
    }

    private static long padded(long size) {
        return (size + BLOCK - 1) / BLOCK * BLOCK;
    }

    @Override
    public void close() {
        bytes.close();
    }

    /// Takes bytes and forgets them.
    private static class Counting implements WritableByteChannel {
        @Override
        public int write(ByteBuffer source) {
            int n = source.remaining();
            source.position(source.limit());
            return n;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    /// Puts bytes one behind the other.
    private static final class Filling extends Counting {
        private final MemorySegment target;
        private long at;

        Filling(MemorySegment target) {
            this.target = target;
        }

        @Override
        public int write(ByteBuffer source) {
            MemorySegment given = MemorySegment.ofBuffer(source);
            MemorySegment.copy(given, 0, target, at, given.byteSize());
            at += given.byteSize();
            return super.write(source);
        }
    }
}
