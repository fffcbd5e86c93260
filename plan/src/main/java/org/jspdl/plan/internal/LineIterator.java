package org.jspdl.plan.internal;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspdl.files.InputFile;
import org.jspecify.annotations.Nullable;

/// The lines of a text file in UTF-8, one at a time. One thread at a time; closed by the source that asked for it.
public final class LineIterator implements Iterator<String>, Closeable {
    /// A byte-order mark, which programs of Windows begin a text with.
    private static final String MARK = "\uFEFF";

    private final Path file;
    private final BufferedReader reader;
    private @Nullable String next;

    /// The lines of `file` from its beginning, as often as they are asked for.
    ///
    /// @throws IOException if there is no such file
    public static Iterable<String> of(Path file) throws IOException {
        if (!Files.isReadable(file) || !Files.isRegularFile(file)) {
            throw new IOException("there is no file to read at " + file);
        }
        return () -> new LineIterator(file);
    }

    /// The lines of `file`; the caller closes this.
    public LineIterator(Path file) {
        this.file = file;
        try {
            this.reader = new BufferedReader(
                    new InputStreamReader(InputFile.stream(file), StandardCharsets.UTF_8.newDecoder()));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot open " + file, failure);
        }
        String first = read();
        this.next = first != null && first.startsWith(MARK) ? first.substring(MARK.length()) : first;
    }

    private @Nullable String read() {
        try {
            return reader.readLine();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + file + " to its end", failure);
        }
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public String next() {
        String line = next;
        if (line == null) {
            throw new NoSuchElementException(file + " has no more lines");
        }
        next = read();
        return line;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
