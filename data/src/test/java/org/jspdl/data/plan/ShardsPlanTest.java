package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.plan.PlanRuns.batches;
import static org.jspdl.data.plan.PlanRuns.listed;
import static org.jspdl.data.plan.PlanRuns.numbers;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspdl.archive.TarWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.data.plan.PlanRuns.Held;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `shards` over four tars of ten samples each, with a caption, a class and some bytes.
class ShardsPlanTest {
    private static final int SAMPLES = 40;
    private static final String LOADED = """
            steps:
              - {load-text: {}, cpu: 2, order: input}
              - load-number: {}
              - batch: 8
              - collate: {pad: [bin]}
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void writeShards() throws Exception {
        for (int shard = 0; shard < 4; shard++) {
            try (TarWriter tar = TarWriter.create(folder.resolve("t-" + shard + ".tar"))) {
                for (int i = shard * 10; i < shard * 10 + 10; i++) {
                    add(tar, i + ".txt", "caption " + i);
                    add(tar, i + ".cls", "" + i % 7);
                    add(tar, i + ".bin", "x".repeat(i % 3 + 1));
                }
            }
        }
    }

    private static void add(TarWriter tar, String name, String text) throws Exception {
        tar.add(name, MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> captions() {
        return IntStream.range(0, SAMPLES).mapToObj(i -> "caption " + i).toList();
    }

    @Test
    void fieldsAreTheSuffixesAndBytesArePadded() {
        List<Map<String, Object>> batches = batches(folder, "source: {shards: {path: 't-{0..3}.tar'}}\n" + LOADED);

        assertThat(listed(batches, "text")).isEqualTo(captions());
        assertThat(listed(batches, "key")).startsWith("0", "1").hasSize(SAMPLES);
        assertThat(numbers(batches, "label")).startsWith(0.0, 1.0, 2.0).endsWith(4.0);
        assertThat(batches.getFirst())
                .containsEntry("bin_length", List.of(1L, 2L, 3L, 1L, 2L, 3L, 1L, 2L))
                .containsEntry(
                        "bin",
                        Held.of(
                                ElementType.UINT8,
                                Shape.of(8, 3),
                                "x..xx.xxxx..xx.xxxx..xx."
                                        .chars()
                                        .mapToDouble(each -> each == '.' ? 0 : each)
                                        .toArray()));
    }

    @ParameterizedTest
    @CsvSource({"txt json, json", "json, txt json", "txt, json"})
    void aSampleWithoutItsTextIsNotItsMetadataUnlessThePlanSaysSo(String first, String second) throws Exception {
        try (TarWriter tar = TarWriter.create(folder.resolve("texts.tar"))) {
            for (String field : first.split(" ")) {
                add(tar, "a." + field, field);
            }
            for (String field : second.split(" ")) {
                add(tar, "b." + field, field);
            }
        }
        String plan = """
                source: {shards: {path: texts.tar}}
                steps: [load-text: {%s}, keep: {fields: [text]}, batch: 1, collate: {}]
                """;
        boolean differ = !first.equals("txt");

        if (differ) {
            assertThatThrownBy(() -> batches(folder, plan.formatted("")))
                    .hasStackTraceContaining("the field 'json' would be taken for")
                    .hasStackTraceContaining("texts.tar/a")
                    .hasStackTraceContaining("texts.tar/b");
        } else {
            assertThat(listed(batches(folder, plan.formatted("")), "text")).containsExactly("txt", "json");
        }
        assertThat(listed(batches(folder, plan.formatted("from: [txt, json]")), "text"))
                .containsExactly(first.split(" ")[0], second.split(" ")[0]);
    }

    @Test
    void aFileOfASampleThatIsCalledAsItsKeyIsRefusedUnlessItIsLeftOut() throws Exception {
        try (TarWriter tar = TarWriter.create(folder.resolve("keys.tar"))) {
            add(tar, "one.key", "two");
            add(tar, "one.cls", "1");
        }
        String plan = """
                source: {shards: {path: keys.tar%s}}
                steps: [load-number: {}, batch: 1, collate: {}]
                """;

        assertThatThrownBy(() -> batches(folder, plan.formatted("")))
                .hasStackTraceContaining("'one' has a field 'key', and 'key' is what samples are called");
        assertThat(listed(batches(folder, plan.formatted(", columns: [cls]")), "key"))
                .containsExactly("one");
    }

    @Test
    void aColumnKeyOfRowsWithoutNamesStandsInPlaceOfTheirNumbers() throws Exception {
        Files.writeString(folder.resolve("rows.jsonl"), """
                {"key": "a", "index": 7, "label": 1}
                {"key": "b", "index": 8, "label": 2}
                """);
        List<Map<String, Object>> batches = batches(folder, """
                source: {shards: {path: rows.jsonl}}
                steps: [load-text: {from: [key], to: key}, load-number: {}, batch: 2, collate: {}]
                """);

        assertThat(listed(batches, "key")).containsExactly("a", "b");
    }

    @Test
    void aFieldThatIsCalledAsAPlaceAmongRanksIsRefused() throws Exception {
        Files.writeString(folder.resolve("rows.jsonl"), """
                {"everywhere": 1, "label": 1}
                {"everywhere": 1, "label": 1}
                {"everywhere": 1, "label": 1}
                """);

        assertThatThrownBy(() -> batches(folder, """
                        source: {shards: {path: rows.jsonl, rank: 0, world-size: 2, even: uneven}}
                        steps: [load-number: {}, batch: 1, collate: {}]
                        """)).hasStackTraceContaining("has a field 'everywhere' of its own");
    }

    @Test
    void aFieldThatHasAnotherTypeInAnotherFileIsRefused() throws Exception {
        Shape rows = Shape.of(2, 3);
        Npy.write(
                folder.resolve("n-0.npy"),
                ArrayView.of(ElementType.INT64, rows, MemorySegment.ofArray(new long[] {1, 2, 3, 4, 5, 6})));
        Npy.write(
                folder.resolve("n-1.npy"),
                ArrayView.of(ElementType.FLOAT64, rows, MemorySegment.ofArray(new double[] {1, 2, 3, 4, 5, 6})));
        String plan = """
                source: {shards: {path: '%s'}}
                steps: [batch: 2, collate: {}]
                """;

        assertThat(batches(folder, plan.formatted("n-1.npy"))).hasSize(1);
        assertThatThrownBy(() -> batches(folder, plan.formatted("n-{0,1}.npy")))
                .hasStackTraceContaining(
                        "the field 'array' has elements of FLOAT64, and in the batch that begins with ")
                .hasStackTraceContaining("n-0.npy/0 of INT64");
    }

    @Test
    void aNumberThatIsWrittenOutIsNotMeasuredByItsCharacters() throws Exception {
        Files.writeString(folder.resolve("rows.jsonl"), """
                {"id": 1, "score": 0.25}
                {"id": 2, "score": 0.75}
                {"id": 3, "score": Infinity}
                {"id": 4, "score": NaN}
                """);
        String plan = """
                source: {shards: {path: rows.jsonl}}
                steps:
                  - load-number: {from: [id]}
                  %s
                  - where: {field: score, %s}
                  - {keep: {fields: [label]}}
                  - {batch: 4}
                  - {collate: {}}
                """;
        String load = "- load-number: {from: [score], to: score, type: decimal}";

        assertThatThrownBy(() -> batches(folder, plan.formatted("", "min: 0.5")))
                .hasStackTraceContaining("'where' would count the characters of the field 'score'");
        assertThat(numbers(batches(folder, plan.formatted(load, "min: 0.5")), "label"))
                .containsExactly(2.0, 3.0);
        assertThat(numbers(batches(folder, plan.formatted(load, "max: 0.5")), "label"))
                .containsExactly(1.0);
    }

    /// Two columns that are loaded by the usual name, and ones that are called as what a step makes.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{load-number: {from: [class]}}, {load-number: {from: [score]}}",
                "{load-number: {from: [class]}}, {load-number: {from: [score], to: caption}}",
                "{load-text: {from: [caption], to: score}}",
            })
    void noStepReplacesAnotherField(String steps) throws Exception {
        Files.writeString(folder.resolve("rows.jsonl"), "{\"class\": 1, \"score\": 7, \"caption\": \"a\"}");

        assertThatThrownBy(() -> batches(
                        folder,
                        "source: {shards: {path: rows.jsonl}}\nsteps: [" + steps + ", {batch: 1}, {collate: {}}]"))
                .hasStackTraceContaining("there is another field called so");
    }

    @Test
    void onlyTheColumnsThatAreAskedForAreThere() {
        List<Map<String, Object>> batches = batches(folder, """
                source: {shards: {path: 't-{0..3}.tar', columns: [cls]}}
                steps: [load-number: {}, batch: 40, collate: {}]
                """);

        assertThat(batches.getFirst().keySet()).containsExactlyInAnyOrder("key", "label");
    }

    @Test
    void shufflingIndexedTarsMixesAllOfThemAndBlockZeroReadsWholeShards() throws Exception {
        Path many = Files.createDirectory(folder.resolve("many"));
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("test")) {
            for (int shard = 0; shard < 64; shard++) {
                Path file = many.resolve("m-%02d.tar".formatted(shard));
                try (TarWriter tar = TarWriter.create(file)) {
                    for (int i = 0; i < 96; i++) {
                        add(tar, i + ".txt", "" + shard);
                        add(tar, i + ".cls", "" + i);
                    }
                }
                TarIndex index = TarIndex.of(new ShardFile(storage, Location.of(file), ShardOptions.defaults(), pool));
                Files.writeString(many.resolve("m-%02d.idx".formatted(shard)), TarIndex.write(index.samples()));
            }
        }
        String plan = """
                source: {shards: {path: many, shuffle: true, seed: 5%s}}
                steps: [load-text: {}, load-number: {}, batch: 256, collate: {}]
                """;

        List<Map<String, Object>> mixed = batches(folder, plan.formatted(""));

        assertThat(mixed).hasSize(24);
        assertThat(shardsOfABatch(mixed)).isGreaterThanOrEqualTo(60);
        assertThat(shardsOfABatch(batches(folder, plan.formatted(", block: 0"))))
                .isLessThan(30);
    }

    private static double shardsOfABatch(List<Map<String, Object>> batches) {
        return batches.stream()
                .mapToInt(batch -> new HashSet<>(listed(List.of(batch), "text")).size())
                .average()
                .orElseThrow();
    }

    @Test
    void shuffledRanksReadEverythingBetweenThem() {
        List<Object> seen = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            seen.addAll(listed(batches(folder, """
                            source:
                              shards: {path: 't-{0..3}.tar', shuffle: true, seed: 3, interleave: 2, window: 8,
                                       rank: %d, world-size: 2, even: uneven}
                            """.formatted(rank) + LOADED), "text"));
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(captions()).isNotEqualTo(captions());
    }

    @Test
    void ranksOfShardsWithoutIndexesMatchAsIsAsked() {
        int all = captions().size();
        for (String even : List.of("count", "stop-together", "repeat")) {
            for (int rank = 0; rank < 7; rank++) {
                List<Object> share = listed(batches(folder, """
                            source: {shards: {path: 't-{0..3}.tar', rank: %d, world-size: 7, even: %s}}
                            """.formatted(rank, even) + LOADED), "text");
                assertThat(share).hasSize(even.equals("repeat") ? Math.ceilDiv(all, 7) : all / 7);
            }
        }
    }

    @Test
    void aStreamOfShardsGoesOnWhereItStoodInTheMiddleOfAWindow() {
        String plan = """
                source: {shards: {path: 't-{0..3}.tar', shuffle: true, seed: 3, interleave: 2, window: 8}}
                epochs: 2
                """ + LOADED;
        List<Map<String, Object>> whole = batches(folder, plan);
        for (int taken = 1; taken < whole.size(); taken += 2) {
            List<Map<String, Object>> delivered = new ArrayList<>();
            Checkpoint state;
            try (CompiledPlan compiled = PlanRuns.compile(folder, plan);
                    Run<?> run = compiled.start()) {
                Iterator<?> batches = run.iterator();
                while (delivered.size() < taken) {
                    if (!batches.hasNext()) {
                        assertThat(run.nextEpoch()).isTrue();
                        batches = run.iterator();
                    }
                    delivered.add(PlanRuns.held((TensorBatch) batches.next()));
                }
                state = Checkpoint.parse(run.checkpoint().toJson());
            }
            try (CompiledPlan compiled = PlanRuns.compile(folder, plan);
                    Run<?> run = compiled.pipeline().start(compiled.options().resumeFrom(state))) {
                delivered.addAll(PlanRuns.rest(run));
            }
            assertThat(delivered).as("%d batches before", taken).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @CsvSource({"count, 39", "stop-together, 40", "repeat, 40", "uneven, 40"})
    void otherRanksTakeOverInTheMiddleOfAnEpoch(String even, int samples) {
        String plan = """
                source:
                  shards: {path: 't-{0..3}.tar', shuffle: true, seed: 3, interleave: 2, window: 8, rank: %d,
                           world-size: %d, even: %s}
                steps: [{load-text: {}, cpu: 2}, load-number: {}, batch: 3, {collate: {pad: [bin]}}]
                """;
        List<Object> seen = new ArrayList<>();
        List<Checkpoint> states = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            try (CompiledPlan compiled = PlanRuns.compile(folder, plan.formatted(rank, 3, even));
                    Run<?> run = compiled.start()) {
                Iterator<?> batches = run.iterator();
                for (int taken = 0; taken <= rank; taken++) {
                    seen.addAll(listed(List.of(PlanRuns.held((TensorBatch) batches.next())), "text"));
                }
                states.add(run.checkpoint());
            }
        }
        for (int rank = 0; rank < 2; rank++) {
            try (CompiledPlan compiled = PlanRuns.compile(folder, plan.formatted(rank, 2, even));
                    Run<?> run = compiled.pipeline().start(compiled.options().resumeFrom(Checkpoint.combine(states)))) {
                seen.addAll(listed(PlanRuns.rest(run), "text"));
            }
        }

        assertThat(seen).hasSize(samples).doesNotHaveDuplicates();
    }

    @Test
    void brokenSamplesAreSkippedAsFarAsThePlanAllows() throws Exception {
        Files.writeString(folder.resolve("l.jsonl"), """
                {"text": "one", "label": 1}
                {"text": "no end
                {"text": "three", "label": 3}
                """);
        String plan = """
                source: {shards: {path: l.jsonl, max-failures: %d}}
                steps: [load-text: {}, load-number: {}, batch: 4, collate: {}]
                """;

        assertThat(listed(batches(folder, plan.formatted(1)), "text")).isEqualTo(List.of("one", "three"));
        assertThatThrownBy(() -> batches(folder, plan.formatted(0)))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("l.jsonl: sample 1");
    }
}
