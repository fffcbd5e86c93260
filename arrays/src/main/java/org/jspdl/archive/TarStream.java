package org.jspdl.archive;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.files.InputFile;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// A TAR archive read once, from front to back: from a file, a socket, or through a decompressor.
///
/// The same formats and checks as [TarArchive]. [#advance] moves to the next entry, [#read] fills memory with its
/// content; what is not read is passed. Used by one thread at a time.
public final class TarStream extends TarParser implements AutoCloseable {
    private final BufferedBytes input;
    /// For what follows the end marker.
    private final MemorySegment behind = MemorySegment.ofArray(new byte[TarHeader.BLOCK]);
    private long blockOffset;
    private @Nullable TarEntry entry;
    private long left;
    private long padding;

    private TarStream(ReadableByteChannel channel, long offset, TarEnd end) {
        super(end);
        this.input = new BufferedBytes(channel, offset);
        this.blockOffset = offset;
    }

    /// Reads the archive at `path` from its beginning.
    ///
    /// @throws java.io.UncheckedIOException if it cannot be opened
    public static TarStream open(Path path) {
        try {
            return over(Files.newByteChannel(path));
        } catch (IOException unreadable) {
            throw InputFile.unreadable(path, unreadable);
        }
    }

    /// Reads from `channel`, which this stream owns from here.
    public static TarStream over(ReadableByteChannel channel) {
        return over(channel, 0, TarEnd.REQUIRED);
    }

    /// Reads from `channel`, which this stream owns from here and which is at byte `offset` of the archive: 0, or
    /// the [TarEntry#offset] of an entry.
    public static TarStream over(ReadableByteChannel channel, long offset, TarEnd end) {
        return new TarStream(channel, offset, end);
    }

    /// Reads from `stream`, which this stream owns from here.
    public static TarStream over(InputStream stream) {
        return over(Channels.newChannel(stream));
    }

    /// Moves to the next entry; false at the end of the archive.
    ///
    /// @throws FormatException if the archive is damaged or truncated
    public boolean advance() throws IOException {
        pass();
        entry = parse();
        if (entry == null) {
            return false;
        }
        left = entry.byteSize();
        padding = padded(left) - left;
        return true;
    }

    /// The entry that [#advance] has moved to.
    ///
    /// @throws IllegalStateException if it has not, or there was none
    public TarEntry entry() {
        if (entry == null) {
            throw new IllegalStateException("there is no entry: advance() was not called, or returned false");
        }
        return entry;
    }

    /// How many bytes of the entry's content have not been read.
    public long remaining() {
        return left;
    }

    /// Fills `target` with the next bytes of the entry's content.
    ///
    /// @throws IndexOutOfBoundsException if fewer are left; see [#remaining]
    /// @throws FormatException if the archive is truncated
    public void read(MemorySegment target) throws IOException {
        if (target.byteSize() > left) {
            throw new IndexOutOfBoundsException(
                    target.byteSize() + " bytes were asked for but the entry has " + left + " left");
        }
        long read = input.read(target);
        left -= read;
        if (read < target.byteSize()) {
            throw truncated();
        }
    }

    /// Whether the archive can be read from an entry on without what lies before, because no global PAX records
    /// were seen.
    public boolean canStartAtEntry() {
        return !hasGlobalRecords();
    }

    private void pass() throws IOException {
        left -= input.skip(left);
        if (left > 0) {
            throw truncated();
        }
        input.skip(padding); // the last block of the last file may lack what fills it
        padding = 0;
    }

    private FormatException truncated() {
        long size = entry().byteSize();
        return TarArchive.truncated("within the content behind", blockOffset, size, size - left);
    }

    @Override
    long blockOffset() {
        return blockOffset;
    }

    @Override
    long blockAt() {
        return 0;
    }

    @Override
    @Nullable
    MemorySegment block() throws IOException {
        // Entries keep their block, so each has its own.
        MemorySegment block = MemorySegment.ofArray(new byte[TarHeader.BLOCK]);
        long read = read(block, input.position());
        if (read == 0) {
            return null;
        }
        if (read < TarHeader.BLOCK) {
            throw TarArchive.truncated("within", blockOffset, TarHeader.BLOCK, read);
        }
        return block;
    }

    private long read(MemorySegment block, long offset) throws IOException {
        blockOffset = offset;
        return input.read(block);
    }

    @Override
    @Nullable
    MemorySegment blockBehind() throws IOException {
        return read(behind, input.position()) < TarHeader.BLOCK ? null : behind;
    }

    @Override
    MemorySegment extension(long bytes) throws IOException {
        MemorySegment content = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
        long read = input.read(content);
        if (read < bytes) {
            throw TarArchive.truncated("within the content behind", blockOffset, bytes, read);
        }
        input.skip(padded(bytes) - bytes);
        return content;
    }

    /// Closes the channel.
    @Override
    public void close() throws IOException {
        input.close();
    }
}
