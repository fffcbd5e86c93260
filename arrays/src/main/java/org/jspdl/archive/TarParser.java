package org.jspdl.archive;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// Reads headers until an entry is complete, extra headers of names and sizes included. Where bytes come from is a
/// subclass's business.
abstract class TarParser {
    /// Names and PAX records of more are refused.
    private static final long MOST_EXTENSION = 1 << 20;

    private final TarEnd end;
    private TarExtension global = TarExtension.NONE;
    private boolean ended;

    TarParser(TarEnd end) {
        this.end = end;
    }

    /// Where the block begins that [#block] gave last.
    abstract long blockOffset();

    /// The next block of 512 bytes, passed; null at the end of the data.
    ///
    /// @throws FormatException if the data ends within it
    abstract @Nullable MemorySegment block() throws IOException;

    /// The same behind the end marker, where less than a block is nothing.
    abstract @Nullable MemorySegment blockBehind() throws IOException;

    /// Where the block lies in the segment that [#block] gave.
    abstract long blockAt();

    /// The next `bytes` bytes, which are the content of an extra header, passed with what fills their last block.
    abstract MemorySegment extension(long bytes) throws IOException;

    /// Whether global PAX records have been seen, without which the rest can't be read on its own.
    boolean hasGlobalRecords() {
        return !global.records().isEmpty();
    }

    /// The next entry; null at the end of the archive. The content is still to be passed.
    @Nullable
    TarEntry parse() throws IOException {
        long offset = -1;
        TarExtension extension = global;
        while (!ended) {
            MemorySegment block = block();
            if (block == null) {
                end(offset);
                break;
            }
            long at = blockAt();
            int sum = TarHeader.sum(block, at);
            if (sum == 0) {
                if (offset >= 0) {
                    end(offset);
                }
                ended = true;
                requireNothingBehind();
                break;
            }
            if (offset < 0) {
                offset = blockOffset();
            }
            if (!TarHeader.isIntact(block, at, sum)) {
                throw damaged(offset);
            }
            int type = TarHeader.type(block, at);
            switch (type) {
                case 'L' -> extension = extension.withGnuName(extension(extensionBytes(block, at)));
                case 'K' -> extension = extension.withGnuLinkName(extension(extensionBytes(block, at)));
                case 'x', 'X' -> extension = extension.withRecords(extension(extensionBytes(block, at)));
                case 'g' -> {
                    global = global.withRecords(extension(extensionBytes(block, at)));
                    extension = extension.records().isEmpty() ? merged(extension) : extension;
                }
                case 'S' -> throw TarExtension.sparse();
                case 'D', 'M', 'V' ->
                    throw FormatException.at(
                            blockOffset(),
                            "TAR: the header is of kind '" + (char) type
                                    + "' (dumps and archives of several volumes), which is not supported");
                default -> {
                    return entry(block, at, type, offset, extension);
                }
            }
        }
        return null;
    }

    /// Archives that `cat` has joined have their entries on both sides of an end marker: those behind it would be
    /// lost. What is no header is passed, as everybody does.
    ///
    /// @throws FormatException if there is a header behind the end marker
    private void requireNothingBehind() throws IOException {
        for (MemorySegment block = blockBehind(); block != null; block = blockBehind()) {
            int sum = TarHeader.sum(block, blockAt());
            if (sum != 0 && TarHeader.isIntact(block, blockAt(), sum)) {
                throw FormatException.at(
                        blockOffset(),
                        "TAR: there are more entries behind the end marker, as in archives that were joined;"
                                + " join them with 'tar --concatenate', or read each by itself");
            }
        }
    }

    private TarExtension merged(TarExtension extension) {
        return new TarExtension(extension.gnuName(), extension.gnuLinkName(), global.records());
    }

    private TarEntry entry(MemorySegment block, long at, int type, long offset, TarExtension extension) {
        TarEntryType kind = kind(type, block, at, extension);
        long size = 0;
        if (kind == TarEntryType.FILE) {
            long given = extension == TarExtension.NONE ? -1 : extension.byteSize();
            size = given >= 0 ? given : TarHeader.size(block, at);
        }
        return new TarEntry(block, at, kind, offset, blockOffset() + TarHeader.BLOCK, size, extension);
    }

    private static TarEntryType kind(int type, MemorySegment block, long at, TarExtension extension) {
        return switch (type) {
            case '0' -> TarEntryType.FILE;
            case '5' -> TarEntryType.DIRECTORY;
            case '1' -> TarEntryType.HARD_LINK;
            case '2' -> TarEntryType.SYMBOLIC_LINK;
            case '3', '4', '6' -> TarEntryType.OTHER;
            case 0 -> { // old tar marks folders by their name only
                String given = extension.name();
                String name = given != null ? given : TarHeader.name(block, at);
                yield name.endsWith("/") ? TarEntryType.DIRECTORY : TarEntryType.FILE;
            }
            default -> TarEntryType.FILE; // as POSIX wants unknown kinds to be read
        };
    }

    private long extensionBytes(MemorySegment block, long at) {
        long bytes = TarHeader.size(block, at);
        if (bytes > MOST_EXTENSION) {
            throw FormatException.at(
                    blockOffset(),
                    String.format(
                            "TAR: the extra header takes %,d bytes; at most %,d are read", bytes, MOST_EXTENSION));
        }
        return bytes;
    }

    /// The data has ended without a marker, or within the headers of the entry at `offset`.
    private void end(long offset) {
        ended = true;
        if (offset >= 0) {
            throw FormatException.at(offset, "TAR: the archive is truncated: it ends between the headers of an entry");
        }
        if (end == TarEnd.REQUIRED) {
            throw FormatException.at(
                    blockOffset(),
                    "TAR: the archive has no end marker, so entries may be missing behind its end;"
                            + " read it with TarEnd.OPTIONAL if that is as it should be");
        }
    }

    private FormatException damaged(long offset) {
        return FormatException.at(
                blockOffset(),
                "TAR: the header is damaged: its checksum is wrong"
                        + (offset == 0 ? ", or this is no TAR archive" : ""));
    }

    /// The bytes that `size` bytes of content take, up to the next block.
    static long padded(long size) {
        long rest = size & (TarHeader.BLOCK - 1);
        return rest == 0 ? size : Math.addExact(size, TarHeader.BLOCK - rest);
    }
}
