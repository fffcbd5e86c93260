package org.jspdl.archive.internal;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A whole file as a segment: mapped into memory until it is closed.
///
/// @param segment the content
/// @param arena   what the content lives in; null if somebody else owns it
public record MappedFile(MemorySegment segment, @Nullable Arena arena) implements AutoCloseable {
    private static final long MOST_AT_ONCE = 1 << 30;

    /// Bytes that somebody else owns: closing does nothing.
    public static MappedFile borrowed(MemorySegment segment) {
        return new MappedFile(segment.asReadOnly(), null);
    }

    /// Maps `path`; the caller closes it.
    ///
    /// @throws UncheckedIOException if it cannot be read, saying why
    public static MappedFile map(Path path) {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(path)) {
            return new MappedFile(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena), arena);
        } catch (IOException unreadable) {
            arena.close();
            throw unreadable(path, unreadable);
        }
    }

    /// Says which file cannot be read.
    public static UncheckedIOException unreadable(Path path, IOException why) {
        boolean missing = why instanceof NoSuchFileException || !Files.exists(path);
        return new UncheckedIOException("cannot read " + path + (missing ? ": there is no such file" : ""), why);
    }

    /// Fills `target` with what lies at `position` of a file.
    ///
    /// @throws EOFException if the file ends before
    public static void fill(FileChannel channel, long position, MemorySegment target) throws IOException {
        long done = 0;
        while (done < target.byteSize()) {
            long n = Math.min(MOST_AT_ONCE, target.byteSize() - done);
            int read = channel.read(target.asSlice(done, n).asByteBuffer(), position + done);
            if (read < 0) {
                throw new EOFException(
                        String.format("the file ends %,d bytes before what was expected", target.byteSize() - done));
            }
            done += read;
        }
    }

    /// The same bytes in memory that buffers can be made of, which arrays of other types than bytes are not.
    public static MemorySegment bufferable(MemorySegment bytes) {
        boolean is = bytes.heapBase().map(base -> base instanceof byte[]).orElse(true);
        return is ? bytes : MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    /// Writes all of `content`.
    public static void write(WritableByteChannel channel, MemorySegment content) throws IOException {
        MemorySegment bytes = bufferable(content);
        for (long done = 0; done < bytes.byteSize(); ) {
            ByteBuffer part = bytes.asSlice(done, Math.min(MOST_AT_ONCE, bytes.byteSize() - done))
                    .asByteBuffer();
            while (part.hasRemaining()) {
                done += channel.write(part);
            }
        }
    }

    @Override
    public void close() {
        if (arena != null && arena.scope().isAlive()) {
            arena.close();
        }
    }
}
