package org.jspdl.data.internal.text;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Where the rows of a text begin: the place of every 16th is kept, those between are looked for.
public final class RowPlaces {
    private static final int STEP = 16;
    /// A longer row is a mistake, such as a quote that is never closed.
    private static final long LONGEST = 16 << 20;

    private final MemorySegment text;
    private final Break ending;
    private final String name;
    private long[] places = new long[64];
    private long count;

    private RowPlaces(MemorySegment text, Break ending, String name) {
        this.text = text;
        this.ending = ending;
        this.name = name;
    }

    /// What ends a row.
    public enum Break {
        /// A line break.
        LINE,
        /// A line break that is not between quotes, which a value between commas may begin with.
        UNQUOTED_COMMA_LINE,
        /// The same with tabs between the values.
        UNQUOTED_TAB_LINE,
        /// An empty line.
        EMPTY_LINE
    }

    /// The rows of `text`, which stays the caller's; empty ones are passed over.
    ///
    /// @throws IOException if a row is too long; the message names it
    public static RowPlaces find(MemorySegment text, Break ending, String name) throws IOException {
        RowPlaces rows = new RowPlaces(text, ending, name);
        for (long begin = rows.firstRow(rows.behindMark()); begin < text.byteSize(); ) {
            rows.add(begin);
            begin = rows.firstRow(rows.end(begin) + 1);
        }
        rows.places = Arrays.copyOf(rows.places, (int) Math.ceilDiv(rows.count, STEP));
        return rows;
    }

    private void add(long begin) {
        if (count % STEP == 0) {
            int slot = Math.toIntExact(count / STEP);
            if (slot == places.length) {
                places = Arrays.copyOf(places, slot * 2);
            }
            places[slot] = begin;
        }
        count++;
    }

    /// How many rows there are.
    public long count() {
        return count;
    }

    /// The bytes of a row without its line break.
    public MemorySegment row(long number) throws IOException {
        long begin = places[(int) (number / STEP)];
        for (long skipped = number % STEP; skipped > 0; skipped--) {
            begin = firstRow(end(begin) + 1);
        }
        long end = end(begin);
        return text.asSlice(begin, (end > begin && at(end - 1) == '\r' ? end - 1 : end) - begin);
    }

    /// The first byte that is no line break, from `from` on.
    private long firstRow(long from) {
        long begin = from;
        while (begin < text.byteSize() && (at(begin) == '\n' || at(begin) == '\r')) {
            begin++;
        }
        return begin;
    }

    /// Whether nothing stands between `begin` and the next line break.
    private boolean isEmptyLine(long begin) {
        long next = begin < text.byteSize() && at(begin) == '\r' ? begin + 1 : begin;
        return next >= text.byteSize() || at(next) == '\n';
    }

    /// The line break that ends the row at `begin`, or the end of the text.
    private long end(long begin) throws IOException {
        boolean quoted = false;
        long mayQuote = begin; // where a value begins, or a quote has just ended: two are one within quotes
        byte separator = (byte) (ending == Break.UNQUOTED_TAB_LINE ? '\t' : ',');
        boolean quotes = ending == Break.UNQUOTED_COMMA_LINE || ending == Break.UNQUOTED_TAB_LINE;
        long stop = Math.min(text.byteSize(), begin + LONGEST);
        for (long i = begin; i < stop; i++) {
            byte b = at(i);
            if (b == '\n' && !quoted && (ending != Break.EMPTY_LINE || isEmptyLine(i + 1))) {
                return i;
            }
            if (quotes && b == '"' && (quoted || mayQuote == i)) {
                quoted = !quoted;
                mayQuote = i + 1;
            } else if (b == separator) {
                mayQuote = i + 1;
            }
        }
        if (quoted || stop < text.byteSize()) {
            throw new IOException(name + ": the row that begins at byte " + begin
                    + (quoted ? " has a quote that is never closed" : " is longer than " + LONGEST + " bytes"));
        }
        return stop;
    }

    /// Behind a byte order mark, if there is one.
    private long behindMark() {
        boolean marked = text.byteSize() >= 3 && at(0) == (byte) 0xEF && at(1) == (byte) 0xBB && at(2) == (byte) 0xBF;
        return marked ? 3 : 0;
    }

    private byte at(long index) {
        return text.get(ValueLayout.JAVA_BYTE, index);
    }
}
