package org.jspdl.archive;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspdl.archive.internal.DeflateDecoder;
import org.jspdl.archive.internal.LittleEndian;
import org.jspdl.archive.internal.MappedFile;
import org.jspdl.input.FormatException;

/// A zip archive in memory: stored and deflated members, zip64, comments, and bytes before the archive.
///
/// Stored members are viewed where they lie; deflated ones are decompressed into memory that the caller gives. Safe for
/// any number of threads. An archive [#open]ed from a file is mapped until it is closed; one [#over] memory borrows it.
/// Where such a file becomes shorter, each method throws an [UncheckedIOException], and reading a view an
/// [InternalError].
public final class ZipArchive implements AutoCloseable {
    private static final int LOCAL_SIGNATURE = 0x04034b50;
    private static final int LOCAL_BYTES = 30;

    private final MappedFile bytes;
    private final SequencedMap<String, ZipMember> members;

    private ZipArchive(MappedFile bytes) {
        this.bytes = bytes;
        this.members = Collections.unmodifiableSequencedMap(bytes.read(() -> ZipDirectory.read(bytes.segment())));
    }

    /// The archive in `bytes`, which stay the caller's.
    ///
    /// @throws FormatException if it is no zip archive, or its directory is damaged
    public static ZipArchive over(MemorySegment bytes) {
        return new ZipArchive(MappedFile.borrowed(bytes));
    }

    /// Maps the archive at `path`.
    ///
    /// @throws FormatException as [#over] does; the message begins with the path
    /// @throws java.io.UncheckedIOException if it cannot be read
    public static ZipArchive open(Path path) {
        MappedFile bytes = MappedFile.map(path);
        try {
            return new ZipArchive(bytes);
        } catch (FormatException broken) {
            bytes.close();
            throw broken.withSource(path.toString());
        } catch (UncheckedIOException lost) {
            bytes.close();
            throw lost;
        }
    }

    /// The members by name, in the order of the directory. Of several with one name the last counts.
    public SequencedMap<String, ZipMember> members() {
        return members;
    }

    /// The member called `name`.
    public Optional<ZipMember> member(String name) {
        return Optional.ofNullable(members.get(name));
    }

    /// The content of a stored member where it lies. Its checksum is not verified; [#verify] does that.
    ///
    /// @throws IllegalArgumentException if the member is not stored
    /// @throws FormatException if the archive is damaged there
    public MemorySegment view(ZipMember member) {
        if (!member.isStored()) {
            throw new IllegalArgumentException("zip: " + member.name() + " is compressed; read it into memory");
        }
        return bytes.read(() -> stored(member));
    }

    /// Refuses a member that can't be read, whose size may be anything: call it before taking memory for the
    /// content.
    ///
    /// @throws FormatException if it is encrypted, or compressed by another method than deflate
    public static void requireReadable(ZipMember member) {
        if (member.encrypted()) {
            throw FormatException.because("zip: " + member.name() + " is encrypted, which is not supported");
        }
        if (member.method() != ZipMember.STORED && member.method() != ZipMember.DEFLATED) {
            throw FormatException.because("zip: " + member.name() + " is compressed by method " + member.method()
                    + "; stored (0) and deflated (8) are supported");
        }
    }

    /// Reads a member into the first [ZipMember#byteSize] bytes of `target` and checks its checksum.
    ///
    /// @throws FormatException if it is damaged, encrypted, or compressed by another method than deflate
    public void read(ZipMember member, MemorySegment target) {
        requireReadable(member);
        MemorySegment content = target.asSlice(0, member.byteSize());
        bytes.read(() -> member.isStored() ? content.copyFrom(stored(member)) : inflated(member, content));
        check(member, content);
    }

    private MemorySegment inflated(ZipMember member, MemorySegment content) {
        try {
            DeflateDecoder.inflate(stored(member), content);
            return content;
        } catch (FormatException broken) {
            throw broken.within("zip: " + member.name());
        }
    }

    /// Checks the checksum of a stored member.
    ///
    /// @throws FormatException if it does not fit
    public void verify(ZipMember member) {
        MemorySegment content = view(member);
        bytes.read(() -> {
            check(member, content);
            return content;
        });
    }

    private static void check(ZipMember member, MemorySegment content) {
        int crc = DeflateDecoder.crc32(content);
        if (crc != member.crc32()) {
            throw FormatException.because(String.format(
                    "zip: the content of %s is damaged: its CRC-32 is %08x instead of %08x",
                    member.name(), crc, member.crc32()));
        }
    }

    /// The bytes of a member as they lie in the archive.
    private MemorySegment stored(ZipMember member) {
        MemorySegment archive = bytes.segment();
        long header = member.headerOffset();
        if (header > archive.byteSize() - LOCAL_BYTES || LittleEndian.i32(archive, header) != LOCAL_SIGNATURE) {
            throw FormatException.at(header, "zip: the header of " + member.name() + " is missing");
        }
        long start =
                header + LOCAL_BYTES + LittleEndian.u16(archive, header + 26) + LittleEndian.u16(archive, header + 28);
        if (member.storedBytes() > archive.byteSize() - start) {
            throw FormatException.at(
                    start,
                    String.format(
                            "zip: %s takes %,d bytes, but the archive of %,d bytes ends before",
                            member.name(), member.storedBytes(), archive.byteSize()));
        }
        return archive.asSlice(start, member.storedBytes());
    }

    /// Unmaps what [#open] has mapped; views of it must not be used any more.
    @Override
    public void close() {
        bytes.close();
    }
}
