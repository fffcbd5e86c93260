package org.jspdl.media.internal.helper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The [Pieces] of a helper, as the helper sees them. Used by one thread.
public final class MappedPieces {
    private final Path folder;
    private final Map<Long, Mapped> mapped = new HashMap<>();
    /// Those of them that may be written to in this call.
    private final Map<Long, Mapped> free = new HashMap<>();

    private static final class Mapped {
        final Arena arena;
        final MemorySegment memory;
        boolean readOnly;

        Mapped(Arena arena, MemorySegment memory) {
            this.arena = arena;
            this.memory = memory;
        }
    }

    /// @param shared where the memory is that the helper was started with: pieces are beside it
    MappedPieces(Path shared) {
        folder = shared.toAbsolutePath().resolveSibling(".").normalize();
    }

    /// A piece, writable.
    ///
    /// @param number above 0
    public record Room(long number, MemorySegment memory) {}

    /// Begins a call.
    public void begin() {
        free.clear();
    }

    /// Unmaps a piece that the caller has freed.
    public void forget(long number) {
        Mapped piece = of(number);
        mapped.remove(number);
        piece.arena.close();
    }

    /// Sees to it that nothing of this process writes to a piece: the caller has kept it.
    ///
    /// @throws IllegalStateException if that can't be had
    public void protect(long number) {
        protect(of(number), true);
    }

    /// Notes that a piece may be written to in this call.
    public void free(long number) {
        free.put(number, of(number));
    }

    /// The smallest free piece of at least `byteSize` bytes, which is no longer free then.
    public Optional<Room> take(long byteSize) {
        long best = 0;
        for (Map.Entry<Long, Mapped> each : free.entrySet()) {
            long size = each.getValue().memory.byteSize();
            if (size >= byteSize && (best == 0 || size < of(best).memory.byteSize())) {
                best = each.getKey();
            }
        }
        if (best == 0) {
            return Optional.empty();
        }
        Mapped piece = of(best);
        free.remove(best);
        if (piece.readOnly) {
            protect(piece, false);
        }
        return Optional.of(new Room(best, piece.memory));
    }

    private static void protect(Mapped piece, boolean readOnly) {
        if (!Kernel.protect(piece.memory, readOnly)) {
            throw new IllegalStateException("cannot change the protection of " + piece.memory.byteSize() + " bytes");
        }
        piece.readOnly = readOnly;
    }

    /// Maps a piece that was made for this call.
    ///
    /// @throws UncheckedIOException if it cannot be mapped
    public Room open(long number, int descriptor, long byteSize) {
        Arena arena = Arena.ofShared();
        try (FileChannel file = FileChannel.open(
                folder.resolve(Integer.toString(descriptor)), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment memory = file.map(MapMode.READ_WRITE, 0, byteSize, arena);
            mapped.put(number, new Mapped(arena, memory));
            return new Room(number, memory);
        } catch (IOException failure) {
            arena.close();
            throw new UncheckedIOException("cannot map " + byteSize + " bytes of the caller's memory", failure);
        }
    }

    private Mapped of(long number) {
        Mapped piece = mapped.get(number);
        if (piece == null) {
            throw new IllegalStateException("there is no piece " + number);
        }
        return piece;
    }
}
