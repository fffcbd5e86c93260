package org.jspdl.data.internal.text;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.files.InputFile;

/// The bytes of a text: mapped from a local disk, or read into memory outside the heap.
/// Closed by its owner; until then read by any thread.
public record WholeText(MemorySegment bytes, Arena arena) implements AutoCloseable {
    /// A text beyond this is not read into memory from elsewhere.
    private static final long MOST_BYTES = 1L << 36;
    private static final long PIECE = 16 << 20;

    /// The text at `location`, owned by the caller.
    public static WholeText read(Storage storage, Location location) throws IOException {
        Arena arena = Arena.ofShared();
        try {
            MemorySegment bytes =
                    location.isRemote() ? download(storage, location, arena) : map(location.path(), arena);
            return new WholeText(withoutMark(bytes), arena);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
    }

    /// Programs of Windows begin a text with a byte-order mark, which is no part of it.
    private static MemorySegment withoutMark(MemorySegment bytes) {
        int mark = ByteOrderMark.length(bytes);
        return mark == 0 ? bytes : bytes.asSlice(mark);
    }

    private static MemorySegment map(Path file, Arena arena) throws IOException {
        try (FileChannel channel = InputFile.open(file)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    /// Takes memory for what has arrived, and as much again: what a server says of its size is no more than a
    /// claim.
    private static MemorySegment download(Storage storage, Location location, Arena arena) throws IOException {
        try (StoredObject object = storage.object(location)) {
            long size = object.size();
            if (size > MOST_BYTES) {
                throw new IOException(
                        location + " has " + size + " bytes, more than the " + MOST_BYTES + " that a text may have");
            }
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
        arena.close();
    }
}
