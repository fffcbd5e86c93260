package org.jspdl.tokenizers;

import ai.djl.huggingface.tokenizers.Encoding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import org.jspdl.data.text.Tokenizer;
import org.jspdl.files.InputFile;

/// A tokenizer as Hugging Face's library writes it, `tokenizer.json`: byte-pair encoding, WordPiece, Unigram and
/// others.
///
/// Runs in native code of that library, on the calling thread: belongs in `cpu` stages. Nothing is downloaded. Texts
/// are neither cut nor filled up, whatever the file says. A text that contains a mark, such as `<|endoftext|>`, has the
/// mark's token there, as everywhere in that library. Safe for use by several threads; closed by its owner after the
/// last use.
public final class HuggingFaceTokenizer implements Tokenizer, AutoCloseable {
    private static final int MOST_BYTES = 1 << 30;
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
        Vocabulary vocabulary = Vocabulary.of(InputFile.text(file, MOST_BYTES), file);
        if (System.getProperty(OFFLINE) == null) {
            System.setProperty(OFFLINE, "true");
        }
        HuggingFaceTokenizer opened;
        try {
            opened = new HuggingFaceTokenizer(
                    ai.djl.huggingface.tokenizers.HuggingFaceTokenizer.newInstance(
                            file, Map.of("truncation", "false", "padding", "false", "addSpecialTokens", "false")),
                    false,
                    vocabulary.tokens());
        } catch (RuntimeException | UnsatisfiedLinkError failure) {
            throw new IOException(
                    file + " is no tokenizer that the library can read: " + failure.getMessage(), failure);
        }
        try {
            opened.checkNumbers(vocabulary.addedTokens(), file);
            return opened;
        } catch (Throwable wrong) {
            opened.close();
            throw wrong;
        }
    }

    /// The library numbers added tokens itself where their numbers do not follow those of the model, and says
    /// nothing.
    private void checkNumbers(Map<String, Integer> added, Path file) throws IOException {
        for (Map.Entry<String, Integer> each : added.entrySet()) {
            int[] found = encode(each.getKey());
            if (found.length == 1
                    && found[0] != each.getValue()
                    && !tokenizer.decode(new long[] {each.getValue()}, false).contains(each.getKey())) {
                throw new IOException(file + " gives the added token '" + each.getKey() + "' the number "
                        + each.getValue() + ", but the library " + found[0]
                        + ": number added tokens one after the other behind those of the model");
            }
        }
    }

    /// The same tokenizer, with the marks that its file adds to each text. Closing either closes both.
    public HuggingFaceTokenizer withSpecialTokens() {
        return new HuggingFaceTokenizer(tokenizer, true, vocabulary);
    }

    /// @throws IllegalArgumentException if `text` has half of a surrogate pair, for which no tokenizer has a token
    @Override
    public int[] encode(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (Character.charCount(text.codePointAt(i)) == 1) {
                    throw new IllegalArgumentException(String.format(
                            "the text is no Unicode: character %d is U+%04X, half of a pair", i, (int) text.charAt(i)));
                }
                i++;
            }
        }
        Encoding encoding = tokenizer.encode(text, specialTokens, false);
        return Arrays.stream(encoding.getIds()).mapToInt(Math::toIntExact).toArray();
    }

    /// @throws IllegalArgumentException if a token is not one of the [#vocabularySize]
    @Override
    public String decode(int[] tokens) {
        for (int token : tokens) {
            if (token < 0 || token >= vocabularySize) {
                throw new IllegalArgumentException(
                        "tokens must be from 0 to " + (vocabularySize - 1) + " but one was " + token);
            }
        }
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
