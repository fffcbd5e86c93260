package org.jspdl.data.text;

import java.util.Arrays;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.source.BalancedBatchSampler;
import org.jspdl.source.IndexBatch;
import org.jspdl.source.SampleCost;

/// The documents of a [TokenFile], those that are too long cut into pieces: what is packed whole into sequences that
/// all cost about the same.
///
/// ```java
/// TokenPieces pieces = tokens.pieces(8_192);
/// BalancedBatchSampler packs = pieces.balanced(65_536).shuffled(7).shard(rank, worldSize);
/// DataLoader.of(pieces).batchSampler(packs).collate(parts -> TokenSequence.of(parts, 65_536, 0))
/// ```
///
/// Documents without tokens are left out. Takes 12 bytes for each piece. Immutable; good while the file is open.
public final class TokenPieces implements Dataset<int[]> {
    private final TokenFile file;
    private final long[] starts;
    private final int[] lengths;

    private TokenPieces(TokenFile file, long[] starts, int[] lengths) {
        this.file = file;
        this.starts = starts;
        this.lengths = lengths;
    }

    static TokenPieces of(TokenFile file, int longest) {
        long[] starts = new long[1024];
        int[] lengths = new int[1024];
        int count = 0;
        long start = 0;
        for (long document = 0; document < file.documents(); document++) {
            long end = file.end(document);
            if (end < start || end > file.tokens()) {
                throw new IllegalArgumentException(file + " is damaged: document " + document + " ends at token " + end
                        + ", and the one before it at " + start);
            }
            while (start < end) {
                if (count == starts.length) {
                    int more = Math.addExact(count, count / 2);
                    starts = Arrays.copyOf(starts, more);
                    lengths = Arrays.copyOf(lengths, more);
                }
                int length = (int) Math.min(longest, end - start);
                starts[count] = start;
                lengths[count++] = length;
                start += length;
            }
        }
        return new TokenPieces(file, Arrays.copyOf(starts, count), Arrays.copyOf(lengths, count));
    }

    @Override
    public long size() {
        return starts.length;
    }

    /// The tokens of a piece.
    @Override
    public int[] get(long index) {
        if (index < 0 || index >= starts.length) {
            throw new IndexOutOfBoundsException("piece " + index + " of " + starts.length + " in " + file);
        }
        return file.read(starts[(int) index], lengths[(int) index]);
    }

    /// How many tokens each piece has.
    public SampleCost tokens() {
        return SampleCost.of(lengths);
    }

    /// Which pieces are packed together into sequences of `length` tokens: all sequences have about as many tokens,
    /// and the sum of squared lengths, which is what attention costs, is about the same.
    ///
    /// @throws IllegalArgumentException if a piece is longer
    public BalancedBatchSampler balanced(int length) {
        return BalancedBatchSampler.of(lengths.length, tokens(), length, tokens().squared());
    }

    /// The pieces of one batch, one behind the other, filled up to the budget of its sampler.
    ///
    /// @param padding the token that fills up
    public TokenSequence sequence(IndexBatch batch, int padding) {
        return TokenSequence.of(
                Arrays.stream(batch.indices()).mapToObj(this::get).toList(), batch.length(), padding);
    }

    @Override
    public String toString() {
        return starts.length + " pieces of " + file;
    }
}
