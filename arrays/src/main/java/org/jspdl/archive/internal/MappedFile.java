package org.jspdl.archive.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspdl.files.InputFile;
import org.jspdl.files.MappedInput;
import org.jspecify.annotations.Nullable;

/// A whole file as a segment: mapped into memory until it is closed.
///
/// @param segment the content, to be read by [#read]
/// @param input   what the content is mapped by; null if somebody else owns it
public record MappedFile(MemorySegment segment, @Nullable MappedInput input) implements AutoCloseable {

    /// Bytes that somebody else owns: closing does nothing.
    public static MappedFile borrowed(MemorySegment segment) {
        return new MappedFile(segment.asReadOnly(), null);
    }

    /// Maps `path`; the caller closes it.
    ///
    /// @throws UncheckedIOException if it cannot be read, saying why
    public static MappedFile map(Path path) {
        try {
            MappedInput input = MappedInput.open(path);
            return new MappedFile(input.bytes(), input);
        } catch (IOException unreadable) {
            throw InputFile.unreadable(path, unreadable);
        }
    }

    /// What `reading` makes of the content.
    ///
    /// @throws UncheckedIOException if the file became shorter meanwhile
    public <T, E extends Exception> T read(MappedInput.Reading<T, E> reading) throws E {
        return input == null ? MappedInput.reading(segment, reading) : input.read(reading);
    }

    @Override
    public void close() {
        if (input != null) {
            input.close();
        }
    }
}
