package org.jspdl.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspdl.cli.sample.SampleSet;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.memory.ElementType;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The pipeline of the job over 100 images of the sample set, in batches of 16: the last one has 4.
class ImageLoadingTest {
    private static final int IMAGES = 100;
    private static final int BATCH = 16;
    private static final int SIZE = 32;

    @TempDir
    static Path folder;

    @TempDir
    Path lists;

    private static final Storage STORAGE = Storage.open();

    private static LabeledFiles dataset;

    @BeforeAll
    static void makeTheSampleSet() throws Exception {
        new SampleSet(IMAGES, SampleSet.STANDARD.seed()).write(folder, 2, written -> {});
        dataset = LabeledFiles.open(STORAGE, folder.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "INPUT, 1, false", "INPUT, 2, false", "INPUT, 8, false", "COMPLETION, 1, false", "COMPLETION, 2, false",
                "COMPLETION, 8, false",
        "INPUT, 1, true", "INPUT, 2, true", "INPUT, 8, true", "COMPLETION, 1, true", "COMPLETION, 2, true",
                "COMPLETION, 8, true",
    })
    void everyImageIsDeliveredOnceInEachEpochWithItsClassAndItsPixels(Order order, int concurrency, boolean shuffle)
            throws Exception {
        List<byte[]> expected = decodedOneByOne();
        RunSettings settings = settings(order, concurrency, shuffle, new RunSettings.Shard(0, 1, false));

        List<List<Integer>> epochs = load(settings, 2, (index, label, row) -> {
            assertThat(label).as("class of image %s", index).isEqualTo(classOf(index));
            assertThat(row).as("pixels of image %s", index).isEqualTo(expected.get(index));
        });

        assertThat(epochs)
                .hasSize(2)
                .allSatisfy(epoch -> assertThat(epoch).hasSize(IMAGES).containsExactlyInAnyOrderElementsOf(numbers()));
        if (order == Order.INPUT && !shuffle) {
            assertThat(epochs.getFirst()).containsExactlyElementsOf(numbers());
        }
        if (shuffle) {
            assertThat(epochs.getFirst()).isNotEqualTo(numbers()).isNotEqualTo(epochs.getLast());
        }
    }

    @Test
    void theSameSeedGivesTheSameBatchesWhateverTheConcurrency() throws Exception {
        List<List<Integer>> alone =
                load(settings(Order.INPUT, 1, true, new RunSettings.Shard(0, 1, false)), 2, Visitor.NONE);
        List<List<Integer>> together =
                load(settings(Order.INPUT, 8, true, new RunSettings.Shard(0, 1, false)), 2, Visitor.NONE);

        assertThat(together).isEqualTo(alone);
    }

    @Test
    void theRanksShareTheDatasetWithoutOverlap() throws Exception {
        List<Integer> all = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            List<Integer> part = load(
                            settings(Order.INPUT, 2, true, new RunSettings.Shard(rank, 3, false)), 1, Visitor.NONE)
                    .getFirst();
            assertThat(part).hasSize(IMAGES / 3);
            all.addAll(part);
        }

        assertThat(all).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({"INPUT, 1", "INPUT, 2", "INPUT, 8", "COMPLETION, 8"})
    void brokenFilesLeaveNoHolesInTheBatchesAndTheOthersAreComplete(Order order, int concurrency) throws Exception {
        List<byte[]> expected = decodedOneByOne();
        List<Integer> broken = List.of(0, 5, 17, 18, 40, 99);
        RunSettings settings =
                settings(order, concurrency, false, new RunSettings.Shard(0, 1, false), FailurePolicy.skip(6));
        List<Integer> delivered = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        List<FailureLog.Failure> failures = new ArrayList<>();

        LabeledFiles holed = LabeledFiles.open(
                STORAGE,
                Files.writeString(lists.resolve("list.txt"), listWithout(broken))
                        .toString());

        try (ImageDecoder decoder = ImageDecoder.create(spec());
                ImageLoading loading = new ImageLoading(holed, STORAGE, settings, decoder);
                Run<ImageBatch> run = loading.pipeline().start()) {
            for (ImageBatch batch : run) {
                try (batch) {
                    sizes.add(batch.size());
                    visit(
                            batch,
                            delivered,
                            (index, label, row) -> assertThat(row).isEqualTo(expected.get(index)));
                }
            }
            failures.addAll(loading.failures().kept());
        }

        assertThat(delivered)
                .containsExactlyInAnyOrderElementsOf(numbers().stream()
                        .filter(index -> !broken.contains(index))
                        .toList());
        assertThat(sizes).containsExactly(16, 16, 16, 16, 16, 14);
        assertThat(failures)
                .extracting(FailureLog.Failure::reason)
                .containsOnly("there is no such file")
                .hasSize(6);
    }

    @Test
    void closingARunInTheMiddleGivesEverythingBack() throws Exception {
        RunSettings settings = settings(Order.INPUT, 4, true, new RunSettings.Shard(0, 1, false));

        try (ImageDecoder decoder = ImageDecoder.create(spec());
                ImageLoading loading = new ImageLoading(dataset, STORAGE, settings, decoder);
                Run<ImageBatch> run =
                        loading.pipeline().start(RunOptions.defaults().epochs(1_000))) {
            run.iterator().next().close();
        }
        // closing the loading throws if a lease is out, and LeakCheck looks for threads and pools
    }

    private interface Visitor {
        Visitor NONE = (index, label, row) -> {};

        void visit(int index, int label, byte[] row);
    }

    /// The numbers of the images of each epoch, in the order of delivery.
    private static List<List<Integer>> load(RunSettings settings, int epochs, Visitor visitor) throws Exception {
        List<List<Integer>> delivered = new ArrayList<>();
        try (ImageDecoder decoder = ImageDecoder.create(spec());
                ImageLoading loading = new ImageLoading(dataset, STORAGE, settings, decoder);
                Run<ImageBatch> run =
                        loading.pipeline().start(RunOptions.defaults().epochs(epochs))) {
            do {
                List<Integer> epoch = new ArrayList<>();
                for (ImageBatch batch : run) {
                    try (batch) {
                        assertThat(batch.images().shape())
                                .isEqualTo(spec().rowShape().batched(batch.size()));
                        visit(batch, epoch, visitor);
                    }
                }
                delivered.add(epoch);
            } while (run.nextEpoch());
        }
        return delivered;
    }

    private static void visit(ImageBatch batch, List<Integer> delivered, Visitor visitor) {
        for (int i = 0; i < batch.size(); i++) {
            delivered.add(batch.indices()[i]);
            visitor.visit(
                    batch.indices()[i], batch.labels()[i], batch.images().row(i).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /// The dataset as a file list in which the numbers `broken` name files that do not exist.
    private static String listWithout(List<Integer> broken) {
        return numbers().stream()
                .map(index -> (broken.contains(index) ? folder.resolve("absent.jpg") : dataset.location(index)) + "\t"
                        + classOf(index) + "\n")
                .collect(Collectors.joining());
    }

    private static RunSettings settings(Order order, int concurrency, boolean shuffle, RunSettings.Shard shard) {
        return settings(order, concurrency, shuffle, shard, FailurePolicy.failFast());
    }

    private static RunSettings settings(
            Order order, int concurrency, boolean shuffle, RunSettings.Shard shard, FailurePolicy failures) {
        PictureSettings picture = PictureSettings.plain(SIZE, SIZE, Layout.NHWC, ElementType.UINT8);
        return new RunSettings(picture, BATCH, 1, shuffle, 7, shard, concurrency, order, failures);
    }

    private static ImageSpec spec() {
        return ImageSpec.shorterSide(SIZE).centerCrop(SIZE, SIZE);
    }

    private static List<Integer> numbers() {
        return IntStream.range(0, IMAGES).boxed().toList();
    }

    private static int classOf(int index) {
        return SampleSet.CLASSES.indexOf(
                folder.relativize(Path.of(dataset.location(index).text()))
                        .getName(0)
                        .toString());
    }

    private static List<byte[]> decodedOneByOne() throws Exception {
        List<byte[]> rows = new ArrayList<>();
        try (ImageDecoder decoder = ImageDecoder.create(spec());
                Arena arena = Arena.ofConfined()) {
            MemorySegment row = arena.allocate(spec().rowBytes());
            for (int i = 0; i < IMAGES; i++) {
                decoder.decodeInto(
                        arena.allocateFrom(
                                ValueLayout.JAVA_BYTE,
                                Files.readAllBytes(dataset.location(i).path())),
                        row);
                rows.add(row.toArray(ValueLayout.JAVA_BYTE));
            }
        }
        return rows;
    }
}
