package org.jspdl.data.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Even;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The pipeline of the job over 100 images of the sample set, in batches of 16: the last one has 4.
class ImageLoaderTest {
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
        ImageLoaderOptions settings = options(order, concurrency, shuffle, 0, 1);

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
        List<List<Integer>> alone = load(options(Order.INPUT, 1, true, 0, 1), 2, Visitor.NONE);
        List<List<Integer>> together = load(options(Order.INPUT, 8, true, 0, 1), 2, Visitor.NONE);

        assertThat(together).isEqualTo(alone);
    }

    @Test
    void theRanksShareTheDatasetWithoutOverlap() throws Exception {
        List<Integer> all = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            List<Integer> part = load(options(Order.INPUT, 2, true, rank, 3), 1, Visitor.NONE)
                    .getFirst();
            assertThat(part).hasSize(IMAGES / 3);
            all.addAll(part);
        }

        assertThat(all).doesNotHaveDuplicates();
    }

    @Test
    void unevenRanksLoadEachImageOnceAndABatchSaysIfOthersHaveEnded() throws Exception {
        List<Integer> all = new ArrayList<>();
        List<Integer> batches = new ArrayList<>();
        List<Integer> alone = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            ImageLoaderOptions settings =
                    options(Order.INPUT, 2, true, rank, 3).even(Even.UNEVEN).batchSize(11);
            int loaded = 0;
            try (ImageLoader loader = ImageLoader.of(STORAGE, dataset, settings)) {
                for (ImageBatch batch : loader) {
                    try (batch) {
                        Arrays.stream(batch.indices()).forEach(all::add);
                        boolean everywhere = Arrays.stream(batch.everywhere()).anyMatch(each -> each == 1);
                        alone.add(everywhere ? 0 : batch.size());
                        assertThat(batch.namedValues()).containsKey("everywhere");
                        loaded++;
                    }
                }
            }
            batches.add(loaded);
        }
        assertThat(all).hasSize(IMAGES).doesNotHaveDuplicates();
        assertThat(batches).containsExactly(4, 3, 3);
        assertThat(alone).as("the last batch of the first rank").containsExactly(0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({"INPUT, 1", "INPUT, 2", "INPUT, 8", "COMPLETION, 8"})
    void brokenFilesLeaveNoHolesInTheBatchesAndTheOthersAreComplete(Order order, int concurrency) throws Exception {
        List<byte[]> expected = decodedOneByOne();
        List<Integer> broken = List.of(0, 5, 17, 18, 40, 99);
        List<Integer> delivered = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        List<String> failures = Collections.synchronizedList(new ArrayList<>());

        ImageLoaderOptions settings = options(
                order,
                concurrency,
                false,
                0,
                1,
                FailurePolicy.skip(6)
                        .quarantine(
                                item -> failures.add(String.valueOf(item.cause().getMessage()))));
        LabeledFiles holed = LabeledFiles.open(
                STORAGE,
                Files.writeString(lists.resolve("list.txt"), listWithout(broken))
                        .toString());

        try (ImageLoader loading = ImageLoader.of(STORAGE, holed, settings);
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
        }

        assertThat(delivered)
                .containsExactlyInAnyOrderElementsOf(numbers().stream()
                        .filter(index -> !broken.contains(index))
                        .toList());
        assertThat(sizes).containsExactly(16, 16, 16, 16, 16, 14);
        assertThat(failures)
                .allSatisfy(failure -> assertThat(failure).contains("absent.jpg: there is no such file"))
                .hasSize(6);
    }

    @Test
    void closingARunInTheMiddleGivesEverythingBack() throws Exception {
        ImageLoaderOptions settings = options(Order.INPUT, 4, true, 0, 1);

        try (ImageLoader loading = ImageLoader.of(STORAGE, dataset, settings);
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
    private static List<List<Integer>> load(ImageLoaderOptions settings, int epochs, Visitor visitor) throws Exception {
        List<List<Integer>> delivered = new ArrayList<>();
        try (ImageLoader loading = ImageLoader.of(STORAGE, dataset, settings);
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

    private static ImageLoaderOptions options(Order order, int workers, boolean shuffle, int rank, int worldSize) {
        return options(order, workers, shuffle, rank, worldSize, FailurePolicy.failFast());
    }

    private static ImageLoaderOptions options(
            Order order, int workers, boolean shuffle, int rank, int worldSize, FailurePolicy failures) {
        ImageLoaderOptions options = ImageLoaderOptions.defaults()
                .image(spec())
                .batchSize(BATCH)
                .shard(rank, worldSize)
                .workers(workers)
                .order(order)
                .failures(failures);
        return shuffle ? options.shuffle(7) : options;
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
