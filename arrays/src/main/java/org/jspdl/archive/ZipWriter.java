package org.jspdl.archive;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspdl.archive.internal.LittleEndian;
import org.jspdl.memory.SegmentBuffers;

/// Writes a zip archive to a file, one member after the other; zip64 where sizes or counts ask for it.
///
/// Used by one thread at a time. The archive is complete when the writer is closed. Members have the same date always,
/// so that equal content makes equal archives.
public final class ZipWriter implements AutoCloseable {
    /// How a member's content is put into the archive.
    public enum Method {
        /// As it is: can be viewed without a copy.
        STORED,
        /// Compressed, at zlib's usual level.
        DEFLATED
    }

    private static final long SATURATED = 0xFFFF_FFFFL;
    /// A member of more is written with sizes of 64 bits, compressed or not.
    private static final long ZIP64_FROM = 0xF000_0000L;
    private static final int DATE_1980 = 0x21;
    private static final int UTF8 = 1 << 11;
    private static final int CHUNK = 1 << 16;

    private final FileChannel channel;
    private final List<ZipMember> members = new ArrayList<>();
    private final Set<String> names = new LinkedHashSet<>();
    private final long zip64From;
    private boolean closed;

    private ZipWriter(FileChannel channel, long zip64From) {
        this.channel = channel;
        this.zip64From = zip64From;
    }

    /// Begins an archive at `path`, replacing what is there.
    public static ZipWriter create(Path path) throws IOException {
        return create(path, ZIP64_FROM);
    }

    /// The same, with 64-bit sizes from fewer bytes on.
    static ZipWriter create(Path path, long zip64From) throws IOException {
        return new ZipWriter(
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.READ,
                        StandardOpenOption.TRUNCATE_EXISTING),
                zip64From);
    }

    /// Writes a member whose content is `content`, one behind the other.
    ///
    /// @throws IllegalArgumentException if there is one of this name already, or the name is too long
    public void add(String name, Method method, MemorySegment... content) throws IOException {
        byte[] characters = name.getBytes(StandardCharsets.UTF_8);
        if (characters.length > 0xFFFF) {
            throw new IllegalArgumentException("the name of a member takes at most 65,535 bytes");
        }
        if (!names.add(name)) {
            throw new IllegalArgumentException("the archive has a member called " + name + " already");
        }
        long header = channel.position();
        CRC32 crc = new CRC32();
        long size = 0;
        for (MemorySegment part : content) {
            size += part.byteSize();
            SegmentBuffers.update(crc, part);
        }
        int code = method == Method.STORED ? ZipMember.STORED : ZipMember.DEFLATED;
        boolean wide = size >= zip64From;
        // The compressed size is known only afterwards: the header is written again.
        SegmentBuffers.write(channel, local(characters, code, (int) crc.getValue(), size, size, wide));
        long start = channel.position();
        for (MemorySegment part : method == Method.STORED ? content : new MemorySegment[0]) {
            SegmentBuffers.write(channel, part);
        }
        if (method == Method.DEFLATED) {
            deflate(content);
        }
        long end = channel.position();
        ZipMember member = new ZipMember(name, code, false, (int) crc.getValue(), end - start, size, header);
        if (method == Method.DEFLATED) {
            channel.position(header);
            SegmentBuffers.write(channel, local(characters, code, member.crc32(), member.storedBytes(), size, wide));
            channel.position(end);
        }
        members.add(member);
    }

    private void deflate(MemorySegment... parts) throws IOException {
        ByteBuffer out = ByteBuffer.allocateDirect(CHUNK);
        try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
            for (MemorySegment part : parts) {
                for (ByteBuffer input : SegmentBuffers.of(part)) {
                    deflater.setInput(input);
                    while (!deflater.needsInput()) {
                        drain(deflater, out);
                    }
                }
            }
            deflater.finish();
            while (!deflater.finished()) {
                drain(deflater, out);
            }
        }
    }

    private void drain(Deflater deflater, ByteBuffer out) throws IOException {
        out.clear();
        deflater.deflate(out);
        out.flip();
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    private static MemorySegment local(byte[] name, int method, int crc, long stored, long size, boolean wide) {
        MemorySegment header = MemorySegment.ofArray(new byte[30 + name.length + (wide ? 20 : 0)]);
        LittleEndian.put32(header, 0, 0x04034b50);
        LittleEndian.put16(header, 4, wide ? 45 : 20);
        LittleEndian.put16(header, 6, UTF8);
        LittleEndian.put16(header, 8, method);
        LittleEndian.put16(header, 12, DATE_1980);
        LittleEndian.put32(header, 14, crc);
        LittleEndian.put32(header, 18, wide ? -1 : (int) stored);
        LittleEndian.put32(header, 22, wide ? -1 : (int) size);
        LittleEndian.put16(header, 26, name.length);
        LittleEndian.put16(header, 28, wide ? 20 : 0);
        MemorySegment.copy(MemorySegment.ofArray(name), 0, header, 30, name.length);
        if (wide) {
            long field = 30L + name.length;
            LittleEndian.put16(header, field, ZipDirectory.ZIP64_FIELD);
            LittleEndian.put16(header, field + 2, 16);
            LittleEndian.put64(header, field + 4, size);
            LittleEndian.put64(header, field + 12, stored);
        }
        return header;
    }

    private MemorySegment central(ZipMember member) {
        byte[] name = member.name().getBytes(StandardCharsets.UTF_8);
        boolean wide = member.byteSize() >= zip64From || member.headerOffset() >= zip64From;
        MemorySegment entry =
                MemorySegment.ofArray(new byte[ZipDirectory.MEMBER_BYTES + name.length + (wide ? 28 : 0)]);
        LittleEndian.put32(entry, 0, ZipDirectory.MEMBER_SIGNATURE);
        LittleEndian.put16(entry, 4, wide ? 45 : 20);
        LittleEndian.put16(entry, 6, wide ? 45 : 20);
        LittleEndian.put16(entry, 8, UTF8);
        LittleEndian.put16(entry, 10, member.method());
        LittleEndian.put16(entry, 14, DATE_1980);
        LittleEndian.put32(entry, 16, member.crc32());
        LittleEndian.put32(entry, 20, wide ? -1 : (int) member.storedBytes());
        LittleEndian.put32(entry, 24, wide ? -1 : (int) member.byteSize());
        LittleEndian.put16(entry, 28, name.length);
        LittleEndian.put16(entry, 30, wide ? 28 : 0);
        LittleEndian.put32(entry, 42, wide ? -1 : (int) member.headerOffset());
        MemorySegment.copy(MemorySegment.ofArray(name), 0, entry, ZipDirectory.MEMBER_BYTES, name.length);
        if (wide) {
            long field = ZipDirectory.MEMBER_BYTES + (long) name.length;
            LittleEndian.put16(entry, field, ZipDirectory.ZIP64_FIELD);
            LittleEndian.put16(entry, field + 2, 24);
            LittleEndian.put64(entry, field + 4, member.byteSize());
            LittleEndian.put64(entry, field + 12, member.storedBytes());
            LittleEndian.put64(entry, field + 20, member.headerOffset());
        }
        return entry;
    }

    private MemorySegment end(long start, long end) {
        boolean wide = members.size() >= 0xFFFF || end >= Math.min(zip64From, SATURATED);
        int first = wide ? ZipDirectory.END64_BYTES + ZipDirectory.LOCATOR_BYTES : 0;
        MemorySegment record = MemorySegment.ofArray(new byte[first + ZipDirectory.END_BYTES]);
        if (wide) {
            LittleEndian.put32(record, 0, ZipDirectory.END64_SIGNATURE);
            LittleEndian.put64(record, 4, ZipDirectory.END64_BYTES - 12);
            LittleEndian.put16(record, 12, 45);
            LittleEndian.put16(record, 14, 45);
            LittleEndian.put64(record, 24, members.size());
            LittleEndian.put64(record, 32, members.size());
            LittleEndian.put64(record, 40, end - start);
            LittleEndian.put64(record, 48, start);
            LittleEndian.put32(record, ZipDirectory.END64_BYTES, ZipDirectory.LOCATOR_SIGNATURE);
            LittleEndian.put64(record, ZipDirectory.END64_BYTES + 8, end);
            LittleEndian.put32(record, ZipDirectory.END64_BYTES + 16, 1);
        }
        LittleEndian.put32(record, first, ZipDirectory.END_SIGNATURE);
        LittleEndian.put16(record, first + 8, wide ? -1 : members.size());
        LittleEndian.put16(record, first + 10, wide ? -1 : members.size());
        LittleEndian.put32(record, first + 12, wide ? -1 : (int) (end - start));
        LittleEndian.put32(record, first + 16, wide ? -1 : (int) start);
        return record;
    }

    /// Writes the directory and closes the file; closing again is harmless.
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (channel) {
            long start = channel.position();
            for (ZipMember member : members) {
                SegmentBuffers.write(channel, central(member));
            }
            SegmentBuffers.write(channel, end(start, channel.position()));
        }
    }
}
