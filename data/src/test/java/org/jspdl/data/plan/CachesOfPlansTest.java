package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.plan.PlanRuns.batches;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.data.cache.CacheNotes;
import org.jspdl.data.cache.CacheSetup;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `cache` and `cache-size` of sources, over a folder of one class.
class CachesOfPlansTest {
    private static final String LOADED = """

            steps:
              - {load-text: {from: [file]}, cpu: 1}
              - batch: 4
              - collate: {}
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void writeTexts() throws IOException {
        Files.createDirectories(folder.resolve("data/a"));
        Files.writeString(folder.resolve("data/a/1.txt"), "one");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            cache-size: 5GiB                 | 'cache-size' needs 'cache', which says where the cache is
            cache: none                      | cache: 'none' is neither 'memory' nor the path of a folder; for no cache
            cache: Memory                    | cache: 'Memory' is neither 'memory' nor the path of a folder
            cache: ~/cache                   | cache: '~' stands for no home folder here
            cache: memory, cache-size: 500   | cache: size must be at least 1MiB, or hardly a file fits, but was '500'
            cache: {folder: kept, size: 20}  | cache: size must be at least 1MiB
            cache: data/kept                 | the folder must be outside of the dataset, or what is kept would be read
            """)
    void whatIsMeantOtherwiseIsRefusedAndNothingIsMade(String said, String message) throws IOException {
        assertThatThrownBy(() -> batches(folder, "source: {files: {path: data, " + said + "}}" + LOADED))
                .hasMessageContaining(message);
        try (var there = Files.list(folder)) {
            assertThat(there).containsExactly(folder.resolve("data"));
        }
        try (var there = Files.list(folder.resolve("data"))) {
            assertThat(there).containsExactly(folder.resolve("data/a"));
        }
    }

    @Test
    void aDatasetMayLieBesideItsCache() {
        batches(folder, "source: {files: {path: data, cache: data-kept}}" + LOADED);

        assertThat(folder.resolve("data-kept/entries")).isDirectory();
    }

    @Test
    void whoeverTellsItBeforeARunLearnsWhereSourcesReadAndWhatKeepsThem() {
        CacheNotes notes = new CacheNotes();
        Operations known = Operations.of(List.of(new SampleOperations(), new TextOperations()));
        PlanContext context = PlanContext.in(folder).offer(CacheNotes.class, notes);
        String text = """
                source:
                  merge:
                    of:
                      - source: {files: {path: data}}
                      - source: {files: {path: data, cache: {folder: kept, size: 3MiB, peers: 'http://a:1, http://b:1'}}}
                      - source: {files: {path: data, cache: memory}}
                """;
        try (CompiledPlan _ = Plan.of("plan.yaml", text).compile(known, context)) {
            List<CacheNotes.Source> sources = notes.sources();
            assertThat(sources).hasSize(3);
            assertThat(sources)
                    .allSatisfy(source -> assertThat(source.data().path()).isEqualTo(folder.resolve("data")));
            assertThat(sources.getFirst().cache()).isEmpty();
            CacheSetup disk = sources.get(1).cache().orElseThrow().setup();
            assertThat(disk.folder()).contains(folder.resolve("kept"));
            assertThat(disk.limitBytes()).isEqualTo(3 << 20);
            assertThat(disk.heldBytes()).isZero();
            assertThat(disk.freeBytes()).isPresent();
            assertThat(disk.peers().orElseThrow().addresses()).containsExactly("http://a:1", "http://b:1");
            assertThat(disk.peers().orElseThrow().machines()).isEqualTo(2);
            assertThat(disk.served()).isEmpty();
            CacheSetup memory = sources.get(2).cache().orElseThrow().setup();
            assertThat(memory.folder()).isEmpty();
            assertThat(memory.limitBytes()).isEqualTo(1L << 30);
        }
    }
}
