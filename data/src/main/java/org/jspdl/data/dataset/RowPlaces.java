package org.jspdl.data.dataset;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Where the rows of a text begin: the place of every 16th is kept, those between are looked for.
final class RowPlaces {
    private static final int STEP = 16;
    /// A longer row is a mistake, such as a quote that is never closed.
    private static final long LONGEST = 16 << 20;

    private final MemorySegment text;
    private final boolean quotes;
    private final String name;
    private long[] places = new long[64];
    private long count;

    private RowPlaces(MemorySegment text, boolean quotes, String name) {
        this.text = text;
        this.quotes = quotes;
        this.name = name;
    }

    /// @param quotes whether a line break between quotes belongs to the row
    static RowPlaces find(MemorySegment text, boolean quotes, String name) throws DatasetException {
        RowPlaces rows = new RowPlaces(text, quotes, name);
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

    long count() {
        return count;
    }

    /// The bytes of a row without its line break.
    MemorySegment row(long number) throws DatasetException {
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

    /// The line break that ends the row at `begin`, or the end of the text.
    private long end(long begin) throws DatasetException {
        boolean quoted = false;
        long stop = Math.min(text.byteSize(), begin + LONGEST);
        for (long i = begin; i < stop; i++) {
            byte b = at(i);
            if (b == '\n' && !quoted) {
                return i;
            }
            quoted ^= quotes && b == '"';
        }
        if (quoted || stop < text.byteSize()) {
            throw new DatasetException("the manifest " + name + ": the row that begins at byte " + begin
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
