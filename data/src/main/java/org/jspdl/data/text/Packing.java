package org.jspdl.data.text;

import java.util.stream.Gatherer;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Pipeline;

/// Puts documents of all lengths into sequences of one length, so that little or nothing is filled up. Immutable.
///
/// ```java
/// Pipeline<TokenSequence> packed = Packing.into(2048).endOfDocument(tokenizer.endOfText())
///         .concatenate(texts.pipe("tokenize", tokenizer::encode, cpu(4)));
/// ```
///
/// Sequences are made of the documents in the order in which they arrive: `inputOrder()` on the stage before makes them
/// the same in every run. Both ways of packing resume exactly.
public final class Packing {
    private final int length;
    private final int endOfDocument;
    private final int padding;

    private Packing(int length, int endOfDocument, int padding) {
        this.length = length;
        this.endOfDocument = endOfDocument;
        this.padding = padding;
    }

    /// Packing into sequences of `length` tokens, filled up with 0.
    public static Packing into(int length) {
        if (length < 1) {
            throw new IllegalArgumentException("length must be at least 1 but was " + length);
        }
        return new Packing(length, -1, 0);
    }

    /// The same with `token` behind every document.
    public Packing endOfDocument(int token) {
        return new Packing(length, checked(token), padding);
    }

    /// The same, filled up with `token`.
    public Packing padding(int token) {
        return new Packing(length, endOfDocument, checked(token));
    }

    private static int checked(int token) {
        if (token < 0) {
            throw new IllegalArgumentException("a token must not be negative but was " + token);
        }
        return token;
    }

    /// One document behind the other, cut where a sequence is full; the last sequence of an epoch is filled up. A
    /// checkpoint holds the tokens that wait for the next sequence, less than one of it.
    public Pipeline<TokenSequence> concatenate(Pipeline<int[]> documents) {
        return documents.aggregate("pack", concatenating(), GathererState.savedRest(SequenceBuilder::state, state -> {
            SequenceBuilder builder = builder();
            builder.restore(state);
            return builder;
        }));
    }

    /// Whole documents together where they fit best: of each `window` documents, the longest go first, each into
    /// the fullest sequence with room for it. Only documents longer than a sequence are cut. Sequences of a window
    /// come together, and nothing waits beyond it.
    public Pipeline<TokenSequence> bestFit(Pipeline<int[]> documents, int window) {
        if (window < 1) {
            throw new IllegalArgumentException("window must hold at least 1 document but was " + window);
        }
        return documents.aggregate("pack", fitting(window), GathererState.emptyAfterEmission());
    }

    private Gatherer<int[], SequenceBuilder, TokenSequence> concatenating() {
        return Gatherer.ofSequential(
                this::builder, Gatherer.Integrator.ofGreedy(this::concatenate), (builder, downstream) -> {
                    if (!builder.isEmpty()) {
                        downstream.push(builder.take());
                    }
                });
    }

    private boolean concatenate(
            SequenceBuilder builder, int[] document, Gatherer.Downstream<? super TokenSequence> downstream) {
        int[] ended = ended(document);
        int from = 0;
        while (from < ended.length) {
            int part = Math.min(builder.room(), ended.length - from);
            builder.add(ended, from, part);
            from += part;
            if (builder.room() == 0 && !downstream.push(builder.take())) {
                return false;
            }
        }
        return true;
    }

    private Gatherer<int[], ?, TokenSequence> fitting(int window) {
        return Gatherer.<int[], BestFit, TokenSequence>ofSequential(
                () -> new BestFit(length, padding),
                Gatherer.Integrator.<BestFit, int[], TokenSequence>ofGreedy((fit, document, downstream) -> {
                    fit.add(ended(document));
                    return fit.documents() < window || fit.pack(downstream);
                }),
                BestFit::pack);
    }

    private SequenceBuilder builder() {
        return new SequenceBuilder(length, padding);
    }

    /// The document with its end.
    private int[] ended(int[] document) {
        if (endOfDocument < 0) {
            return document;
        }
        int[] ended = java.util.Arrays.copyOf(document, document.length + 1);
        ended[document.length] = endOfDocument;
        return ended;
    }
}
