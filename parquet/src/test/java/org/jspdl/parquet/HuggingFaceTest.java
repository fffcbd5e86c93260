package org.jspdl.parquet;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.image.ImageLoader;
import org.jspdl.data.image.ImageLoaderOptions;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSummary;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Datasets as Hugging Face publishes them: images in a structure of bytes and path, and what the features mean in the
/// metadata of the schema. DuckDB writes them.
class HuggingFaceTest {
    private static final String FEATURES = "{\"info\": {\"features\": {\"photo\": {\"_type\": \"Image\"}, \"kind\":"
            + " {\"names\": [\"cat\", \"dog\", \"owl\"], \"_type\": \"ClassLabel\"}, \"note\": {\"dtype\": \"string\","
            + " \"_type\": \"Value\"}}}}";
    /// A picture of one pixel.
    private static final String BMP = "424d3a0000000000000036000000280000000100000001000000010018000000000004000000"
            + "130b0000130b0000000000000000000000ff8000";

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("parquet", 1 << 26);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private static String rows(int from, int count) {
        return "SELECT {'bytes': '" + hex() + "'::BLOB, 'path': 'a.bmp'} AS photo, ((range + " + from
                + ") % 3)::BIGINT AS kind, 'n' || range AS note, [NULL, range] AS holes FROM range(" + count + ")";
    }

    private static String hex() {
        StringBuilder text = new StringBuilder();
        for (byte each : HexFormat.of().parseHex(BMP)) {
            text.append(String.format("\\x%02X", each));
        }
        return text.toString();
    }

    private Path dataset(String... files) throws Exception {
        Path data = Files.createDirectories(folder.resolve("hf/data"));
        Files.writeString(folder.resolve("hf/README.md"), "A dataset.");
        try (DuckDb duck = new DuckDb()) {
            for (String file : files) {
                duck.write(rows(0, 4), data.resolve(file), ", KV_METADATA {huggingface: '" + FEATURES + "'}");
            }
        }
        return folder.resolve("hf");
    }

    private static List<Integer> labels(Path location) throws Exception {
        return labels(location, ImageLoaderOptions.defaults());
    }

    private static List<Integer> labels(Path location, ImageLoaderOptions given) throws Exception {
        List<Integer> labels = new ArrayList<>();
        ImageLoaderOptions options =
                given.batchSize(3).image(ImageSpec.shorterSide(8).centerCrop(8, 8));
        try (ImageLoader loader = ImageLoader.open(location.toString(), options)) {
            assertThat(loader.classes()).containsExactly("cat", "dog", "owl");
            for (ImageBatch batch : loader) {
                try (batch) {
                    for (int label : batch.labels()) {
                        labels.add(label);
                    }
                }
            }
        }
        return labels;
    }

    @Test
    void aShuffledOrderSaysHowManyShardsItMixes() throws Exception {
        Path dataset = dataset("train-00000-of-00002.parquet", "train-00001-of-00002.parquet");
        ImageLoaderOptions shuffled = ImageLoaderOptions.defaults().shuffle(1);
        try (ImageLoader one = ImageLoader.open(dataset.toString(), shuffled.interleave(1));
                ImageLoader both = ImageLoader.open(dataset.toString(), shuffled);
                ImageLoader none = ImageLoader.open(dataset.toString(), ImageLoaderOptions.defaults())) {
            assertThat(one.mixing())
                    .isEqualTo("1 of 2 shards at a time, in windows of 1024 images; a larger 'interleave' mixes more,"
                            + " and so does an index of tar files ('jspdl index')");
            assertThat(both.mixing()).isEqualTo("2 of 2 shards at a time, in windows of 1024 images");
            assertThat(none.mixing()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"2, has no label, has one", "0, has a label, has none"})
    void aDatasetOfWhichOnlySomeImagesHaveLabelsIsRefused(int without, String one, String other) throws Exception {
        Path dataset = dataset();
        try (DuckDb duck = new DuckDb()) {
            duck.write(
                    rows(0, 4).replace("((range", "CASE WHEN range = " + without + " THEN NULL ELSE 1 END * ((range"),
                    dataset.resolve("data/train-00000-of-00001.parquet"),
                    ", KV_METADATA {huggingface: '" + FEATURES + "'}");
        }

        assertThatThrownBy(() -> labels(dataset))
                .hasStackTraceContaining(one + ", and ")
                .hasStackTraceContaining(other + ": give all of them labels");
    }

    @Test
    void aFilterLeavesTheImagesOfSomeRows() throws Exception {
        Path dataset = dataset("train-00000-of-00002.parquet", "train-00001-of-00002.parquet");
        ImageLoaderOptions some = ImageLoaderOptions.defaults().where(RowFilter.parse("kind < 2 and note != 'n0'"));

        assertThat(labels(dataset, some)).containsExactly(1, 0, 1, 0);
        Path files = folder.resolve("files");
        Files.write(
                Files.createDirectories(files.resolve("cat")).resolve("a.bmp"),
                HexFormat.of().parseHex(BMP));
        assertThatExceptionOfType(DatasetException.class)
                .isThrownBy(() -> labels(files, some))
                .withMessageContaining("files cannot be filtered");
    }

    @Test
    void aFolderLoadsWithoutOptionsAndKnowsItsClasses() throws Exception {
        Path hf = dataset("train-00000-of-00002.parquet", "train-00001-of-00002.parquet");

        assertThat(labels(hf)).containsExactly(0, 1, 2, 0, 0, 1, 2, 0);
    }

    @Test
    void ofSeveralSplitsTheOneForTrainingIsLoaded() throws Exception {
        Path hf = dataset("train-00000-of-00001.parquet", "test-00000-of-00001.parquet");

        assertThat(labels(hf)).hasSize(4);
        assertThat(labels(hf.resolve("data/test-*.parquet"))).hasSize(4);
    }

    @Test
    void splitsWithoutOneForTrainingAreNamed() throws Exception {
        Path hf = dataset("validation-00000-of-00001.parquet", "test-00000-of-00001.parquet");

        assertThatExceptionOfType(DatasetException.class)
                .isThrownBy(() -> labels(hf))
                .withMessageContaining("several splits, [test, validation]")
                .withMessageContaining("data/test-*");
    }

    @Test
    void inspectingNamesTheImagesTheLabelsAndTheClasses() throws Exception {
        Path hf = dataset("train-00000-of-00001.parquet");
        ShardSummary summary = Shards.inspect(
                storage, hf.resolve("data/train-00000-of-00001.parquet").toString(), pool);

        assertThat(summary.fields())
                .extracting(ShardSummary.FieldSummary::name)
                .containsExactly("photo.bytes", "photo.path", "kind", "note", "holes");
        assertThat(summary.traits())
                .containsEntry("images", "photo.bytes")
                .containsEntry("labels", "kind")
                .containsEntry("classes", "3 (cat, dog, owl)");
    }

    @Test
    void aStructureNamesAllOfItsPartsAndValidityNamesTheNulls() throws Exception {
        Path file = dataset("train-00000-of-00001.parquet").resolve("data/train-00000-of-00001.parquet");
        try (Cursor<ShardSample> cursor =
                open(file, ShardOptions.defaults().columns("photo", "holes", "holes.valid"))) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.names()).containsExactly("photo.bytes", "photo.path", "holes", "holes.valid");
                assertThat(sample.array("holes").shape().extents()).containsExactly(2);
                assertThat(sample.bytes("holes.valid").toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                        .containsExactly(0, 1);
            }
        }
        try (Cursor<ShardSample> cursor = open(file, ShardOptions.defaults().columns("holes"))) {
            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(cursor::advance)
                    .withMessageContaining("has a null as its element 0")
                    .withMessageContaining("'holes.valid'");
        }
    }

    @Test
    void partsOfADatasetAreFoundByPatterns() throws Exception {
        Path data = dataset(
                        "train-00000-of-00002.parquet", "train-00001-of-00002.parquet", "test-00000-of-00001.parquet")
                .resolve("data");

        assertThat(Shards.locations(storage, location(data + "/train-*.parquet")))
                .hasSize(2);
        assertThat(Shards.locations(storage, location(data + "/t*-0000?-of-0000[12].parquet")))
                .hasSize(3);
        assertThat(Shards.locations(storage, location(folder + "/**/test-*.parquet")))
                .hasSize(1);
        assertThat(Shards.locations(storage, location(data + "/{test,train}-00000*")))
                .hasSize(2);
        assertThatExceptionOfType(org.jspdl.data.storage.StorageException.class)
                .isThrownBy(() -> Shards.locations(storage, location(data + "/valid-*.parquet")))
                .withMessageContaining("no shard matches");
    }

    private static org.jspdl.data.storage.Location location(String text) {
        return org.jspdl.data.storage.Location.of(text);
    }

    private Cursor<ShardSample> open(Path file, ShardOptions options) throws Exception {
        return Shards.shard(storage, file.toString(), options, pool).open(0, Position.START);
    }

    /// `data/src/test/resources/reference/huggingface.py` wrote the file.
    @Test
    void aFileThatHuggingFacesOwnLibraryWroteLoadsWithItsClasses() throws Exception {
        Path file = folder.resolve("train-00000-of-00001.parquet");
        try (InputStream kept = requireNonNull(getClass().getResourceAsStream("/reference/huggingface.parquet"))) {
            Files.copy(kept, file);
        }
        List<Integer> labels = new ArrayList<>();
        ImageLoaderOptions options =
                ImageLoaderOptions.defaults().image(ImageSpec.shorterSide(8).centerCrop(8, 8));
        try (ImageLoader loader = ImageLoader.open(file.toString(), options)) {
            assertThat(loader.classes()).containsExactly("ant", "bee", "cat");
            for (ImageBatch batch : loader) {
                try (batch) {
                    for (int label : batch.labels()) {
                        labels.add(label);
                    }
                }
            }
        }

        assertThat(labels).containsExactly(0, 1, 2, 0, 1, 2);
    }
}
