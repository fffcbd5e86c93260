package org.jspdl.data.image;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.shards.TfExampleFiles.little;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.shards.TfExampleFiles;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The layouts of `docs/how-to/datasets.md`, loaded as it says: by their path alone.
class DatasetLayoutsTest {
    /// A picture of one pixel.
    private static final byte[] BMP = HexFormat.of()
            .parseHex("424d3a0000000000000036000000280000000100000001000000010018000000000004000000"
                    + "130b0000130b0000000000000000000000ff8000");

    private static final String UNPACK_TRAIN =
            "mkdir train && tar -xf ILSVRC2012_img_train.tar -C train && for t in train/*.tar; do mkdir \"${t%.tar}\""
                    + " && tar -xf \"$t\" -C \"${t%.tar}\" && rm \"$t\"; done";
    private static final String UNPACK_VAL = "mkdir val && tar -xf ILSVRC2012_img_val.tar -C val";

    @TempDir
    Path folder;

    private static List<Integer> labels(Object location) throws Exception {
        return labels(location, FailurePolicy.failFast());
    }

    private static List<Integer> labels(Object location, FailurePolicy failures) throws Exception {
        ImageLoaderOptions options = ImageLoaderOptions.defaults()
                .batchSize(2)
                .failures(failures)
                .image(ImageSpec.shorterSide(8).centerCrop(8, 8));
        List<Integer> labels = new ArrayList<>();
        try (ImageLoader loader = ImageLoader.open(location.toString(), options)) {
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

    private Path file(String name, byte[] content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    @Test
    void foldersAndListsWithLabelsAndWithout() throws Exception {
        file("classes/a/1.bmp", BMP);
        file("classes/b/2.bmp", BMP);
        file("flat/1.bmp", BMP);
        Path list = file("list.txt", "classes/a/1.bmp 4\nflat/1.bmp 9\n".getBytes(StandardCharsets.UTF_8));
        Path bare = file("bare.txt", "classes/a/1.bmp\n".getBytes(StandardCharsets.UTF_8));
        Path csv = file("m.csv", "file,label\nflat/1.bmp,3\n".getBytes(StandardCharsets.UTF_8));

        assertThat(labels(folder.resolve("classes"))).containsExactly(0, 1);
        assertThat(labels(folder.resolve("flat"))).containsExactly(-1);
        assertThat(labels(list)).containsExactly(4, 9);
        assertThat(labels(bare)).containsExactly(-1);
        assertThat(labels(csv)).containsExactly(3);
    }

    @Test
    void gzippedTars() throws Exception {
        Path tar = folder.resolve("plain");
        try (TarWriter writer = TarWriter.create(tar)) {
            for (int i = 0; i < 3; i++) {
                writer.add("s" + i + ".bmp", MemorySegment.ofArray(BMP));
                writer.add("s" + i + ".cls", MemorySegment.ofArray(("" + i).getBytes(StandardCharsets.UTF_8)));
            }
        }
        Path compressed = folder.resolve("train-000.tgz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            Files.copy(tar, out);
        }

        assertThat(labels(compressed)).containsExactly(0, 1, 2);
        assertThat(labels(folder.resolve("train-*.tgz"))).containsExactly(0, 1, 2);
    }

    @Test
    void aLabelThatIsNoClassNumberFailsItsImage() throws Exception {
        Path tar = folder.resolve("words.tar");
        try (TarWriter writer = TarWriter.create(tar)) {
            String[] classes = {"3", "cat", "99999999999"};
            for (int i = 0; i < classes.length; i++) {
                writer.add("s" + i + ".bmp", MemorySegment.ofArray(BMP));
                writer.add("s" + i + ".cls", MemorySegment.ofArray(classes[i].getBytes(StandardCharsets.UTF_8)));
            }
        }

        assertThatThrownBy(() -> labels(tar))
                .hasMessageContaining("words.tar/s")
                .hasMessageContaining("'cls'");
        // The loader reads ahead into the next epoch, whose failures count too.
        assertThat(labels(tar, FailurePolicy.skip(100))).containsExactly(3);
    }

    private Path pictures(String name, String... fields) throws IOException {
        Path tar = folder.resolve(name);
        try (TarWriter writer = TarWriter.create(tar)) {
            for (String field : fields) {
                writer.add(field, MemorySegment.ofArray(BMP));
            }
        }
        return tar;
    }

    @Test
    void aSampleWithoutItsPictureIsNotItsMask() throws Exception {
        assertThat(labels(pictures("kinds.tar", "a.png", "b.bmp"))).containsExactly(-1, -1);
        assertThat(labels(pictures("all.tar", "a.bmp", "a.png", "b.bmp", "b.png")))
                .containsExactly(-1, -1);
        for (String[] order : new String[][] {{"a.bmp", "a.png", "b.bmp"}, {"a.bmp", "b.bmp", "b.png"}}) {
            assertThatThrownBy(() -> labels(pictures("masks.tar", order)))
                    .hasMessageContaining("masks.tar/a")
                    .hasMessageContaining("masks.tar/b")
                    .hasMessageContaining("'bmp'");
        }
    }

    @Test
    void samplesThatHaveAllStayWhereOthersAreSkippedForWhatTheyLack() throws Exception {
        Path masks = pictures("masks.tar", "a.bmp", "a.png", "b.bmp", "c.bmp", "c.png");

        assertThat(labels(masks, FailurePolicy.skip(100))).containsExactly(-1, -1);
    }

    @Test
    void aSampleWithoutItsLabelDoesNotGetThatOfAnotherField() throws Exception {
        Path tar = folder.resolve("coarse.tar");
        try (TarWriter writer = TarWriter.create(tar)) {
            for (String name : List.of("a.bmp", "b.bmp")) {
                writer.add(name, MemorySegment.ofArray(BMP));
                if (name.equals("a.bmp")) {
                    writer.add("a.cls", MemorySegment.ofArray("7".getBytes(StandardCharsets.UTF_8)));
                }
                writer.add(name.replace("bmp", "label"), MemorySegment.ofArray("1".getBytes(StandardCharsets.UTF_8)));
            }
        }

        assertThatThrownBy(() -> labels(tar))
                .hasMessageContaining("coarse.tar/a")
                .hasMessageContaining("coarse.tar/b")
                .hasMessageContaining("'label'");
    }

    @Test
    void examplesOfTensorFlow() throws Exception {
        for (int shard = 0; shard < 2; shard++) {
            file("tf/train-0000" + shard + "-of-00002", TfExampleFiles.of(BMP, 5 + shard));
        }

        assertThat(labels(folder.resolve("tf/train-*-of-00002"))).containsExactly(5, 6);
        assertThat(labels(folder.resolve("tf"))).containsExactly(5, 6);
    }

    @Test
    void aDatasetThatHuggingFacesLibrarySavedIsLoadedBySplit() throws Exception {
        try (InputStream packed = requireNonNull(getClass().getResourceAsStream("/arrow/tables.zip"));
                ZipInputStream files = new ZipInputStream(packed)) {
            for (ZipEntry each = files.getNextEntry(); each != null; each = files.getNextEntry()) {
                if (each.getName().startsWith("saved/")) {
                    file(each.getName(), files.readAllBytes());
                }
            }
        }

        assertThat(labels(folder.resolve("saved"))).containsExactly(0, 1, 0, 1, 0);
        assertThat(labels(folder.resolve("saved/test"))).containsExactly(0, 1);
        assertThat(labels(folder.resolve("saved/train/data-00000-of-00001.arrow")))
                .hasSize(5);
    }

    /// The commands of `docs/how-to/datasets.md`.
    @Test
    void imageNetsOwnArchives() throws Exception {
        Path train = folder.resolve("ILSVRC2012_img_train.tar");
        try (TarWriter all = TarWriter.create(train)) {
            for (String id : new String[] {"n02119789", "n01440764"}) {
                Path inner = folder.resolve(id + ".tar");
                try (TarWriter writer = TarWriter.create(inner)) {
                    writer.add(id + "_18.JPEG", MemorySegment.ofArray(BMP));
                    writer.add(id + "_293.JPEG", MemorySegment.ofArray(BMP));
                }
                all.add(id + ".tar", MemorySegment.ofArray(Files.readAllBytes(inner)));
                Files.delete(inner);
            }
        }
        Path val = folder.resolve("ILSVRC2012_img_val.tar");
        try (TarWriter writer = TarWriter.create(val)) {
            for (int i = 1; i <= 3; i++) {
                writer.add("ILSVRC2012_val_0000000" + i + ".JPEG", MemorySegment.ofArray(BMP));
            }
        }
        file(
                "ILSVRC2012_devkit_t12/data/ILSVRC2012_validation_ground_truth.txt",
                "1\n3\n1\n".getBytes(StandardCharsets.UTF_8));
        try (InputStream table = requireNonNull(getClass().getResourceAsStream("/imagenet/meta.mat"))) {
            file("ILSVRC2012_devkit_t12/data/meta.mat", table.readAllBytes());
        }

        assertThatThrownBy(() -> labels(train))
                .hasMessageContaining("img_train.tar/n02119789.tar: is no image but an archive itself")
                .hasMessageContaining("datasets.md");
        assertThat(labels(val)).as("without labels").containsExactly(-1, -1, -1);
        Programs.output(folder, List.of("sh", "-c", UNPACK_TRAIN));
        Programs.output(folder, List.of("sh", "-c", UNPACK_VAL));

        assertThat(labels(folder.resolve("train"))).containsExactly(0, 0, 1, 1);
        assertThat(folder.resolve("train/n01440764.tar")).doesNotExist();
        try (Storage storage = Storage.open()) {
            LabeledFiles files = LabeledFiles.images(
                            storage, folder.resolve("val").toString())
                    .relabeled(
                            storage,
                            Location.of(folder.resolve(
                                    "ILSVRC2012_devkit_t12/data/ILSVRC2012_validation_ground_truth.txt")));
            assertThat(files.labels()).containsExactly(2, 0, 2);
        }
        assertThat(Files.readString(Path.of("../docs/how-to/datasets.md")))
                .contains(UNPACK_TRAIN)
                .contains(UNPACK_VAL);
    }

    @Test
    void shardsOfStreaming() throws Exception {
        byte[] config = ("{\"column_encodings\": [\"png\", \"int\"], \"column_names\": [\"x\", \"y\"],"
                        + " \"column_sizes\": [null, 8], \"version\": 2}")
                .getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        int begin = 12 + config.length;
        file.writeBytes(little(4, 1));
        file.writeBytes(little(4, begin));
        file.writeBytes(little(4, begin + 4 + BMP.length + 8));
        file.writeBytes(config);
        file.writeBytes(little(4, BMP.length));
        file.writeBytes(BMP);
        file.writeBytes(little(8, 6));
        file("mds/shard.00000.mds", file.toByteArray());
        file("mds/index.json", "{}".getBytes(StandardCharsets.UTF_8));

        assertThat(labels(folder.resolve("mds"))).containsExactly(6);
    }
}
