package org.jspdl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackedTokensTest {
    private static final String WORDS = """
            {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
             "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
             "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "to": 1, "be": 2, "or": 3, "<end>": 4}}}
            """;

    @TempDir
    Path folder;

    @Test
    void everyDocumentEndsUpInABatch() throws Exception {
        Path tokenizer = Files.writeString(folder.resolve("tokenizer.json"), WORDS);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            text.append("to be or\nnot ".repeat(1 + i % 5)).append("\n\n");
        }
        Path documents = Files.writeString(folder.resolve("text.txt"), text);

        // 4 tokens, 1 to 5 times, and the end: 300 x 13 tokens.
        assertThat(Printed.by(() -> PackedTokens.main(new String[] {documents.toString(), tokenizer.toString()})))
                .isEqualTo("300 documents in 61 sequences of 64 tokens, 99.9 % filled\n");
    }
}
