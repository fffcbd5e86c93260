package org.jspdl.archive.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspdl.files.InputFile;
import org.jspecify.annotations.Nullable;

/// A whole file as a segment: mapped into memory until it is closed.
///
/// @param segment the content
/// @param arena   what the content lives in; null if somebody else owns it
public record MappedFile(MemorySegment segment, @Nullable Arena arena) implements AutoCloseable {

    /// Bytes that somebody else owns: closing does nothing.
    public static MappedFile borrowed(MemorySegment segment) {
        return new MappedFile(segment.asReadOnly(), null);
    }

    /// Maps `path`; the caller closes it.
    ///
    /// @throws UncheckedIOException if it cannot be read, saying why
    public static MappedFile map(Path path) {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = InputFile.open(path)) {
            return new MappedFile(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena), arena);
        } catch (IOException unreadable) {
            arena.close();
            throw InputFile.unreadable(path, unreadable);
        }
    }

    @Override
    public void close() {
        if (arena != null && arena.scope().isAlive()) {
            arena.close();
        }
    }
}
