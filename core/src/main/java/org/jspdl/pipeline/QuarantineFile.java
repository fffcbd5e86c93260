package org.jspdl.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A file of skipped items, one JSON object a line, for [FailurePolicy#quarantine].
///
/// Items are appended and flushed one by one, from any thread. The owner closes the file after the runs that write
/// to it.
public final class QuarantineFile implements Consumer<FailedItem>, AutoCloseable {
    private final Path path;
    private final Writer writer;

    private QuarantineFile(Path path, Writer writer) {
        this.path = path;
        this.writer = writer;
    }

    /// Opens `path`, which is made if it is missing, to append to it.
    public static QuarantineFile open(Path path) throws IOException {
        return new QuarantineFile(
                path, Files.newBufferedWriter(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
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
