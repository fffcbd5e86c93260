package org.jspdl.data.shards.text;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspdl.data.internal.text.ByteOrderMark;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// Lines of bytes, with the place where each ends. Lines end with `\n` or `\r\n`; the last may lack it.
public final class LineReader implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final int HEAP_SHARE = 8;

    private final InputStream input;
    private final long longest;
    private byte[] buffer = new byte[BUFFER];
    private int from;
    private int to;
    private long offset;

    /// @param offset  how many bytes of the whole lie before what `input` gives
    /// @param longest lines of more bytes are refused, and those that would take more than a share of the heap: a
    ///     line is there as bytes, as text and as values
    public LineReader(InputStream input, long offset, long longest) {
        this.input = input;
        this.offset = offset;
        this.longest = Math.min(
                longest, Math.min(Integer.MAX_VALUE / 2, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
    }

    /// Where the next line begins.
    public long offset() {
        return offset;
    }

    /// The next line without its end, or null if there is none.
    public byte @Nullable [] next() throws IOException {
        int scanned = from;
        for (; ; ) {
            for (; scanned < to; scanned++) {
                if (buffer[scanned] == '\n') {
                    return line(scanned, scanned + 1);
                }
            }
            int seen = scanned - from;
            if (!fill()) {
                return seen == 0 ? null : line(to, to);
            }
            scanned = from + seen;
        }
    }

    private byte[] line(int end, int next) {
        int last = end > from && end < next && buffer[end - 1] == '\r' ? end - 1 : end;
        byte[] line = Arrays.copyOfRange(buffer, from, last);
        if (offset == 0 && ByteOrderMark.length(line) > 0) {
            line = Arrays.copyOfRange(line, ByteOrderMark.length(line), line.length);
        }
        offset += next - from;
        from = next;
        return line;
    }

    private boolean fill() throws IOException {
        if (from > 0) {
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            from = 0;
        }
        if (to == buffer.length) {
            if (to >= longest) {
                throw FormatException.at(offset, String.format("the line has more than %,d bytes", longest));
            }
            buffer = Arrays.copyOf(buffer, (int) Math.min(longest, 2L * buffer.length));
        }
        int n = input.read(buffer, to, buffer.length - to);
        if (n > 0) {
            to += n;
        }
        return n > 0;
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
