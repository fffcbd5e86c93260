package org.jspdl.archive;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.Map;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// One entry of a TAR archive: its name, what it is, and where its content lies.
///
/// Text is decoded when it is asked for. Valid as long as the archive's memory is.
public final class TarEntry {
    private final MemorySegment block;
    private final long at;
    private final TarEntryType type;
    private final long offset;
    private final long dataOffset;
    private final long byteSize;
    private final TarExtension extension;
    private @Nullable String name;

    TarEntry(
            MemorySegment block,
            long at,
            TarEntryType type,
            long offset,
            long dataOffset,
            long byteSize,
            TarExtension extension) {
        this.block = block;
        this.at = at;
        this.type = type;
        this.offset = offset;
        this.dataOffset = dataOffset;
        this.byteSize = byteSize;
        this.extension = extension;
    }

    /// The path in the archive, whatever its length and way of writing.
    public String name() {
        String known = name;
        if (known == null) {
            String given = extension.name();
            known = given != null ? given : TarHeader.name(block, at);
            name = known;
        }
        return known;
    }

    /// What it is.
    public TarEntryType type() {
        return type;
    }

    /// Whether it is a regular file.
    public boolean isFile() {
        return type == TarEntryType.FILE;
    }

    /// The bytes of its content; 0 for everything but files.
    public long byteSize() {
        return byteSize;
    }

    /// Where its first header begins: an archive can be read again from there.
    public long offset() {
        return offset;
    }

    /// Where its content begins in the archive.
    public long dataOffset() {
        return dataOffset;
    }

    /// What a link points to; empty for everything else.
    public String linkName() {
        String given = extension.linkName();
        return given != null ? given : TarHeader.linkName(block, at);
    }

    /// When it was last modified.
    ///
    /// @throws FormatException if the header holds no number there, or one that is no time
    public Instant modified() {
        Instant given = extension.modified();
        if (given != null) {
            return given;
        }
        long seconds = TarHeader.modified(block, at);
        if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
            throw FormatException.because(
                    "tar: " + name() + " was modified " + seconds + " seconds after 1970, which can't be");
        }
        return Instant.ofEpochSecond(seconds);
    }

    /// The permission bits.
    ///
    /// @throws org.jspdl.input.FormatException if the header holds no number there
    public int mode() {
        return (int) TarHeader.mode(block, at) & 0xFFF;
    }

    /// The PAX records of this entry and of the whole archive, such as `comment`; empty for most.
    public Map<String, String> records() {
        return extension.records();
    }

    @Override
    public String toString() {
        return "TarEntry[" + name() + ", " + byteSize + " bytes]";
    }
}
