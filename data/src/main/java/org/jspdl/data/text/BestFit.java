package org.jspdl.data.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Gatherer;

/// Puts the documents of a window into sequences: best fit, longest first.
final class BestFit {
    private final int length;
    private final int padding;
    private final List<Part> parts = new ArrayList<>();
    private int documents;

    /// Tokens that stay together.
    private record Part(int[] document, int from, int size) {}

    BestFit(int length, int padding) {
        this.length = length;
        this.padding = padding;
    }

    int documents() {
        return documents;
    }

    void add(int[] document) {
        documents++;
        for (int from = 0; from < document.length; from += length) {
            parts.add(new Part(document, from, Math.min(length, document.length - from)));
        }
    }

    /// Emits the sequences of what was added and forgets it.
    boolean pack(Gatherer.Downstream<? super TokenSequence> downstream) {
        parts.sort(Comparator.comparingInt(Part::size).reversed());
        List<SequenceBuilder> sequences = new ArrayList<>();
        TreeMap<Integer, List<SequenceBuilder>> byRoom = new TreeMap<>();
        for (Part part : parts) {
            Map.Entry<Integer, List<SequenceBuilder>> tightest = byRoom.ceilingEntry(part.size());
            SequenceBuilder sequence;
            if (tightest == null) {
                sequence = new SequenceBuilder(length, padding);
                sequences.add(sequence);
            } else {
                sequence = tightest.getValue().removeLast();
                if (tightest.getValue().isEmpty()) {
                    byRoom.remove(tightest.getKey());
                }
            }
            sequence.add(part.document(), part.from(), part.size());
            byRoom.computeIfAbsent(sequence.room(), room -> new ArrayList<>()).add(sequence);
        }
        parts.clear();
        documents = 0;
        for (SequenceBuilder sequence : sequences) {
            if (!downstream.push(sequence.take())) {
                return false;
            }
        }
        return true;
    }
}
