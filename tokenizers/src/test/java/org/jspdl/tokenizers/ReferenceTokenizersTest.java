package org.jspdl.tokenizers;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspdl.json.JsonReader;
import org.jspdl.testing.Programs;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tokenizers of every kind and random texts, whose numbers Hugging Face's library for Python said: with accents in
/// one piece and in two, controls, emoji, marks within the text, and nothing. `resources/reference/make.py` makes them;
/// `tokenizers.zip` has the first twelve, by version 0.23.2.
class ReferenceTokenizersTest {
    private static final int KEPT = 12;

    @TempDir
    Path folder;

    private static int[] numbers(JsonReader json) {
        json.beginArray();
        java.util.stream.IntStream.Builder numbers = java.util.stream.IntStream.builder();
        while (json.hasNext()) {
            numbers.add(Math.toIntExact(json.nextLong()));
        }
        json.endArray();
        return numbers.build().toArray();
    }

    private int compared(int first, int count) throws IOException {
        int texts = 0;
        for (int number = first; number < first + count; number++) {
            try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.open(folder.resolve(number + ".json"))) {
                for (String line : Files.readAllLines(folder.resolve(number + ".txt"))) {
                    JsonReader json = JsonReader.of(line);
                    json.beginArray();
                    String text = json.nextString();
                    int[] numbers = numbers(json);
                    assertThat(tokenizer.encode(text))
                            .as("tokenizer %d of %s", number, line)
                            .isEqualTo(numbers);
                    assertThat(tokenizer.withSpecialTokens().encode(text))
                            .as("tokenizer %d of %s, with marks", number, line)
                            .isEqualTo(numbers(json));
                    assertThat(tokenizer.decode(numbers))
                            .as("tokenizer %d of %s, back", number, line)
                            .isEqualTo(json.nextString());
                    texts++;
                }
            }
        }
        return texts;
    }

    @Test
    void numbersAreThoseOfTheLibraryForPython() throws Exception {
        try (InputStream packed = requireNonNull(getClass().getResourceAsStream("/reference/tokenizers.zip"));
                ZipInputStream files = new ZipInputStream(packed)) {
            for (ZipEntry each = files.getNextEntry(); each != null; each = files.getNextEntry()) {
                Files.copy(files, folder.resolve(each.getName()));
            }
        }
        assertThat(compared(0, KEPT)).isEqualTo(40 * KEPT);
    }

    /// 500 tokenizers, or `-Djspdl.campaign.count=N`; needs tokenizers.
    @Test
    @Tag("campaign")
    void numbersOfManyTokenizersAreThoseOfTheLibraryForPython() throws Exception {
        int first = Integer.getInteger("jspdl.campaign.seed", 1_000);
        int count = Integer.getInteger("jspdl.campaign.count", 500);
        Path script = folder.resolve("make.py");
        try (InputStream text = requireNonNull(getClass().getResourceAsStream("/reference/make.py"))) {
            Files.copy(text, script);
        }
        Programs.output(
                folder,
                java.util.List.of(
                        Requires.python("tokenizers"),
                        script.toString(),
                        folder.toString(),
                        String.valueOf(first),
                        String.valueOf(count)));
        System.out.printf("%,d tokenizers from %,d on: %,d texts%n", count, first, compared(first, count));
    }
}
