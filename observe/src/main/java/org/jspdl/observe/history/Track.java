package org.jspdl.observe.history;

import java.util.Arrays;

/// What one thread did: spans in the order of time. Written by that thread, read when the run has ended.
public final class Track {
    private static final int FIELDS = 4;

    private final String name;
    private long[] spans = new long[FIELDS * 64];
    private volatile int size;

    /// A track of a thread of this name.
    public Track(String name) {
        this.name = name;
    }

    /// The name of the thread.
    public String name() {
        return name;
    }

    /// Adds a span.
    ///
    /// @param label what it is about: a number of the trace
    public void add(int label, long item, long start, long end) {
        int at = size * FIELDS;
        if (at == spans.length) {
            spans = Arrays.copyOf(spans, 2 * spans.length);
        }
        spans[at] = label;
        spans[at + 1] = item;
        spans[at + 2] = start;
        spans[at + 3] = end;
        size++;
    }

    /// How many spans there are.
    public int size() {
        return size;
    }

    /// What a span is about: a number of the trace.
    public int label(int i) {
        return (int) spans[i * FIELDS];
    }

    /// The number of its item.
    public long item(int i) {
        return spans[i * FIELDS + 1];
    }

    /// When it began.
    public long start(int i) {
        return spans[i * FIELDS + 2];
    }

    /// When it ended.
    public long end(int i) {
        return spans[i * FIELDS + 3];
    }
}
