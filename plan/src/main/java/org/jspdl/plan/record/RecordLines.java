package org.jspdl.plan.record;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jspdl.files.InputFile;
import org.jspdl.json.Json;
import org.jspecify.annotations.Nullable;

/// The lines of what a [RunRecorder] wrote of one rank, one after the other. A line that a killed process left
/// incomplete is passed over, wherever it was cut. Used by one thread.
final class RecordLines implements Closeable {
    /// How a record begins.
    private static final String BEGIN = "{\"" + RunDescription.MARK + "\":";
    /// Of a line; a plan and a checkpoint are far below.
    private static final int MOST_BYTES = 1 << 28;

    private final Path file;
    private final InputStream bytes;
    private final byte[] buffer = new byte[1 << 16];
    private int from;
    private int to;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long number;

    private RecordLines(Path file) throws IOException {
        this.file = file;
        this.bytes = Channels.newInputStream(InputFile.open(file));
    }

    /// The lines of `file`; the caller closes this.
    ///
    /// @throws IllegalArgumentException if it holds something else than a record
    /// @throws IOException if it is missing, or is no file that can be read
    static RecordLines open(Path file) throws IOException {
        RecordLines lines = new RecordLines(file);
        try {
            lines.requireBegin();
            return lines;
        } catch (Throwable failure) {
            lines.close();
            throw failure;
        }
    }

    private void requireBegin() throws IOException {
        to = bytes.readNBytes(buffer, 0, BEGIN.length());
        String begin = new String(buffer, 0, to, StandardCharsets.ISO_8859_1);
        int end = begin.indexOf('\n');
        if (!BEGIN.startsWith(end < 0 ? begin : begin.substring(0, end))) {
            throw new IllegalArgumentException(file + " is no record of a run: line 1 does not begin with " + BEGIN);
        }
    }

    /// The next line that is complete; null behind the last one.
    ///
    /// @throws IllegalArgumentException if it is no part of a record; the message says where
    @Nullable
    Map<?, ?> next() throws IOException {
        while (read()) {
            Object json;
            try {
                json = Json.parse(line.toString(StandardCharsets.UTF_8));
            } catch (IllegalArgumentException incomplete) {
                continue; // empty, or a process was killed while it wrote
            }
            if (json instanceof Map<?, ?> map) {
                return map;
            }
            throw new IllegalArgumentException(where() + " is no part of a record: it is no object");
        }
        return null;
    }

    /// The file and the number of the line that was read last.
    String where() {
        return file + ", line " + number;
    }

    private boolean read() throws IOException {
        line.reset();
        number++;
        while (from < to || fill()) {
            int end = from;
            while (end < to && buffer[end] != '\n') {
                end++;
            }
            if (line.size() > MOST_BYTES - (end - from)) {
                throw new IllegalArgumentException(
                        where() + " is no part of a record: it has more than " + MOST_BYTES + " bytes");
            }
            line.write(buffer, from, end - from);
            from = Math.min(to, end + 1);
            if (end < to) {
                return true;
            }
        }
        return line.size() > 0;
    }

    private boolean fill() throws IOException {
        from = 0;
        to = Math.max(0, bytes.read(buffer));
        return to > 0;
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
