package org.jspdl.archive;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspdl.archive.internal.DeflateDecoder;
import org.jspdl.archive.internal.LittleEndian;
import org.jspdl.input.FormatException;

/// The directory at the end of a zip archive.
///
/// Everything is checked against the archive's size; nothing is allocated by a number that the archive claims.
final class ZipDirectory {
    static final int END_SIGNATURE = 0x06054b50;
    static final int END_BYTES = 22;
    static final int LOCATOR_SIGNATURE = 0x07064b50;
    static final int LOCATOR_BYTES = 20;
    static final int END64_SIGNATURE = 0x06064b50;
    static final int END64_BYTES = 56;
    static final int MEMBER_SIGNATURE = 0x02014b50;
    static final int MEMBER_BYTES = 46;
    /// Of an extra field: sizes and offset of 64 bits.
    static final int ZIP64_FIELD = 1;

    private static final int MOST_COMMENT = 0xFFFF;
    private static final long SATURATED = 0xFFFF_FFFFL;
    private static final int ENCRYPTED = 1;
    private static final int UTF8 = 1 << 11;
    private static final Charset CODE_PAGE_437 =
            Charset.isSupported("IBM437") ? Charset.forName("IBM437") : StandardCharsets.ISO_8859_1;

    private final MemorySegment archive;
    private final long start;
    private final long end;
    private final long entries;
    /// How far the archive is moved: the bytes before it.
    private final long shift;

    private ZipDirectory(MemorySegment archive, long directoryEnd, long size, long offset, long entries) {
        this.archive = archive;
        this.end = directoryEnd;
        this.start = directoryEnd - size;
        this.shift = start - offset;
        this.entries = entries;
        if (size < 0 || start < 0 || offset < 0 || shift < 0) {
            throw FormatException.at(
                    offset,
                    String.format(
                            "zip: the directory of %,d bytes does not fit before its end at byte %,d",
                            size, directoryEnd));
        }
    }

    /// All members, by name.
    static SequencedMap<String, ZipMember> read(MemorySegment archive) {
        return find(archive).members();
    }

    private static ZipDirectory find(MemorySegment archive) {
        long size = archive.byteSize();
        long first = Math.max(0, size - END_BYTES - MOST_COMMENT);
        for (long at = size - END_BYTES; at >= first; at--) {
            if (LittleEndian.i32(archive, at) == END_SIGNATURE
                    && LittleEndian.u16(archive, at + 20) <= size - at - END_BYTES) {
                return at(archive, at);
            }
        }
        throw FormatException.because(String.format(
                "zip: there is no end of a directory in the last %,d bytes: no zip archive, or a truncated one",
                size - first));
    }

    private static ZipDirectory at(MemorySegment archive, long end) {
        long locator = end - LOCATOR_BYTES;
        if (locator >= 0 && LittleEndian.i32(archive, locator) == LOCATOR_SIGNATURE) {
            // Bytes before the archive move it, so it is looked for where it must lie, then where the
            // locator says.
            for (long end64 : new long[] {locator - END64_BYTES, LittleEndian.i64(archive, locator + 8)}) {
                if (end64 >= 0
                        && end64 <= locator - END64_BYTES
                        && LittleEndian.i32(archive, end64) == END64_SIGNATURE) {
                    return new ZipDirectory(
                            archive,
                            end64,
                            LittleEndian.i64(archive, end64 + 40),
                            LittleEndian.i64(archive, end64 + 48),
                            LittleEndian.i64(archive, end64 + 32));
                }
            }
            throw FormatException.at(locator, "zip: the zip64 end of the directory is missing before its locator");
        }
        return new ZipDirectory(
                archive,
                end,
                LittleEndian.u32(archive, end + 12),
                LittleEndian.u32(archive, end + 16),
                LittleEndian.u16(archive, end + 10));
    }

    private SequencedMap<String, ZipMember> members() {
        SequencedMap<String, ZipMember> members = new LinkedHashMap<>();
        long at = start;
        long read = 0;
        while (at < end) {
            if (end - at < MEMBER_BYTES || LittleEndian.i32(archive, at) != MEMBER_SIGNATURE) {
                throw FormatException.at(at, "zip: the directory is damaged");
            }
            int nameBytes = LittleEndian.u16(archive, at + 28);
            int extraBytes = LittleEndian.u16(archive, at + 30);
            long next = at + MEMBER_BYTES + nameBytes + extraBytes + LittleEndian.u16(archive, at + 32);
            if (next > end) {
                throw FormatException.at(at, "zip: the directory ends within a member");
            }
            ZipMember member = member(at, nameBytes, at + MEMBER_BYTES + nameBytes, extraBytes);
            members.putLast(member.name(), member);
            at = next;
            read++;
        }
        if (read != entries) {
            throw FormatException.because(
                    String.format("zip: the directory has %,d members but should have %,d", read, entries));
        }
        return members;
    }

    private ZipMember member(long at, int nameBytes, long extra, int extraBytes) {
        int flags = LittleEndian.u16(archive, at + 8);
        byte[] characters = archive.asSlice(at + MEMBER_BYTES, nameBytes).toArray(ValueLayout.JAVA_BYTE);
        String name = new String(characters, (flags & UTF8) != 0 ? StandardCharsets.UTF_8 : CODE_PAGE_437);
        int method = LittleEndian.u16(archive, at + 10);
        long stored = LittleEndian.u32(archive, at + 20);
        long size = LittleEndian.u32(archive, at + 24);
        long offset = LittleEndian.u32(archive, at + 42);
        if (size == SATURATED || stored == SATURATED || offset == SATURATED) {
            long field = zip64(extra, extraBytes);
            long left = field < 0 ? 0 : LittleEndian.u16(archive, field + 2);
            long value = field + 4;
            // Only what is saturated is in the field, in this order.
            for (int i = 0; i < 3; i++) {
                boolean saturated = (i == 0 ? size : i == 1 ? stored : offset) == SATURATED;
                if (saturated && left >= 8) {
                    long wide = LittleEndian.i64(archive, value);
                    size = i == 0 ? wide : size;
                    stored = i == 1 ? wide : stored;
                    offset = i == 2 ? wide : offset;
                    value += 8;
                    left -= 8;
                }
            }
        }
        boolean lies = size < 0
                || stored < 0
                || stored > archive.byteSize()
                || offset < 0
                || offset > archive.byteSize()
                || (method == ZipMember.STORED && size != stored && (flags & ENCRYPTED) == 0)
                || (method == ZipMember.DEFLATED && size / DeflateDecoder.MOST_EXPANSION > stored);
        if (lies) {
            throw FormatException.at(
                    offset,
                    String.format("zip: %s claims %,d bytes stored as %,d, which can't be", name, size, stored));
        }
        return new ZipMember(
                name,
                method,
                (flags & ENCRYPTED) != 0,
                LittleEndian.i32(archive, at + 16),
                stored,
                size,
                offset + shift);
    }

    /// Where the zip64 field of an extra field begins; -1 if there is none.
    private long zip64(long extra, int extraBytes) {
        long end = extra + extraBytes;
        for (long at = extra; at + 4 <= end; at += 4 + LittleEndian.u16(archive, at + 2)) {
            if (LittleEndian.u16(archive, at) == ZIP64_FIELD && at + 4 + LittleEndian.u16(archive, at + 2) <= end) {
                return at;
            }
        }
        return -1;
    }
}
