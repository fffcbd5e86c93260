package org.jspdl.data.text;

import java.util.Arrays;
import java.util.List;
import org.jspdl.data.loader.Collation;
import org.jspdl.memory.BufferPool;

/// Tokens of one or several documents, in a sequence of fixed length. The arrays are not to be changed.
///
/// @param tokens    the tokens, filled up at the end
/// @param documents which of the sequence's documents each token belongs to, from 1; 0 where it is filled up. Two
///     tokens may attend to each other where these numbers are equal
/// @param positions each token's position in its document's part, from 0
public record TokenSequence(int[] tokens, int[] documents, int[] positions) {

    /// Whole documents one behind the other, in a sequence of `length` tokens.
    ///
    /// @param padding the token that fills up
    /// @throws IllegalArgumentException if they do not fit
    public static TokenSequence of(List<int[]> documents, int length, int padding) {
        SequenceBuilder builder = new SequenceBuilder(length, padding);
        for (int[] document : documents) {
            if (document.length > builder.room()) {
                throw new IllegalArgumentException("a document of " + document.length + " tokens does not fit into the "
                        + builder.room() + " that are left of a sequence of " + length);
            }
            builder.add(document, 0, document.length);
        }
        return builder.take();
    }

    /// How many tokens there are, those that fill up included.
    public int length() {
        return tokens.length;
    }

    /// How many tokens are not filled up.
    public int used() {
        int used = documents.length;
        while (used > 0 && documents[used - 1] == 0) {
            used--;
        }
        return used;
    }

    /// Makes batches of sequences: the fields `tokens`, `documents` and `positions`, each INT32 of [batch, length].
    public static Collation<TokenSequence> collation(BufferPool pool) {
        return Collation.<TokenSequence>in(pool)
                .stack("tokens", TokenSequence::tokens)
                .stack("documents", TokenSequence::documents)
                .stack("positions", TokenSequence::positions);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenSequence sequence
                && Arrays.equals(sequence.tokens, tokens)
                && Arrays.equals(sequence.documents, documents)
                && Arrays.equals(sequence.positions, positions);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(tokens) + Arrays.hashCode(documents);
    }

    @Override
    public String toString() {
        return used() + " of " + length() + " tokens";
    }
}
