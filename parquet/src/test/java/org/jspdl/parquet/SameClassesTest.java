package org.jspdl.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.image.ImageLoader;
import org.jspdl.data.image.ImageLoaderOptions;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Even;
import org.jspdl.source.Position;
import org.jspdl.source.ShardStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A number means one class in all shards that are read together.
class SameClassesTest {
    @TempDir
    Path root;

    private Path folder;

    @BeforeEach
    void makeFolder() throws Exception {
        folder = Files.createDirectory(root.resolve("shards"));
    }

    private static String label(String... names) {
        return List.of(names).stream()
                .collect(Collectors.joining("\", \"", "{\"names\": [\"", "\"], \"_type\": \"ClassLabel\"}"));
    }

    private void shard(int number, String features) throws Exception {
        try (DuckDb duck = new DuckDb()) {
            String metadata = features.isEmpty()
                    ? ""
                    : ", KV_METADATA {huggingface: '{\"info\": {\"features\": {" + features + "}}}'}";
            duck.write(
                    "SELECT range AS label, [range] AS parts, 'x' AS jpg FROM range(2)",
                    folder.resolve("s-" + number + ".parquet"),
                    metadata);
        }
    }

    private List<Long> labels(int rank, int ranks) throws Exception {
        List<Long> labels = new ArrayList<>();
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("test")) {
            ShardStream<ShardSample> stream = Shards.open(storage, folder.toString(), ShardOptions.defaults(), pool)
                    .shard(rank, ranks)
                    .even(Even.UNEVEN);
            try (Cursor<ShardSample> cursor = stream.open(0, Position.START)) {
                while (cursor.advance()) {
                    try (ShardSample sample = cursor.item()) {
                        labels.add(sample.number("label"));
                    }
                }
            }
        }
        return labels;
    }

    private static void assertBothAreNamed(ThrowingCallable reading, String one, String other) {
        assertThatThrownBy(reading)
                .hasStackTraceContaining(DatasetException.class.getName())
                .hasMessageContaining(one)
                .hasMessageContaining(other)
                .hasMessageContaining("numbers of classes must mean the same");
    }

    @Test
    void shardsThatNumberClassesAlikeOrSayNothingAreReadTogether() throws Exception {
        shard(0, "");
        shard(1, "\"label\": " + label("cat", "dog"));
        shard(2, "\"label\": " + label("cat", "dog") + ", \"jpg\": {\"_type\": \"Image\"}");
        shard(3, "");

        assertThat(labels(0, 1)).containsExactly(0L, 1L, 0L, 1L, 0L, 1L, 0L, 1L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "cat,dog | dog,cat     | class 0 of 'label' is 'cat' | 'dog' in",
                "cat,dog | cat,dog,owl | class 2 of 'label' is not there in | which has 2 classes",
                "cat,dog | cat         | class 1 of 'label' is 'dog' | which has 1 classes",
            })
    void shardsThatNumberClassesOtherwiseAreNamedBoth(String first, String second, String one, String other)
            throws Exception {
        shard(0, "\"label\": " + label(first.split(",")));
        shard(1, "\"label\": " + label(second.split(",")));

        assertBothAreNamed(() -> labels(0, 1), one, other);
        assertBothAreNamed(() -> labels(0, 1), "s-0.parquet", "s-1.parquet");
    }

    @Test
    void aRankThatDoesNotReadTheFirstShardComparesWithItNevertheless() throws Exception {
        shard(0, "\"label\": " + label("cat", "dog"));
        shard(1, "\"label\": " + label("dog", "cat"));

        assertBothAreNamed(() -> labels(1, 2), "s-0.parquet", "s-1.parquet");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"parts\": {\"feature\": %s, \"_type\": \"Sequence\"}",
                "\"parts\": [%s]",
                "\"parts\": {\"feature\": {\"kind\": %s}, \"_type\": \"List\"}",
            })
    void classesWithinListsAndStructuresCount(String feature) throws Exception {
        shard(0, feature.formatted(label("a", "b")));
        shard(1, feature.formatted(label("b", "a")));

        assertBothAreNamed(() -> labels(0, 1), "'parts", "s-1.parquet");
    }

    @Test
    void aLoaderOfImagesNamesBothShards() throws Exception {
        shard(0, "\"label\": " + label("cat", "dog"));
        shard(1, "\"label\": " + label("dog", "cat"));

        assertBothAreNamed(
                () -> {
                    try (ImageLoader loader = ImageLoader.open(folder.toString(), ImageLoaderOptions.defaults())) {
                        for (ImageBatch batch : loader) {
                            batch.close();
                        }
                    }
                },
                "s-0.parquet",
                "s-1.parquet");
    }
}
