package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.plan.PlanRuns.batches;
import static org.jspdl.data.plan.PlanRuns.listed;
import static org.jspdl.data.plan.PlanRuns.numbers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspdl.data.cache.CacheServer;
import org.jspdl.data.cache.CacheServerOptions;
import org.jspdl.data.cache.CachedStorage;
import org.jspdl.data.cache.DiskCache;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `files` and what turns their fields into texts and numbers, over 30 texts of three classes.
class FilesPlanTest {
    private static final String LOADED = """
            steps:
              - {load-text: {from: [file]}, cpu: 2, order: input}
              - batch: 4
              - collate: {}
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void writeTexts() throws IOException {
        for (int i = 0; i < 30; i++) {
            Path file = folder.resolve("data/c%d/%02d.txt".formatted(i / 10, i));
            Files.createDirectories(file.getParent());
            Files.writeString(file, "text " + i);
        }
    }

    private static List<String> texts() {
        return IntStream.range(0, 30).mapToObj(i -> "text " + i).toList();
    }

    @Test
    void aFolderOfClassesHasLabelsAndIndicesInItsOrder() {
        List<Map<String, Object>> batches = batches(folder, "source: {files: {path: data}}\n" + LOADED);

        assertThat(batches).hasSize(8);
        assertThat(batches.getFirst().keySet()).containsExactlyInAnyOrder("index", "label", "text");
        assertThat(listed(batches, "text")).isEqualTo(texts());
        assertThat(numbers(batches, "label")).startsWith(0.0).contains(1.0).endsWith(2.0);
        assertThat(numbers(batches, "index"))
                .isEqualTo(DoubleStream.iterate(0, i -> i + 1).limit(30).boxed().toList());
    }

    @Test
    void ranksShareOneShuffledOrderThatChangesWithTheEpoch() {
        List<Object> first = new ArrayList<>();
        List<Object> second = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            List<Object> seen = listed(batches(folder, """
                            source: {files: {path: data, shuffle: true, seed: 9, rank: %d, world-size: 3}}
                            epochs: 2
                            """.formatted(rank) + LOADED), "text");
            assertThat(seen).hasSize(20);
            first.addAll(seen.subList(0, 10));
            second.addAll(seen.subList(10, 20));
        }
        assertThat(first).containsExactlyInAnyOrderElementsOf(texts()).isNotEqualTo(texts());
        assertThat(second).containsExactlyInAnyOrderElementsOf(texts()).isNotEqualTo(first);
    }

    @Test
    void aPatternTakesFilesOfAnyFolderWithoutLabels() {
        List<Map<String, Object>> batches =
                batches(folder, "source: {files: {path: data, glob: '**/*5.txt'}}\n" + LOADED);

        assertThat(listed(batches, "text")).isEqualTo(List.of("text 5", "text 15", "text 25"));
        assertThat(batches.getFirst()).doesNotContainKey("label");
    }

    @Test
    void numbersAreReadAndOnlyWhatIsKeptGoesOn() throws IOException {
        Path values = Files.createDirectories(folder.resolve("values"));
        for (int i = 0; i < 3; i++) {
            Files.writeString(values.resolve(i + ".txt"), " " + (i + 0.5) + "\n");
        }
        List<Map<String, Object>> batches = batches(folder, """
                source: {files: {path: values, glob: '*.txt'}}
                steps:
                  - load-number: {from: [label, file], to: height, type: decimal}
                  - keep: {fields: [height]}
                  - batch: 3
                  - collate: {}
                """);

        assertThat(batches.getFirst().keySet()).containsExactly("height");
        assertThat(numbers(batches, "height")).containsExactly(0.5, 1.5, 2.5);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            load-text: {from: [caption, jpg]}           | there is no field 'caption' or 'jpg', only [file, index, label]
            load-number: {from: [file]}                 | 'text 0' is no whole number
            load-number: {from: [index]}                | the field 'index' holds no file: it was loaded already
            keep: {fields: [mask]}                      | there is no field 'mask'
            keep: {fields: [file]}                      | the field 'file' was not loaded: put a step such as load-image
            """)
    void whatASampleDoesNotHoldIsSaidWithItsName(String step, String reason) {
        assertThatThrownBy(() -> batches(folder, """
                        source: {files: {path: data}}
                        steps:
                          - %s
                          - batch: 4
                          - collate: {}
                        """.formatted(step)))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("00.txt")
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {path: data, rank: 2, world-size: 2}        | 'rank' must be below 'world-size' but was 2 of 2
            {path: data, rank: 0, world-size: 31}       | cannot load a part of 30 items
            {path: nowhere}                             | there is no folder or file list at
            {path: nowhere, glob: '*'}                 | there is no folder at
            {path: data, glob: '*.jpg'}                | matches '*.jpg'
            """)
    void sourcesThatCannotBeAreRefusedBeforeTheRun(String given, String reason) {
        assertThatThrownBy(() -> {
                    try (CompiledPlan plan = PlanRuns.compile(folder, "source: {files: " + given + "}\nsteps: []")) {
                        plan.output();
                    }
                })
                .hasMessageContaining(reason)
                .hasMessageContaining("plan.yaml:1");
    }

    @Test
    void imagesOfCocoHaveBoxes() throws IOException {
        Files.writeString(folder.resolve("instances.json"), """
                {"images": [{"id": 5, "file_name": "c0/03.txt"}, {"id": 6, "file_name": "c1/12.txt"}],
                 "annotations": [{"image_id": 6, "category_id": 7, "bbox": [1, 2, 3, 4]},
                                 {"image_id": 6, "category_id": 9, "bbox": [5, 6, 7, 8], "iscrowd": 1}],
                 "categories": [{"id": 7, "name": "cat"}, {"id": 9, "name": "dog"}]}
                """);
        List<Map<String, Object>> batches = batches(folder, """
                source: {coco: {path: instances.json, images: data}}
                steps:
                  - {load-text: {from: [file]}, cpu: 2, order: input}
                  - batch: 4
                  - collate: {pad: [boxes, labels, crowds]}
                """);

        assertThat(listed(batches, "text")).containsExactly("text 3", "text 12");
        assertThat(numbers(batches, "image_id")).containsExactly(5.0, 6.0);
        assertThat(numbers(batches, "labels")).containsExactly(0.0, 0.0, 0.0, 1.0);
        assertThat(numbers(batches, "boxes"))
                .endsWith(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
                .hasSize(16);
        assertThat(listed(batches, "boxes_length")).containsExactly(0L, 2L);
        assertThat(numbers(batches, "crowds")).containsExactly(0.0, 0.0, 0.0, 1.0);
    }

    @Test
    void aPlanSaysHowOtherMachinesAreAsked() throws IOException {
        try (ObjectServer server = ObjectServer.start(Faults.none().unavailable(1, Duration.ZERO))) {
            String plan = """
                    source: {files: {path: '%s', storage: {read-deadline: 300ms, retry-budget: 1, hedge-share: 0.0}}}
                    """.formatted(server.url("/list.txt")) + LOADED;

            assertThatThrownBy(() -> batches(folder, plan)).hasMessageContaining("within 300 ms");
        }
    }

    @Test
    void aPlanAsksTheCachesOfOtherMachines() throws IOException {
        try (ObjectServer server = ObjectServer.start(Faults.none());
                Storage storage = Storage.open();
                DiskCache theirs = DiskCache.open(folder.resolve("theirs"), 1 << 20);
                CacheServer served = CacheServer.start(theirs, CacheServerOptions.at(0));
                BufferPool pool = BufferPool.create("theirs", 1 << 20)) {
            server.put("/a.txt", ObjectContent.of("one".getBytes(StandardCharsets.UTF_8)));
            server.put("/list.txt", ObjectContent.of("a.txt 0\n".getBytes(StandardCharsets.UTF_8)));
            CachedStorage.of(storage, theirs)
                    .object(server.url("/a.txt"))
                    .readAll(pool, 100)
                    .close();
            String plan = """
                    source:
                      files:
                        path: '%s'
                        cache:
                          folder: ours
                          size: 1MiB
                          peers: 'http://127.0.0.1:%d'
                          patience: 20s
                          serve: 0
                          listen: 127.0.0.1
                    """.formatted(server.url("/list.txt"), served.port()) + LOADED;

            batches(folder, plan);

            assertThat(served.sent()).isEqualTo(1);
        }
        assertThatThrownBy(
                        () -> batches(folder, "source: {files: {path: data, cache: {peers: 'http://a:1'}}}\n" + LOADED))
                .hasMessageContaining("cache: folder must be a local folder");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{deadline: 5s}~storage has no setting 'deadline', but read-deadline,",
                "{hedge-share: 2}~storage hedge-share: share must be between 0 and 1 but was 2.0",
                "{netrc: nowhere}~nowhere: the file does not exist",
                "5s~'storage' must be a map of names and values but was the text '5s'",
                "{read-deadline: [5s]}~'storage' must be a map of names and values but was a map with 'read-deadline'"
            })
    void aWrongSettingOfStorageIsNamedWithItsPlaceInThePlan(String storage, String message) {
        assertThatThrownBy(() -> batches(folder, "source: {files: {path: data, storage: " + storage + "}}\n" + LOADED))
                .hasMessageContaining(":1:")
                .hasMessageContaining(message);
    }
}
