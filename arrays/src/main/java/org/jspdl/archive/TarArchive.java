package org.jspdl.archive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspdl.archive.internal.MappedFile;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// A TAR archive in memory: old tar, ustar, GNU and PAX, whose files are viewed where they lie.
///
/// Every header's checksum is verified; damaged, truncated and joined archives, sparse files and several volumes are
/// [FormatException]s. Iterating reads headers only. Safe for any number of threads, an iterator for one. An archive
/// [#open]ed from a file is mapped until it is closed; one [#over] memory borrows it. [TarStream] reads what is not in
/// memory. Where such a file becomes shorter, iterating throws an [UncheckedIOException], and reading a view an
/// [InternalError].
public final class TarArchive implements Iterable<TarEntry>, AutoCloseable {
    private final MappedFile bytes;
    private final TarEnd end;

    private TarArchive(MappedFile bytes, TarEnd end) {
        this.bytes = bytes;
        this.end = end;
    }

    /// The archive in `bytes`, which stay the caller's.
    public static TarArchive over(MemorySegment bytes) {
        return over(bytes, TarEnd.REQUIRED);
    }

    /// The archive in `bytes`, which stay the caller's and may lack the end marker if `end` says so.
    public static TarArchive over(MemorySegment bytes, TarEnd end) {
        return new TarArchive(MappedFile.borrowed(bytes), end);
    }

    /// Maps the archive at `path`.
    ///
    /// @throws UncheckedIOException if it cannot be read
    public static TarArchive open(Path path) {
        return new TarArchive(MappedFile.map(path), TarEnd.REQUIRED);
    }

    /// The entries, in order.
    @Override
    public Iterator<TarEntry> iterator() {
        return from(0);
    }

    /// The entries from the one on whose [TarEntry#offset] is `offset`. Global PAX records before it are not seen.
    public Iterator<TarEntry> from(long offset) {
        if (offset < 0 || offset > bytes.segment().byteSize()) {
            throw new IndexOutOfBoundsException(
                    "byte " + offset + " of an archive of " + bytes.segment().byteSize());
        }
        return new Entries(bytes, offset, end);
    }

    /// The content of an entry of this archive, where it lies; read-only.
    public MemorySegment data(TarEntry entry) {
        return bytes.segment().asSlice(entry.dataOffset(), entry.byteSize());
    }

    /// Unmaps what [#open] has mapped; entries and views of it must not be used any more.
    @Override
    public void close() {
        bytes.close();
    }

    private static final class Entries extends TarParser implements Iterator<TarEntry> {
        private final MappedFile bytes;
        private final MemorySegment archive;
        private long at;
        private long next;
        private @Nullable TarEntry entry;

        Entries(MappedFile bytes, long offset, TarEnd end) {
            super(end);
            this.bytes = bytes;
            this.archive = bytes.segment();
            this.at = offset;
            this.next = offset;
        }

        @Override
        long blockOffset() {
            return at;
        }

        @Override
        long blockAt() {
            return at;
        }

        @Override
        @Nullable
        MemorySegment block() {
            at = next;
            long left = archive.byteSize() - at;
            if (left < TarHeader.BLOCK) {
                if (left == 0) {
                    return null;
                }
                throw truncated("within", at, TarHeader.BLOCK, left);
            }
            next = at + TarHeader.BLOCK;
            return archive;
        }

        @Override
        @Nullable
        MemorySegment blockBehind() {
            return archive.byteSize() - next < TarHeader.BLOCK ? null : block();
        }

        @Override
        MemorySegment extension(long bytes) {
            MemorySegment content = archive.asSlice(next, pass(bytes));
            return content.asSlice(0, bytes);
        }

        /// Moves behind content that must be there; its bytes with what fills the last block, if that is there.
        private long pass(long bytes) {
            long left = archive.byteSize() - next;
            if (left < bytes) {
                throw truncated("within the content behind", at, bytes, left);
            }
            long passed = Math.min(left, padded(bytes));
            next += passed;
            return passed;
        }

        @Override
        public boolean hasNext() {
            if (entry == null) {
                try {
                    entry = bytes.read(() -> Optional.ofNullable(passed())).orElse(null);
                } catch (IOException impossible) {
                    throw new UncheckedIOException(impossible);
                }
            }
            return entry != null;
        }

        private @Nullable TarEntry passed() throws IOException {
            TarEntry found = parse();
            if (found != null) {
                pass(found.byteSize());
            }
            return found;
        }

        @Override
        public TarEntry next() {
            if (!hasNext() || entry == null) {
                throw new NoSuchElementException();
            }
            TarEntry found = entry;
            entry = null;
            return found;
        }
    }

    static FormatException truncated(String place, long header, long needed, long left) {
        return FormatException.at(
                header,
                String.format(
                        "TAR: the archive is truncated: it ends %s the header, %,d of %,d bytes are there",
                        place, left, needed));
    }
}
