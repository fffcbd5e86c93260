package org.jspdl.observe;

import java.util.Arrays;

/// What one thread did: spans in the order of time. Written by that thread, read when the run has ended.
final class Track {
    private static final int FIELDS = 4;

    final String name;
    private long[] spans = new long[FIELDS * 64];
    private volatile int size;

    Track(String name) {
        this.name = name;
    }

    void add(int label, long item, long start, long end) {
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

    int size() {
        return size;
    }

    /// What a span is about: a number of [Trace].
    int label(int i) {
        return (int) spans[i * FIELDS];
    }

    long item(int i) {
        return spans[i * FIELDS + 1];
    }

    long start(int i) {
        return spans[i * FIELDS + 2];
    }

    long end(int i) {
        return spans[i * FIELDS + 3];
    }
}
