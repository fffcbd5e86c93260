package org.jspdl.files;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// A file that is mapped into memory to be read, until it is closed. Safe for use by several threads.
///
/// Other programs may make such a file shorter. Of what is gone, the last page holds zeros, and a read of the pages
/// behind it fails: in Java by an [InternalError], which may come some time after the read; in native code, and in the
/// JDK's checksums and decompressors, by the end of the process. So what reads mapped memory does it through [#read],
/// which says what happened, and nothing mapped is given to native code, but a copy of it ([#copy]).
public final class MappedInput implements AutoCloseable {
    private final Path file;
    /// Other than a channel, it is not closed by an interrupt.
    private final RandomAccessFile opened;

    private final Arena arena;
    private final MemorySegment bytes;

    private MappedInput(Path file, RandomAccessFile opened, Arena arena, MemorySegment bytes) {
        this.file = file;
        this.opened = opened;
        this.arena = arena;
        this.bytes = bytes;
    }

    /// Reads mapped memory.
    @FunctionalInterface
    public interface Reading<T, E extends Exception> {
        /// What it makes of it.
        T read() throws E;
    }

    /// Maps a file; the caller closes it.
    ///
    /// @throws IOException as [InputFile#open], and if it can't be mapped
    /// @throws UnsupportedOperationException if it lies in another file system than the machine's
    public static MappedInput open(Path file) throws IOException {
        return open(file, Arena.ofShared());
    }

    /// The same for this thread alone, which is quicker to close.
    ///
    /// @throws IOException as [#open]
    public static MappedInput openConfined(Path file) throws IOException {
        return open(file, Arena.ofConfined());
    }

    private static MappedInput open(Path file, Arena arena) throws IOException {
        RandomAccessFile opened;
        try {
            InputFile.check(file);
            opened = new RandomAccessFile(file.toFile(), "r");
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
        try {
            FileChannel channel = opened.getChannel();
            return new MappedInput(
                    file, opened, arena, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
        } catch (Throwable failure) {
            arena.close();
            opened.close();
            throw failure;
        }
    }

    /// All of the file, read-only, until this is closed; to be read by [#read].
    public MemorySegment bytes() {
        return bytes;
    }

    /// What `reading` makes of the bytes, which were there until it was done.
    ///
    /// @throws UncheckedIOException if the file became shorter, or can't be read any more; what was made, or
    ///     thrown, is of no use then
    public <T, E extends Exception> T read(Reading<T, E> reading) throws E {
        T made;
        try {
            made = reading.read();
            requireWhole();
        } catch (InternalError lost) {
            requireWhole();
            throw InputFile.unreadable(file, new IOException("a part of it can't be read any more", lost));
        } catch (Throwable failure) {
            requireWhole();
            throw failure;
        }
        return made;
    }

    /// Nothing, if all that was mapped is still there. Errors of earlier reads are thrown here at the latest,
    /// because it calls native code.
    ///
    /// @throws UncheckedIOException if the file became shorter
    public void requireWhole() {
        long left;
        try {
            left = opened.length();
        } catch (IOException closed) {
            return;
        }
        if (left < bytes.byteSize()) {
            throw InputFile.unreadable(file, shortened(left, bytes.byteSize()));
        }
    }

    /// What to throw where a file has fewer bytes than it had when it was opened.
    public static IOException shortened(long left, long before) {
        return new IOException(
                String.format("it became shorter while it was read: %,d of %,d bytes are left", left, before));
    }

    /// Copies memory that may be mapped, to the beginning of `target`.
    ///
    /// @throws UncheckedIOException if it is, and the file became shorter
    public static void copy(MemorySegment source, MemorySegment target) {
        reading(source, () -> target.asSlice(0, source.byteSize()).copyFrom(source));
    }

    /// What `reading` makes of memory that may be mapped, from a file that is not known.
    ///
    /// @throws UncheckedIOException if the file became shorter
    public static <T, E extends Exception> T reading(MemorySegment memory, Reading<T, E> reading) throws E {
        if (!memory.isMapped()) {
            return reading.read();
        }
        try {
            T made = reading.read();
            settle();
            return made;
        } catch (InternalError lost) {
            String text = "cannot read a mapped file: it became shorter while it was read";
            throw new UncheckedIOException(text, new IOException(text, lost));
        }
    }

    /// Has errors of earlier reads thrown: the virtual machine looks for them when it comes back from native code.
    private static void settle() {
        var _ = Runtime.getRuntime().totalMemory();
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
            try {
                opened.close();
            } catch (IOException unimportant) {
                // All that was wanted of it is read.
            }
        }
    }

    @Override
    public String toString() {
        return file + ", mapped";
    }
}
