package org.jspdl.examples;

import static org.jspdl.pipeline.StageOptions.cpu;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Locale;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.text.Packing;
import org.jspdl.data.text.TextRows;
import org.jspdl.data.text.TokenSequence;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.source.Samplers;
import org.jspdl.tokenizers.HuggingFaceTokenizer;

/// Makes batches for training a language model: documents, shuffled and tokenized, packed into sequences of one length.
///
/// Run it with a text whose documents have empty lines between them, and a `tokenizer.json` with a token `<end>`.
public final class PackedTokens {
    private static final int LENGTH = 64;
    private static final int BATCH = 8;
    private static final long POOL_BYTES = 64L << 20;

    private PackedTokens() {}

    /// Expects two arguments: the text and the tokenizer.
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println("usage: PackedTokens TEXT TOKENIZER");
            return;
        }
        try (Storage storage = Storage.open();
                TextRows documents = TextRows.documents(storage, arguments[0]);
                HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.open(Path.of(arguments[1]));
                BufferPool pool = BufferPool.create("tokens", POOL_BYTES)) {
            System.out.println(load(documents, tokenizer, pool));
        }
    }

    private static String load(TextRows documents, HuggingFaceTokenizer tokenizer, BufferPool pool) {
        int end = tokenizer
                .token("<end>")
                .orElseThrow(() -> new IllegalArgumentException("the tokenizer has no token <end>"));
        Pipeline<int[]> tokens = Pipeline.from(Samplers.shuffled(documents.size(), 1))
                .pipe("read", documents::get, cpu(1).inputOrder())
                .pipe("tokenize", tokenizer::encode, cpu(2).inputOrder());
        Pipeline<TensorBatch> batches = Packing.into(LENGTH)
                .endOfDocument(end)
                .concatenate(tokens)
                .batch(BATCH, Remainder.KEEP)
                .pipe("collate", TokenSequence.collation(pool), cpu(1));
        long sequences = 0;
        long used = 0;
        long begun = 0;
        try (Run<TensorBatch> run = batches.start()) {
            for (TensorBatch batch : run) {
                try (batch) {
                    sequences += batch.size();
                    used += count(batch.tensor("documents"), number -> number > 0);
                    begun += count(batch.tensor("tokens"), token -> token == end);
                }
            }
        }
        return String.format(
                Locale.ROOT,
                "%,d documents in %,d sequences of %d tokens, %.1f %% filled",
                begun,
                sequences,
                LENGTH,
                100.0 * used / (sequences * LENGTH));
    }

    private static long count(Tensor tensor, java.util.function.IntPredicate counted) {
        long count = 0;
        for (long i = 0; i < tensor.shape().elements(); i++) {
            count += counted.test(tensor.segment().getAtIndex(ValueLayout.JAVA_INT, i)) ? 1 : 0;
        }
        return count;
    }
}
