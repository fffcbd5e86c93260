package org.jspdl.data.internal.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.files.InputFile;
import org.jspdl.files.MappedInput;
import org.jspecify.annotations.Nullable;

/// The bytes of a text, in memory outside the heap, or mapped from a local disk. Closed by its owner; until then read
/// by any thread.
///
/// @param bytes  to be read by [#read(Reading)] if they may be mapped
/// @param arena  what they live in
/// @param mapped what they are mapped by; null if they are not
public record WholeText(
        MemorySegment bytes, Arena arena, @Nullable MappedInput mapped) implements AutoCloseable {
    /// A text beyond this is not read into memory from elsewhere.
    private static final long MOST_BYTES = 1L << 36;
    private static final long PIECE = 16 << 20;

    /// The text at `location` in memory, owned by the caller.
    public static WholeText read(Storage storage, Location location) throws IOException {
        Arena arena = Arena.ofShared();
        try {
            MemorySegment bytes =
                    location.isRemote() ? download(storage, location, arena) : content(location.path(), arena);
            return new WholeText(withoutMark(bytes), arena, null);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
    }

    /// The same, but mapped where it is local.
    public static WholeText map(Storage storage, Location location) throws IOException {
        if (location.isRemote()) {
            return read(storage, location);
        }
        MappedInput mapped = MappedInput.open(location.path());
        try {
            return new WholeText(mapped.read(() -> withoutMark(mapped.bytes())), Arena.global(), mapped);
        } catch (Throwable failure) {
            mapped.close();
            throw failure;
        }
    }

    /// Reads the bytes.
    @FunctionalInterface
    public interface Reading<T> {
        /// What it makes of them.
        T read() throws IOException;
    }

    /// What `reading` makes of the bytes.
    ///
    /// @throws IOException if the file became shorter; the message names it
    public <T> T read(Reading<T> reading) throws IOException {
        try {
            return mapped == null ? reading.read() : mapped.read(reading::read);
        } catch (UncheckedIOException shorter) {
            throw new IOException(shorter.getMessage(), shorter.getCause());
        }
    }

    /// Programs of Windows begin a text with a byte-order mark, which is no part of it.
    private static MemorySegment withoutMark(MemorySegment bytes) {
        int mark = ByteOrderMark.length(bytes);
        return mark == 0 ? bytes : bytes.asSlice(mark);
    }

    private static MemorySegment content(Path file, Arena arena) throws IOException {
        try (FileChannel channel = InputFile.open(file)) {
            long size = checked(channel.size(), file);
            MemorySegment content = arena.allocate(size);
            for (long at = 0; at < size; ) {
                MemorySegment rest = content.asSlice(at, Math.min(PIECE, size - at));
                int read = channel.read(rest.asByteBuffer(), at);
                if (read < 0) {
                    IOException shortened = MappedInput.shortened(at, size);
                    throw new IOException("cannot read " + file + ": " + shortened.getMessage(), shortened);
                }
                at += read;
            }
            return content;
        }
    }

    private static long checked(long size, Object where) throws IOException {
        if (size > MOST_BYTES) {
            throw new IOException(
                    where + " has " + size + " bytes, more than the " + MOST_BYTES + " that a text may have");
        }
        return size;
    }

    /// Takes memory for what has arrived, and as much again: what a server says of its size is no more than a
    /// claim.
    private static MemorySegment download(Storage storage, Location location, Arena arena) throws IOException {
        try (StoredObject object = storage.object(location)) {
            long size = checked(object.size(), location);
            Arena last = Arena.ofShared();
            try {
                MemorySegment arrived = MemorySegment.NULL;
                for (long next = Math.min(size, PIECE); next < size; next = Math.min(size, 2 * next)) {
                    Arena larger = Arena.ofShared();
                    try {
                        arrived = continued(object, arrived, larger.allocate(next));
                    } finally {
                        last.close();
                        last = larger;
                    }
                }
                return continued(object, arrived, arena.allocate(size));
            } finally {
                last.close();
            }
        }
    }

    /// `target`, with what is there of the object and then the rest that it holds.
    private static MemorySegment continued(StoredObject object, MemorySegment there, MemorySegment target)
            throws IOException {
        target.copyFrom(there);
        object.read(there.byteSize(), target.asSlice(there.byteSize()));
        return target;
    }

    @Override
    public void close() {
        if (mapped == null) {
            arena.close();
        } else {
            mapped.close();
        }
    }
}
