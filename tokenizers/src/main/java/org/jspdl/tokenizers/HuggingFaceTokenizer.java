package org.jspdl.tokenizers;

import ai.djl.huggingface.tokenizers.Encoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import org.jspdl.data.text.Tokenizer;

/// A tokenizer as Hugging Face's library writes it, `tokenizer.json`: byte-pair encoding, WordPiece, Unigram and
/// others.
///
/// Runs in native code of that library, on the calling thread: belongs in `cpu` stages. Nothing is downloaded. Texts
/// are neither cut nor filled up. Safe for use by several threads; closed by its owner after the last use.
public final class HuggingFaceTokenizer implements Tokenizer, AutoCloseable {
    /// Keeps the library from looking for models and other builds of itself on the network.
    private static final String OFFLINE = "ai.djl.offline";

    private final ai.djl.huggingface.tokenizers.HuggingFaceTokenizer tokenizer;
    private final boolean specialTokens;
    private final int vocabularySize;
    private final Map<String, Integer> vocabulary;

    private HuggingFaceTokenizer(
            ai.djl.huggingface.tokenizers.HuggingFaceTokenizer tokenizer,
            boolean specialTokens,
            Map<String, Integer> vocabulary) {
        this.tokenizer = tokenizer;
        this.specialTokens = specialTokens;
        this.vocabulary = vocabulary;
        this.vocabularySize =
                vocabulary.values().stream().mapToInt(Integer::intValue).max().orElse(-1) + 1;
    }

    /// The tokenizer in `file`, which adds no marks for beginning and end. The caller closes it.
    ///
    /// @throws IOException if the file cannot be read, or is no tokenizer
    public static HuggingFaceTokenizer open(Path file) throws IOException {
        String json = Files.readString(file);
        Map<String, Integer> vocabulary = Vocabulary.of(json, file);
        if (System.getProperty(OFFLINE) == null) {
            System.setProperty(OFFLINE, "true");
        }
        try {
            return new HuggingFaceTokenizer(
                    ai.djl.huggingface.tokenizers.HuggingFaceTokenizer.newInstance(
                            file, Map.of("truncation", "false", "padding", "false", "addSpecialTokens", "false")),
                    false,
                    vocabulary);
        } catch (RuntimeException | UnsatisfiedLinkError failure) {
            throw new IOException(
                    file + " is no tokenizer that the library can read: " + failure.getMessage(), failure);
        }
    }

    /// The same tokenizer, with the marks that its file adds to each text. Closing either closes both.
    public HuggingFaceTokenizer withSpecialTokens() {
        return new HuggingFaceTokenizer(tokenizer, true, vocabulary);
    }

    @Override
    public int[] encode(String text) {
        Encoding encoding = tokenizer.encode(text, specialTokens, false);
        return Arrays.stream(encoding.getIds()).mapToInt(Math::toIntExact).toArray();
    }

    @Override
    public String decode(int[] tokens) {
        return tokenizer.decode(Arrays.stream(tokens).asLongStream().toArray(), true);
    }

    @Override
    public int vocabularySize() {
        return vocabularySize;
    }

    /// The number of a token by its text, such as `<|endoftext|>`; empty if there is none.
    public OptionalInt token(String text) {
        Integer number = vocabulary.get(text);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}
