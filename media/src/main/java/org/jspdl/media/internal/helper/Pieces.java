package org.jspdl.media.internal.helper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Memory that a helper writes and that its caller may keep without a copy: files without names, which both map.
///
/// During a call the helper may write to the pieces that are free and to those that were made for it. One that is
/// kept beyond the call is made read-only in the helper before the next call begins, so that nothing that goes wrong
/// there changes what was delivered. What one helper's pieces take is bounded: beyond that nothing is kept, so that it
/// has to be copied. Calls are one thread's at a time; pieces are given back by any thread, also after [#close].
public final class Pieces implements AutoCloseable {
    /// The most bytes that lie idle or are kept; what calls take beyond is freed after them.
    private static final long MOST = 32L << 20;
    /// It costs less to copy than to keep what is smaller than this, or than half of its piece.
    private static final long LEAST_KEPT = 1L << 18;

    private static final long GRANULE = 1L << 16;
    /// Pieces come in this many sizes for each power of two, so that one serves for results of similar sizes.
    private static final int STEPS = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Piece> idle = new ArrayList<>();
    private final List<Piece> called = new ArrayList<>();
    private final List<Piece> kept = new ArrayList<>();
    private final List<Long> forgotten = new ArrayList<>();
    private long last;
    private boolean closed;

    /// One piece, which the helper knows by a number above 0.
    public static final class Piece {
        private final long number;
        private final MemorySegment memory;
        private final Arena arena;
        /// Of the file, until the helper has opened it, too; negative from then on.
        private int descriptor;
        /// Whether the helper was told that it can't write there.
        private boolean readOnly;

        private Piece(long number, MemorySegment memory, Arena arena, int descriptor) {
            this.number = number;
            this.memory = memory;
            this.arena = arena;
            this.descriptor = descriptor;
        }

        /// What the helper knows it by.
        public long number() {
            return number;
        }

        /// All of it; valid for as long as it is part of the call or kept.
        public MemorySegment memory() {
            return memory;
        }

        /// The file, of a piece that was made for the call that is under way.
        public int descriptor() {
            return descriptor;
        }

        private void free() {
            closeFile();
            Kernel.freePages(memory);
            arena.close();
        }

        private void closeFile() {
            if (descriptor >= 0) {
                Kernel.close(descriptor);
                descriptor = -1;
            }
        }
    }

    /// What the helper has to know before a call.
    ///
    /// @param writable  the numbers of the pieces that it may write to
    /// @param readOnly  the numbers of those that it can't write to from now on
    /// @param forgotten the numbers of those that it can unmap
    public record News(List<Long> writable, List<Long> readOnly, List<Long> forgotten) {}

    /// Begins a call.
    public News begin() {
        lock.lock();
        try {
            called.addAll(idle);
            idle.clear();
            List<Long> readOnly = new ArrayList<>();
            for (Piece piece : kept) {
                if (!piece.readOnly) {
                    piece.readOnly = true;
                    readOnly.add(piece.number);
                }
            }
            List<Long> writable = new ArrayList<>(called.size());
            for (Piece piece : called) {
                writable.add(piece.number);
            }
            News news = new News(writable, readOnly, List.copyOf(forgotten));
            forgotten.clear();
            return news;
        } finally {
            lock.unlock();
        }
    }

    /// A new piece of at least `byteSize` bytes for the call; empty where memory has no files.
    ///
    /// @throws UncheckedIOException if it cannot be mapped
    public Optional<Piece> add(long byteSize) {
        int descriptor = Kernel.createMemoryFile("jspdl-result");
        if (descriptor < 0) {
            return Optional.empty();
        }
        Arena arena = Arena.ofShared();
        MemorySegment memory;
        try (FileChannel file = FileChannel.open(
                Path.of("/proc/self/fd", Integer.toString(descriptor)),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            memory = file.map(MapMode.READ_WRITE, 0, rounded(byteSize), arena);
        } catch (IOException failure) {
            arena.close();
            Kernel.close(descriptor);
            throw new UncheckedIOException(
                    "cannot map " + byteSize + " bytes that are shared with a helper process", failure);
        }
        lock.lock();
        try {
            Piece piece = new Piece(++last, memory, arena, descriptor);
            called.add(piece);
            return Optional.of(piece);
        } finally {
            lock.unlock();
        }
    }

    static long rounded(long byteSize) {
        long step = Math.max(GRANULE, Long.highestOneBit(byteSize) / STEPS);
        return Math.max(1, Math.ceilDiv(byteSize, step)) * step;
    }

    /// The piece of the call that has a number; empty if there is none.
    public Optional<Piece> of(long number) {
        lock.lock();
        try {
            for (Piece piece : called) {
                if (piece.number == number) {
                    return Optional.of(piece);
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// Keeps a piece of the call of which `used` bytes hold something, beyond it; what gives it back, to be run
    /// once. Empty if it is better copied.
    public Optional<Runnable> keep(Piece piece, long used) {
        lock.lock();
        try {
            long size = piece.memory.byteSize();
            if (used < LEAST_KEPT || used < size / 2 || size > MOST - sum(kept) || !called.remove(piece)) {
                return Optional.empty();
            }
            piece.readOnly = false;
            kept.add(piece);
            return Optional.of(() -> giveBack(piece));
        } finally {
            lock.unlock();
        }
    }

    private void giveBack(Piece piece) {
        lock.lock();
        try {
            kept.remove(piece);
            piece.closeFile();
            if (closed) {
                piece.free();
            } else {
                idle.add(piece);
                trim();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends a call of a helper that goes on to serve, which has opened all pieces by now.
    void end() {
        lock.lock();
        try {
            kept.forEach(Piece::closeFile);
            called.forEach(Piece::closeFile);
            idle.addAll(called);
            called.clear();
            trim();
        } finally {
            lock.unlock();
        }
    }

    private void trim() {
        while (sum(idle) + sum(kept) > MOST && !idle.isEmpty()) {
            Piece largest = idle.stream()
                    .max(Comparator.comparingLong(piece -> piece.memory.byteSize()))
                    .orElseThrow();
            idle.remove(largest);
            forgotten.add(largest.number);
            largest.free();
        }
    }

    private static long sum(List<Piece> pieces) {
        long sum = 0;
        for (Piece piece : pieces) {
            sum += piece.memory.byteSize();
        }
        return sum;
    }

    /// Frees all but what is kept, which is freed when it is given back.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            idle.forEach(Piece::free);
            called.forEach(Piece::free);
            kept.forEach(Piece::closeFile);
            idle.clear();
            called.clear();
        } finally {
            lock.unlock();
        }
    }
}
