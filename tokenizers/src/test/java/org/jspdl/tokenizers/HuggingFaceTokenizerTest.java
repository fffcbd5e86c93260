package org.jspdl.tokenizers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.text.Packing;
import org.jspdl.data.text.TokenSequence;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HuggingFaceTokenizerTest {
    /// Byte-pair encoding with merges small enough to be followed by hand: l+o, lo+w, e+r.
    static final String BYTE_PAIRS = """
            {"version": "1.0", "truncation": null, "padding": null,
             "added_tokens": [{"id": 12, "content": "<end>", "single_word": false, "lstrip": false, "rstrip": false,
                               "normalized": false, "special": true}],
             "normalizer": null, "pre_tokenizer": {"type": "Whitespace"},
             "post_processor": {"type": "TemplateProcessing",
               "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "<end>", "type_id": 0}}],
               "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
               "special_tokens": {"<end>": {"id": "<end>", "ids": [12], "tokens": ["<end>"]}}},
             "decoder": null,
             "model": {"type": "BPE", "dropout": null, "unk_token": "?", "continuing_subword_prefix": null,
                       "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
                       "vocab": {"?": 0, "l": 1, "o": 2, "w": 3, "e": 4, "r": 5, "n": 6, "s": 7, "t": 8,
                                 "lo": 9, "low": 10, "er": 11},
                       "merges": ["l o", "lo w", "e r"]}}
            """;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("tokenizer.json"), BYTE_PAIRS);
    }

    @Test
    void mergesAreAppliedInTheirOrder() throws Exception {
        try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.open(file)) {
            assertThat(tokenizer.encode("low lower newest lox")).containsExactly(10, 10, 11, 6, 4, 3, 4, 7, 8, 9, 0);
            assertThat(tokenizer.encode("")).isEmpty();
            assertThat(tokenizer.decode(new int[] {10, 11})).isEqualTo("low er");
        }
    }

    @Test
    void marksAreAddedOnlyWhereAskedFor() throws Exception {
        try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.open(file)) {
            assertThat(tokenizer.withSpecialTokens().encode("low")).containsExactly(10, 12);
            assertThat(tokenizer.encode("low")).containsExactly(10);
            assertThat(tokenizer.token("<end>")).hasValue(12);
            assertThat(tokenizer.token("<begin>")).isEmpty();
            assertThat(tokenizer.vocabularySize()).isEqualTo(13);
        }
    }

    @Test
    void longTextsAreNotCut() throws Exception {
        try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.open(file)) {
            assertThat(tokenizer.encode("low ".repeat(5_000))).hasSize(5_000).containsOnly(10);
        }
    }

    @Test
    void aFileThatCutsAndFillsUpDoesNeither() throws Exception {
        Files.writeString(file, BYTE_PAIRS.replace("\"truncation\": null, \"padding\": null,", """
                        "truncation": {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0},
                        "padding": {"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": null,
                                    "pad_id": 0, "pad_type_id": 0, "pad_token": "?"},"""));
        try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.open(file)) {
            assertThat(tokenizer.encode("low low low low low")).containsExactly(10, 10, 10, 10, 10);
            assertThat(tokenizer.withSpecialTokens().encode("low")).containsExactly(10, 12);
        }
    }

    @Test
    void aVeryLongTextWithoutASpaceIsOneWord() throws Exception {
        try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.open(file)) {
            assertThat(tokenizer.encode("low".repeat(100_000))).hasSize(100_000).containsOnly(10);
        }
    }

    @Test
    void halfOfASurrogatePairIsRefusedWithItsPlace() throws Exception {
        try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.open(file)) {
            assertThat(tokenizer.encode("lo\uD83D\uDE00\0")).containsExactly(9, 0, 0);
            for (String half : List.of("lo\uD83D", "lo\uDE00\uD83D", "lo\uD83D\uD83D\uDE00")) {
                assertThatThrownBy(() -> tokenizer.encode(half))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("character 2 is U+D");
            }
        }
    }

    @Test
    void aTokenBeyondTheVocabularyHasNoText() throws Exception {
        try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.open(file)) {
            for (int wrong : new int[] {-1, 13}) {
                assertThatThrownBy(() -> tokenizer.decode(new int[] {10, wrong}))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("tokens must be from 0 to 12 but one was " + wrong);
            }
        }
    }

    @Test
    void anAddedTokenThatTheLibraryNumbersOtherwiseIsRefused() throws Exception {
        Files.writeString(file, BYTE_PAIRS.replace("\"id\": 12, \"content\"", "\"id\": 99, \"content\""));

        assertThatThrownBy(() -> HuggingFaceTokenizer.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("gives the added token '<end>' the number 99, but the library 12");
    }

    @Test
    void severalThreadsTokenizeIntoPackedSequences() throws Exception {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            texts.add("low ".repeat(i % 7 + 1) + "er");
        }
        try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.open(file);
                Run<TokenSequence> run = Packing.into(64)
                        .endOfDocument(tokenizer.token("<end>").orElseThrow())
                        .concatenate(Pipeline.from(texts).pipe("tokenize", tokenizer::encode, cpu(4).inputOrder()))
                        .start()) {
            List<Integer> tokens = new ArrayList<>();
            for (TokenSequence sequence : run) {
                for (int i = 0; i < sequence.used(); i++) {
                    tokens.add(sequence.tokens()[i]);
                }
            }
            List<Integer> expected = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                for (int low = 0; low <= i % 7; low++) {
                    expected.add(10);
                }
                expected.add(11);
                expected.add(12);
            }
            assertThat(tokens).isEqualTo(expected);
        }
    }

    @Test
    void whatIsNoTokenizerIsRefusedWithItsName() throws Exception {
        for (String text :
                List.of("", "{}", "[]", "{\"model\": {\"vocab\": {\"a\": \"b\"}}}", "{\"model\": {\"vocab\": {}}}")) {
            Files.writeString(file, text);
            assertThatThrownBy(() -> HuggingFaceTokenizer.open(file))
                    .as(text)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file.toString());
        }
        assertThatThrownBy(() -> HuggingFaceTokenizer.open(folder.resolve("absent")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("absent");
    }
}
