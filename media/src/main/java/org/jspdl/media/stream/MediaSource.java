package org.jspdl.media.stream;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspdl.files.MappedInput;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.container.SourceReads;
import org.jspdl.media.internal.lifetime.SourceView;

/// Where the bytes of a file come from. Opening reads nothing; nothing is written to temporary files.
///
/// Sources over paths, memory and ranges may be opened any number of times, and at once; those over streams and
/// channels once, because their bytes pass by.
public final class MediaSource {
    private final String name;
    private final Opener opener;
    /// Shows the bytes where they lie.
    private final Supplier<SourceView> viewer;

    private final BooleanSupplier isLocal;

    /// Opens the bytes.
    @FunctionalInterface
    interface Opener {
        SourceBytes open() throws IOException;
    }

    private MediaSource(String name, Opener opener) {
        this(name, opener, () -> SourceView.none(name), () -> false);
    }

    private MediaSource(String name, Opener opener, Supplier<SourceView> viewer, BooleanSupplier isLocal) {
        this.isLocal = isLocal;
        this.name = name;
        this.opener = opener;
        this.viewer = viewer;
    }

    /// A file.
    public static MediaSource of(Path path) {
        return new MediaSource(
                path.toString(), () -> SourceBytes.ofFile(path), () -> mapped(path), () -> Files.isRegularFile(path));
    }

    /// A file's bytes in memory, which must not change while it is open; `name` is for messages.
    public static MediaSource of(MemorySegment bytes, String name) {
        return new MediaSource(name, () -> SourceBytes.ofMemory(bytes), () -> SourceView.of(name, bytes), () -> true);
    }

    /// A file's bytes in memory.
    public static MediaSource of(byte[] bytes) {
        return of(MemorySegment.ofArray(bytes), "memory of " + bytes.length + " bytes");
    }

    /// Bytes that pass by once, without seeking; some formats need to seek. The stream stays the caller's.
    public static MediaSource of(InputStream stream, String name) {
        return new MediaSource(name, () -> SourceBytes.ofStream(stream));
    }

    /// Bytes that pass by once, without seeking. The channel stays the caller's.
    public static MediaSource of(ReadableByteChannel channel, String name) {
        return new MediaSource(
                name,
                () -> channel instanceof SeekableByteChannel seekable
                        ? SourceBytes.ofChannel(seekable)
                        : SourceBytes.ofOneWay(channel));
    }

    /// Ranges of an object, such as those of an object store: each read asks for the bytes at a position.
    public static MediaSource of(RangeReader reader, String name) {
        return new MediaSource(name, () -> SourceBytes.ofRanges(reader));
    }

    /// Reads ranges of an object of known size. One thread at a time.
    public interface RangeReader {
        /// How many bytes there are.
        long byteSize() throws IOException;

        /// Puts bytes from `position` on into native memory; how many, at least 1.
        int read(long position, MemorySegment into) throws IOException;

        /// How many bytes to ask for at a time: what a round trip is worth.
        default int chunkBytes() {
            return 1 << 20;
        }
    }

    /// What messages call it: a path, a URL.
    public String name() {
        return name;
    }

    /// An exception that says what is wrong with this source.
    public MediaException failure(String reason) {
        return MediaException.of(name, reason);
    }

    /// All bytes without a copy, where that is possible: those in memory, or a file that is mapped until the caller
    /// closes it. Not of ranges, of what passes by once, and of files that can't be mapped.
    @SuppressWarnings("exports") // for this module alone
    public SourceView view() {
        return viewer.get();
    }

    /// What tells one source from another: what `of` makes of all bytes where they are at hand, else of the name.
    public long key(ToLongFunction<MemorySegment> of) {
        try (SourceView content = view()) {
            return content.key(of);
        }
    }

    /// A pipe is not looked into: opening it would take what the next reader waits for.
    private static SourceView mapped(Path path) {
        try {
            return SourceView.of(path.toString(), MappedInput.openConfined(path));
        } catch (IOException | UnsupportedOperationException unmappable) {
            return SourceView.none(path.toString());
        }
    }

    /// The bytes, for a helper process that decodes them; the caller closes them.
    @SuppressWarnings("exports") // for this module alone
    public SourceReads reads() throws IOException {
        boolean local = isLocal.getAsBoolean();
        SourceBytes bytes = open();
        return new SourceReads() {
            @Override
            public int read(long position, MemorySegment into) throws IOException {
                return bytes.readAt(position, into);
            }

            @Override
            public long byteSize() throws IOException {
                return bytes.byteSize();
            }

            @Override
            public boolean isSeekable() {
                return bytes.isSeekable();
            }

            @Override
            public boolean isLocal() {
                return local;
            }

            @Override
            public int bufferBytes() {
                return bytes.bufferBytes();
            }

            @Override
            public void close() {
                try {
                    bytes.close();
                } catch (IOException unimportant) {
                    // Everything that was wanted of it is read.
                }
            }
        };
    }

    SourceBytes open() throws IOException {
        return opener.open();
    }

    @Override
    public String toString() {
        return name;
    }
}
