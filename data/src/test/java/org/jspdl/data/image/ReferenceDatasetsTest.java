package org.jspdl.data.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.shards.KeptFiles;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Datasets that TensorFlow and Hugging Face's library wrote: the scripts `resources/reference/*.py` say how.
class ReferenceDatasetsTest {
    private static final String TENSORFLOW = "cde15dc14006cdcc86764b7bd998ad8eb0a4765fafcd4d0fa7b7879e3d19a79d";
    private static final String HUGGING_FACE = "51d759ac44f47654e51da625b557d26e8fdf3bb17f90b42c719d877d84709dc6";

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("reference", 1 << 26);

    @BeforeEach
    void unpack() throws Exception {
        KeptFiles.unpack("/reference/tensorflow.zip", TENSORFLOW, folder);
        KeptFiles.unpack("/reference/huggingface.zip", HUGGING_FACE, folder);
    }

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private Cursor<ShardSample> open(Path location) throws Exception {
        return Shards.open(storage, location.toString(), ShardOptions.defaults(), pool)
                .shard(0, 1)
                .open(0, Position.START);
    }

    /// The label of each image, and the red of its pixel in the middle.
    private static List<List<Integer>> images(Path location, String... classes) throws Exception {
        List<List<Integer>> images = new ArrayList<>();
        ImageLoaderOptions options = ImageLoaderOptions.defaults()
                .batchSize(4)
                .image(ImageSpec.shorterSide(8).centerCrop(8, 8).elements(ElementType.UINT8));
        try (ImageLoader loader = ImageLoader.open(location.toString(), options)) {
            assertThat(loader.classes()).containsExactly(classes);
            for (ImageBatch batch : loader) {
                try (batch) {
                    long stride = batch.images().segment().byteSize() / batch.labels().length;
                    for (int i = 0; i < batch.labels().length; i++) {
                        byte red = batch.images().segment().get(ValueLayout.JAVA_BYTE, i * stride + 4 * 8 + 4);
                        images.add(List.of(batch.labels()[i], Byte.toUnsignedInt(red)));
                    }
                }
            }
        }
        return images;
    }

    private static List<List<Integer>> expected(int count) {
        List<List<Integer>> expected = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            expected.add(List.of(k % 3, k * 20));
        }
        return expected;
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "gzip", "plain/train-*-of-00002"})
    void imagesOfTensorFlowsExamplesLoadWithTheirLabels(String location) throws Exception {
        assertThat(images(folder.resolve(location))).isEqualTo(expected(12));
    }

    @Test
    void arrowFilesThatNumberClassesOtherwiseAreRefused() throws Exception {
        byte[] one = Files.readAllBytes(folder.resolve("saved/train/data-00000-of-00001.arrow"));
        String other = new String(one, ISO_8859_1).replace("[\"ant\", \"bee\"", "[\"bee\", \"ant\"");
        Path two = Files.createDirectories(folder.resolve("two"));
        Files.write(two.resolve("a.arrow"), one);
        Files.write(two.resolve("b.arrow"), one);

        List<List<Integer>> twice = new ArrayList<>(images(folder.resolve("saved/train"), "ant", "bee", "cat"));
        twice.addAll(List.copyOf(twice));
        assertThat(images(two, "ant", "bee", "cat")).isEqualTo(twice);
        Files.write(two.resolve("b.arrow"), other.getBytes(ISO_8859_1));
        assertThatThrownBy(() -> images(two, "ant", "bee", "cat"))
                .hasStackTraceContaining("class 0 of 'label' is 'ant' in ")
                .hasStackTraceContaining("a.arrow, and 'bee' in ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "gzip"})
    void everyFeatureIsTheOneThatTensorFlowWrote(String name) throws Exception {
        try (Cursor<ShardSample> cursor = open(folder.resolve(name))) {
            for (int k = 0; k < 12; k++) {
                assertThat(cursor.advance()).isTrue();
                try (ShardSample sample = cursor.item()) {
                    assertThat(sample.text("image/class/text")).isEqualTo("é".repeat(k));
                    assertThat(longs(sample, "image/class/label")).containsExactly((long) k % 3);
                    long[] numbers = new long[k];
                    float[] reals = new float[k + 1];
                    for (int n = 0; n <= k; n++) {
                        reals[n] = n / 4f;
                        if (n < k) {
                            numbers[n] = n * -(1L << 40);
                        }
                    }
                    if (k > 0) {
                        assertThat(longs(sample, "numbers")).containsExactly(numbers);
                    }
                    assertThat(sample.bytes("reals").toArray(ValueLayout.JAVA_FLOAT_UNALIGNED))
                            .containsExactly(reals);
                    assertThat(sample.bytes("parts").toArray(ValueLayout.JAVA_BYTE))
                            .containsExactly(1, 2, 2);
                    assertThat(longs(sample, "parts.lengths")).containsExactly(0, 1, 2);
                }
            }
            assertThat(cursor.advance()).isFalse();
        }
    }

    private static long[] longs(ShardSample sample, String field) {
        return sample.bytes(field).toArray(ValueLayout.JAVA_LONG_UNALIGNED);
    }

    @Test
    void aDatasetThatHuggingFacesLibrarySavedLoadsWithItsClasses() throws Exception {
        Path saved = folder.resolve("saved");

        assertThat(images(saved, "ant", "bee", "cat")).isEqualTo(expected(6));
        assertThat(images(saved.resolve("test"), "ant", "bee", "cat")).isEqualTo(expected(2));
    }

    @Test
    void everyColumnIsTheOneThatHuggingFacesLibrarySaved() throws Exception {
        try (Cursor<ShardSample> cursor = open(folder.resolve("saved/train"))) {
            for (int k = 0; k < 6; k++) {
                assertThat(cursor.advance()).isTrue();
                try (ShardSample sample = cursor.item()) {
                    assertThat(sample.has("caption")).isEqualTo(k != 2);
                    if (k != 2) {
                        assertThat(new String(
                                        sample.bytes("caption").toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8))
                                .isEqualTo("é".repeat(k));
                    }
                    assertThat(sample.bytes("boxes").toArray(ValueLayout.JAVA_FLOAT_UNALIGNED))
                            .containsExactly(k, 1.5f, 2, 3);
                }
            }
            assertThat(cursor.advance()).isFalse();
        }
    }
}
