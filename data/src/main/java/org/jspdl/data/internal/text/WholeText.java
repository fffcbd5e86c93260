package org.jspdl.data.internal.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;

/// The bytes of a text: mapped from a local disk, or read into memory outside the heap.
/// Closed by its owner; until then read by any thread.
public record WholeText(MemorySegment bytes, Arena arena) implements AutoCloseable {
    /// A text beyond this is not read into memory from elsewhere.
    private static final long MOST_BYTES = 1L << 36;

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
        if (Files.readAttributes(file, BasicFileAttributes.class).isOther()) {
            throw new IOException(file + " is no file but a pipe, a socket or a device");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    private static MemorySegment download(Storage storage, Location location, Arena arena) throws IOException {
        try (StoredObject object = storage.object(location)) {
            if (object.size() > MOST_BYTES) {
                throw new IOException(location + " has " + object.size() + " bytes, more than the " + MOST_BYTES
                        + " that a text may have");
            }
            MemorySegment bytes = arena.allocate(object.size());
            object.read(0, bytes);
            return bytes;
        }
    }

    /// The text, decoded strictly.
    public Reader utf8() {
        return new InputStreamReader(new SegmentInput(bytes), StandardCharsets.UTF_8.newDecoder());
    }

    @Override
    public void close() {
        arena.close();
    }

    private static final class SegmentInput extends InputStream {
        private final MemorySegment bytes;
        private long next;

        SegmentInput(MemorySegment bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return next == bytes.byteSize() ? -1 : bytes.get(ValueLayout.JAVA_BYTE, next++) & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            int count = (int) Math.min(length, bytes.byteSize() - next);
            if (count == 0) {
                return length == 0 ? 0 : -1;
            }
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, next, target, offset, count);
            next += count;
            return count;
        }
    }
}
