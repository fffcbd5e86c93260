package org.jspdl.data.text;

import java.util.Arrays;

/// Fills one sequence after the other with parts of documents.
final class SequenceBuilder {
    private final int length;
    private final int padding;
    private int[] tokens;
    private int[] documents;
    private int[] positions;
    private int filled;
    private int count;

    SequenceBuilder(int length, int padding) {
        this.length = length;
        this.padding = padding;
        this.tokens = new int[length];
        this.documents = new int[length];
        this.positions = new int[length];
    }

    int room() {
        return length - filled;
    }

    boolean isEmpty() {
        return filled == 0;
    }

    /// Adds a part of a document as a document of its own; it must fit.
    void add(int[] document, int from, int size) {
        System.arraycopy(document, from, tokens, filled, size);
        count++;
        for (int i = 0; i < size; i++) {
            documents[filled + i] = count;
            positions[filled + i] = i;
        }
        filled += size;
    }

    /// What has been added, filled up; begins the next sequence.
    TokenSequence take() {
        Arrays.fill(tokens, filled, length, padding);
        TokenSequence sequence = new TokenSequence(tokens, documents, positions);
        tokens = new int[length];
        documents = new int[length];
        positions = new int[length];
        filled = 0;
        count = 0;
        return sequence;
    }

    /// The documents' parts that wait for the sequence to be full: their sizes, a colon, and their tokens.
    String state() {
        StringBuilder text = new StringBuilder(8 * filled);
        for (int i = 0; i < filled; i++) {
            if (i + 1 == filled || documents[i + 1] != documents[i]) {
                text.append(positions[i] + 1).append(' ');
            }
        }
        text.append(':');
        for (int i = 0; i < filled; i++) {
            text.append(i == 0 ? "" : " ").append(tokens[i]);
        }
        return text.toString();
    }

    /// Adds what [#state] wrote.
    void restore(String state) {
        String[] halves = state.split(":", -1);
        if (halves.length != 2) {
            throw new IllegalArgumentException("not the state of a packing");
        }
        int[] all = numbers(halves[1]);
        int next = 0;
        for (int size : numbers(halves[0])) {
            if (size < 1 || size > room() || size > all.length - next) {
                throw new IllegalArgumentException("not the state of a packing into sequences of " + length);
            }
            add(all, next, size);
            next += size;
        }
        if (next != all.length) {
            throw new IllegalArgumentException("not the state of a packing: " + (all.length - next) + " tokens more");
        }
    }

    private static int[] numbers(String text) {
        return text.isBlank()
                ? new int[0]
                : Arrays.stream(text.strip().split(" "))
                        .mapToInt(Integer::parseInt)
                        .toArray();
    }
}
