package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.plan.PlanRuns.batches;
import static org.jspdl.data.plan.PlanRuns.numbers;
import static org.jspdl.data.plan.PlanRuns.tensor;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspdl.archive.ZipWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.NpzWriter;
import org.jspdl.data.plan.PlanRuns.Held;
import org.jspdl.data.text.TokenFileWriter;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextPlanTest {
    @TempDir
    Path folder;

    @Test
    void documentsArePackedWithTheirNumbersAndPositions() throws IOException {
        Files.writeString(folder.resolve("corpus.txt"), "ab\ncd\n\nefg\n");

        List<Map<String, Object>> batches = batches(folder, """
                source: {texts: {path: corpus.txt, unit: document}}
                steps:
                  - {tokenize-bytes: {}, cpu: 2, order: input}
                  - pack: {length: 5, end-of-document: 256}
                  - batch: 2
                  - stack-tokens: {}
                """);

        Map<String, Object> batch = batches.getFirst();
        assertThat(tensor(batch, "tokens").shape()).isEqualTo(Shape.of(2, 5));
        assertThat(numbers(batches, "tokens"))
                .startsWith((double) 'a', (double) 'b', (double) '\n', (double) 'c', (double) 'd')
                .containsSubsequence(256.0, (double) 'e', (double) 'f', (double) 'g', 256.0);
        assertThat(batch).containsKeys("documents", "positions");
    }

    @Test
    void linesAreShuffledAndDealtToRanks() throws IOException {
        Files.writeString(folder.resolve("lines.txt"), "a\nb\n\nc\nd\ne\nf\n");
        List<Double> seen = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            seen.addAll(numbers(batches(folder, """
                            source: {texts: {path: lines.txt, shuffle: true, seed: 1, rank: %d, world-size: 2}}
                            steps: [tokenize-bytes: {}, pack: {length: 1}, batch: 4, stack-tokens: {}]
                            """.formatted(rank)), "tokens"));
        }
        assertThat(seen).containsExactlyInAnyOrder(97.0, 98.0, 99.0, 100.0, 101.0, 102.0);
    }

    @Test
    void wholeDocumentsArePackedWhereTheyFitAndTheRestIsPadding() throws IOException {
        Files.writeString(folder.resolve("lines.txt"), "aaa\nbb\nc\n");

        List<Double> tokens = numbers(batches(folder, """
                        source: {texts: {path: lines.txt}}
                        steps: [tokenize-bytes: {}, pack: {length: 4, strategy: best-fit, padding: 7}, batch: 2, stack-tokens: {}]
                        """), "tokens");

        assertThat(tokens).containsExactlyInAnyOrder(97.0, 97.0, 97.0, 99.0, 98.0, 98.0, 7.0, 7.0);
    }

    @Test
    void theTextOfASampleGoesOnAlone() throws IOException {
        Files.writeString(folder.resolve("l.jsonl"), "{\"body\": \"xy\", \"n\": 1}\n{\"body\": \"z\", \"n\": 2}\n");

        assertThat(numbers(batches(folder, """
                        source: {shards: {path: l.jsonl, columns: [body]}}
                        steps: [take-text: {field: body}, tokenize-bytes: {}, pack: {length: 3}, batch: 1, stack-tokens: {}]
                        """), "tokens")).containsExactly(120.0, 121.0, 122.0);
    }

    @Test
    void anArrayIsNotTakenForTheTextThatDescribesIt() throws IOException {
        try (NpzWriter npz = NpzWriter.create(folder.resolve("rows.npz"), ZipWriter.Method.STORED)) {
            npz.add("one", ArrayView.of(ElementType.INT64, Shape.of(2), MemorySegment.ofArray(new long[] {12, 3})));
            npz.add("two", ArrayView.of(ElementType.UINT8, Shape.of(2, 2), MemorySegment.ofArray(new byte[4])));
        }
        String plan = """
                source: {shards: {path: rows.npz}}
                steps: [take-text: {field: %s}, tokenize-bytes: {}, pack: {length: 3}, batch: 1, stack-tokens: {}]
                """;

        assertThat(numbers(batches(folder, plan.formatted("one")), "tokens")).containsExactly(49.0, 50.0, 51.0);
        assertThatThrownBy(() -> batches(folder, plan.formatted("two")))
                .hasStackTraceContaining("the field 'two' is no text and no number, but an array");
    }

    @Test
    void aFieldThatIsThereIsNotReplacedByAnotherThatIsLoaded() throws IOException {
        Files.writeString(folder.resolve("l.jsonl"), "{\"cls\": 4, \"label\": \"cat\"}\n");
        String source = "source: {shards: {path: l.jsonl}}\nsteps: [";

        assertThatThrownBy(() -> batches(folder, source + "load-number: {}, batch: 1, collate: {}]"))
                .hasStackTraceContaining("the field 'cls' is loaded as 'label', and there is another field called so");
        assertThat(numbers(batches(folder, source + "load-number: {to: number}, batch: 1, collate: {}]"), "number"))
                .containsExactly(4.0);
        assertThat(numbers(
                        batches(folder, source + "keep: {fields: [cls]}, load-number: {}, batch: 1, collate: {}]"),
                        "label"))
                .containsExactly(4.0);
    }

    @Test
    void aFileOfTokensIsReadInSequencesThatMayOverlap() throws IOException {
        Path file = folder.resolve("corpus.tokens");
        try (TokenFileWriter writer = TokenFileWriter.create(file, 300)) {
            writer.add(new int[] {1, 2, 3});
            writer.add(new int[] {4, 5, 6, 7});
            writer.finish();
        }
        List<Map<String, Object>> batches = batches(folder, """
                source: {token-file: {path: corpus.tokens, length: 4, stride: 3}}
                steps: [batch: 2, stack-tokens: {}]
                """);

        Held tokens = tensor(batches.getFirst(), "tokens");
        assertThat(tokens.type()).isIn(ElementType.INT32, ElementType.INT64);
        assertThat(tokens.shape()).isEqualTo(Shape.of(2, 4));
        assertThat(tokens.values()).containsExactly(1.0, 2.0, 3.0, 4.0, 4.0, 5.0, 6.0, 7.0);
    }

    @Test
    void wholeDocumentsOfAFileOfTokensAreBalancedOverRanks() throws IOException {
        Path file = folder.resolve("corpus.tokens");
        try (TokenFileWriter writer = TokenFileWriter.create(file, 300)) {
            for (int document = 0; document < 60; document++) {
                int[] tokens = new int[document % 3 == 0 ? 20 : 5];
                Arrays.fill(tokens, 1 + document);
                writer.add(tokens);
            }
            writer.finish();
        }
        List<Double> seen = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            List<Map<String, Object>> batches = batches(folder, """
                    source: {token-file: {path: corpus.tokens, length: 30, strategy: balanced, longest: 10, shuffle: true, seed: 5, rank: %d, world-size: 2}}
                    steps: [batch: 1, stack-tokens: {}]
                    """.formatted(rank));
            assertThat(batches).hasSize(10);
            assertThat(numbers(batches, "positions")).allMatch(position -> position < 10);
            seen.addAll(numbers(batches, "tokens"));
        }
        assertThat(seen.stream().filter(token -> token != 0)).hasSize(600).contains(1.0, 60.0);
    }
}
