package org.jspdl.pipeline;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// A file of skipped items, one JSON object a line, for [FailurePolicy#quarantine].
///
/// Items are appended and flushed one by one, from any thread. The owner closes the file after the runs that write
/// to it.
public final class QuarantineFile implements Consumer<FailedItem>, AutoCloseable {
    private static final int MOST_FIRST_LINE = 1 << 20;
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path path;
    private final Writer writer;

    private QuarantineFile(Path path, Writer writer) {
        this.path = path;
        this.writer = writer;
    }

    /// Opens `path` to append to it. A missing file is made, for this user alone.
    ///
    /// @throws IOException if it is a link, or holds anything but skipped items
    public static QuarantineFile open(Path path) throws IOException {
        requireOurs(path);
        Set<OpenOption> append =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
        boolean hasModes = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] mode = hasModes ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0];
        return new QuarantineFile(
                path, Channels.newWriter(Files.newByteChannel(path, append, mode), StandardCharsets.UTF_8));
    }

    private static void requireOurs(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(path.toString(), null, "is a link or no file, and is not written to");
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] begin = in.readNBytes(MOST_FIRST_LINE);
            int end = 0;
            while (end < begin.length && begin[end] != '\n') {
                end++;
            }
            if (begin.length > 0) {
                FailedItem.parse(new String(begin, 0, end, StandardCharsets.UTF_8));
            }
        } catch (IllegalArgumentException otherContent) {
            throw new FileSystemException(
                    path.toString(), null, "holds something else than skipped items; name a new file");
        }
    }

    /// Reads the items of a file, in the order in which they were skipped.
    ///
    /// @throws IllegalArgumentException if a line is not a failed item; the message names the file and the line
    public static List<FailedItem> read(Path path) throws IOException {
        List<FailedItem> items = new ArrayList<>();
        List<String> lines = Files.readAllLines(path);
        for (int i = 0; i < lines.size(); i++) {
            try {
                items.add(FailedItem.parse(lines.get(i)));
            } catch (IllegalArgumentException malformed) {
                throw new IllegalArgumentException(
                        path + ", line " + (i + 1) + ": " + malformed.getMessage(), malformed);
            }
        }
        return items;
    }

    /// Appends an item.
    ///
    /// @throws UncheckedIOException if it can't be written, which fails the run: a skipped item must not get lost
    @Override
    public synchronized void accept(FailedItem item) {
        try {
            writer.write(item.toJson());
            writer.write('\n');
            writer.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot record a skipped item in " + path, failure);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        writer.close();
    }
}
