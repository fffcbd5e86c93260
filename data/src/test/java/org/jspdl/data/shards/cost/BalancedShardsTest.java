package org.jspdl.data.shards.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.pack.IndexWriter;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.leakcheck.LeakCheck;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Even;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Batches of samples of shards that cost the same on all ranks.
@ExtendWith(LeakCheck.class)
class BalancedShardsTest {
    private static final int RANKS = 4;
    private static final int SHARDS = 3;
    private static final int SAMPLES = 240;
    private static final int BUDGET = 4_000;
    private static final int ASKED_AGAIN = 64;

    @TempDir
    Path folder;

    private BufferPool pool;
    private Storage storage;

    @BeforeEach
    void open() {
        pool = BufferPool.unbounded("samples");
        storage = Storage.open(StorageOptions.defaults().notesFolder(folder.resolve("notes")));
    }

    @AfterEach
    void close() {
        storage.close();
        pool.close();
    }

    /// Texts of log-normal lengths, each with a picture of some size and a class.
    private void writeShards(long seed) throws Exception {
        Random random = new Random(seed);
        int sample = 0;
        for (int shard = 0; shard < SHARDS; shard++) {
            Path file = folder.resolve("train-00" + shard + ".tar");
            try (TarWriter tar = TarWriter.create(file)) {
                for (int i = 0; i < SAMPLES / SHARDS; i++, sample++) {
                    int length = (int) Math.min(1_500, Math.exp(5.3 + 0.8 * random.nextGaussian()));
                    String key = "s%03d".formatted(sample);
                    tar.add(
                            key + ".txt",
                            MemorySegment.ofArray("x".repeat(1 + length).getBytes(StandardCharsets.UTF_8)));
                    tar.add(key + ".png", MemorySegment.ofArray(picture(1 + sample % 7, 2 + sample % 5)));
                    tar.add(key + ".cls", MemorySegment.ofArray(new byte[] {'1'}));
                }
            }
        }
    }

    private static byte[] picture(int width, int height) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), "png", bytes);
        return bytes.toByteArray();
    }

    private List<Location> shards() throws Exception {
        return Shards.locations(storage, Location.of(folder + "/train-*.tar"));
    }

    /// As `jspdl index` does.
    private void index() throws Exception {
        List<DatasetIndex.Shard> shards = new ArrayList<>();
        List<Path> indexes = new ArrayList<>();
        for (Location location : shards()) {
            TarIndex index = TarIndex.of(new ShardFile(storage, location, ShardOptions.defaults(), pool));
            Path file = TarIndex.locationFor(location).path();
            Files.writeString(file, TarIndex.write(index.samples()));
            indexes.add(file);
            try (FileChannel content = FileChannel.open(location.path())) {
                shards.add(new DatasetIndex.Shard(
                        String.valueOf(location.path().getFileName()),
                        index.samples().size(),
                        content.size(),
                        DatasetIndex.crc32c(content)));
            }
        }
        new IndexWriter(folder, "train").write(shards, indexes);
    }

    private BalancedShards balanced() throws Exception {
        return BalancedShards.of(storage, shards(), ShardOptions.defaults(), pool)
                .shuffled(7);
    }

    /// What a batch holds.
    private record Batch(List<String> keys, long bytes, long squares) {
        static Batch of(List<ShardSample> samples) {
            long bytes = 0;
            long squares = 0;
            for (ShardSample sample : samples) {
                long length = sample.bytes("txt").byteSize();
                bytes += length;
                squares += length * length;
            }
            List<String> keys = samples.stream().map(ShardSample::key).toList();
            samples.forEach(ShardSample::close);
            return new Batch(keys, bytes, squares);
        }
    }

    private static List<Batch> batches(Run<List<ShardSample>> run, int most) {
        List<Batch> batches = new ArrayList<>();
        var left = run.iterator();
        while (batches.size() < most && left.hasNext()) {
            batches.add(Batch.of(left.next()));
        }
        return batches;
    }

    private static List<Batch> epoch(Pipeline<List<ShardSample>> pipeline) {
        try (Run<List<ShardSample>> run = pipeline.start()) {
            return batches(run, Integer.MAX_VALUE);
        }
    }

    private static StageOptions reading() {
        return StageOptions.io(4).inputOrder();
    }

    private static List<String> keys() {
        return IntStream.range(0, SAMPLES).mapToObj("s%03d"::formatted).toList();
    }

    @Test
    void theIndexSaysWhatEachSampleCosts() throws Exception {
        writeShards(1);
        index();

        assertThat(SampleCosts.names(storage, shards(), pool)).containsExactly("bytes", "png.pixels", "txt.bytes");
        SampleCosts pixels =
                SampleCosts.find(storage, shards(), "png.pixels", pool).orElseThrow();
        SampleCosts texts =
                SampleCosts.find(storage, shards(), "txt.bytes", pool).orElseThrow();
        IndexedSamples samples = IndexedSamples.of(Shards.open(storage, shards(), ShardOptions.defaults(), pool));
        assertThat(pixels.size()).isEqualTo(SAMPLES);
        for (int i : new int[] {0, 79, 80, 111, 239}) {
            try (ShardSample sample = samples.get(i)) {
                assertThat(sample.key()).isEqualTo("s%03d".formatted(i));
                assertThat(texts.of(i)).isEqualTo(sample.bytes("txt").byteSize());
                assertThat(pixels.of(i)).isEqualTo((1L + i % 7) * (2 + i % 5));
            }
        }
    }

    @Test
    void batchesOfAllRanksCostTheSameAndHoldEachSampleOnce() throws Exception {
        writeShards(2);
        index();
        BalancedShards whole = balanced().budget("txt.bytes", BUDGET).squared().even(Even.UNEVEN);
        List<List<Batch>> ranks = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            ranks.add(epoch(whole.shard(rank, RANKS).batches(reading())));
        }

        assertThat(ranks.stream().flatMap(List::stream).flatMap(batch -> batch.keys().stream()))
                .containsExactlyInAnyOrderElementsOf(keys());
        assertThat(ranks.stream().flatMap(List::stream)).allMatch(batch -> batch.bytes() <= BUDGET);
        for (int step = 0; step < ranks.getLast().size(); step++) {
            int at = step;
            double mean = ranks.stream()
                    .mapToLong(rank -> rank.get(at).squares())
                    .average()
                    .orElseThrow();
            long most = ranks.stream()
                    .mapToLong(rank -> rank.get(at).squares())
                    .max()
                    .orElseThrow();
            assertThat(most / mean).as("step %d", step).isLessThan(1.3); // of 17 samples, not thousands
        }
    }

    @Test
    void ranksGoOnInAnotherNumberFromTheMiddleOfAnEpoch() throws Exception {
        writeShards(3);
        index();
        BalancedShards whole =
                balanced().budget("txt.bytes", BUDGET).also("png.pixels").even(Even.UNEVEN);
        List<String> delivered = new ArrayList<>();
        List<Checkpoint> checkpoints = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            try (Run<List<ShardSample>> run =
                    whole.shard(rank, RANKS).batches(reading()).start()) {
                batches(run, 1 + rank % 2).forEach(batch -> delivered.addAll(batch.keys()));
                checkpoints.add(run.checkpoint());
            }
        }
        Checkpoint all = Checkpoint.combine(checkpoints);
        for (int rank = 0; rank < 3; rank++) {
            try (Run<List<ShardSample>> run = whole.shard(rank, 3)
                    .batches(reading())
                    .start(RunOptions.defaults().resumeFrom(all))) {
                batches(run, Integer.MAX_VALUE).forEach(batch -> delivered.addAll(batch.keys()));
            }
        }

        assertThat(delivered).containsExactlyInAnyOrderElementsOf(keys());
    }

    @Test
    void whatTheIndexDoesNotHaveIsFoundByOnePassThatIsRemembered() throws Exception {
        writeShards(4);
        index();
        AtomicInteger asked = new AtomicInteger();
        BalancedShards measured = balanced().budget("letters", BUDGET).measuredBy("letters", "1", sample -> {
            asked.incrementAndGet();
            return sample.bytes("txt").byteSize();
        });
        List<Batch> first = epoch(measured.batches(reading()));
        assertThat(asked).hasValue(SAMPLES);
        List<Batch> again = epoch(measured.batches(reading()));
        assertThat(asked).as("some are asked again").hasValue(SAMPLES + ASKED_AGAIN);
        assertThat(again).isEqualTo(first);
        assertThat(epoch(balanced().budget("txt.bytes", BUDGET).batches(reading())).stream()
                        .map(Batch::keys)
                        .toList())
                .isEqualTo(first.stream().map(Batch::keys).toList());

        try (var notes = Files.list(folder.resolve("notes/costs"))) {
            Files.write(notes.findFirst().orElseThrow(), new byte[] {1, 2, 3});
        }
        epoch(measured.batches(reading()));
        assertThat(asked).as("a damaged note").hasValue(2 * SAMPLES + ASKED_AGAIN);
        writeShards(5);
        index();
        epoch(measured.batches(reading()));
        assertThat(asked).as("other shards").hasValue(3 * SAMPLES + ASKED_AGAIN);
    }

    @Test
    void whatAFunctionToldIsNotTakenForWhatAnotherWouldTell() throws Exception {
        writeShards(4);
        index();
        BalancedShards whole = balanced().budget("letters", BUDGET);
        List<Batch> first = epoch(
                whole.measuredBy("letters", "1", sample -> sample.bytes("txt").byteSize())
                        .batches(reading()));
        BalancedShards another = whole.measuredBy(
                "letters", "1", sample -> 2 * sample.bytes("txt").byteSize());

        assertThatThrownBy(() -> another.batches(reading()))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("of version '1' of the function")
                .hasMessageContaining("give another version");
        for (BalancedShards honest : List.of(
                whole.measuredBy(
                        "letters", "2", sample -> 2 * sample.bytes("txt").byteSize()),
                whole.measuredBy("letters", sample -> 2 * sample.bytes("txt").byteSize()))) {
            assertThat(epoch(honest.batches(reading()))).hasSizeGreaterThan(3 * first.size() / 2);
        }
    }

    @Test
    void ranksThatBalanceByThemselvesAreRefusedUnlessTheyMayEndApart() throws Exception {
        writeShards(6);
        BalancedShards alone = balanced()
                .budget("letters", BUDGET)
                .measuredBy("letters", sample -> sample.bytes("txt").byteSize())
                .withoutPass()
                .shard(1, 2);
        for (Even even : List.of(Even.COUNT, Even.REPEAT, Even.STOP_TOGETHER)) {
            assertThatThrownBy(() -> alone.even(even).batches(reading()))
                    .as("%s", even)
                    .isInstanceOf(DatasetException.class)
                    .hasMessageContaining("different numbers of batches")
                    .hasMessageContaining("jspdl index");
        }
    }

    @Test
    void aRankThatBalancesByItselfNeedsAFunctionForWhatTheBudgetCounts() throws Exception {
        writeShards(6);
        index();
        BalancedShards indexed = balanced()
                .budget("txt.bytes", BUDGET)
                .also("letters")
                .measuredBy("letters", sample -> sample.bytes("txt").byteSize())
                .withoutPass();

        assertThatThrownBy(() -> indexed.batches(reading()))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("'letters'")
                .hasMessageContaining("measuredBy(\"txt.bytes\", ...)");
    }

    @Test
    void withoutCostsEachRankBalancesWhatItReads() throws Exception {
        writeShards(6);
        BalancedShards alone = balanced()
                .budget("letters", BUDGET)
                .measuredBy("letters", sample -> sample.bytes("txt").byteSize())
                .withoutPass()
                .even(Even.UNEVEN);
        List<Batch> all = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            all.addAll(epoch(alone.shard(rank, 2).batches(reading())));
        }

        assertThat(all.stream().flatMap(batch -> batch.keys().stream())).containsExactlyInAnyOrderElementsOf(keys());
        assertThat(all).allMatch(batch -> batch.bytes() <= BUDGET);
        assertThat(all.size())
                .isLessThanOrEqualTo(
                        2 + (int) Math.ceil(all.stream().mapToLong(Batch::bytes).sum() / (0.9 * BUDGET)));
    }

    @Test
    void aRunThatEndsWhileARankBalancesClosesWhatWaits() throws Exception {
        writeShards(7);
        BalancedShards alone = balanced()
                .budget("letters", BUDGET)
                .measuredBy("letters", sample -> sample.bytes("txt").byteSize())
                .withoutPass();
        try (Run<List<ShardSample>> run = alone.batches(reading()).start()) {
            batches(run, 1);
        }
        BalancedShards narrow = alone.budget("letters", 40);
        try (Run<List<ShardSample>> run = narrow.batches(reading()).start()) {
            assertThatThrownBy(() -> batches(run, 1)).hasMessageContaining("outside the budget of 40");
        }
    }

    @Test
    void aCostThatNobodyKnowsIsRefusedWithThoseThatThereAre() throws Exception {
        writeShards(8);
        index();
        assertThatThrownBy(() -> balanced().budget("tokens", BUDGET).batches(reading()))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("no cost 'tokens'")
                .hasMessageContaining("[bytes, png.pixels, txt.bytes]");
        assertThatThrownBy(() -> balanced().budget("txt.bytes", 5).batches(reading()))
                .hasMessageContaining("outside the budget of 5");
        assertThatThrownBy(() -> balanced().batches(reading())).hasMessageContaining("a budget must be given");
        assertThat(SampleCosts.find(storage, shards(), "tokens", pool)).isEmpty();
    }

    @Test
    void damagedCostsAreRefused() throws Exception {
        writeShards(9);
        index();
        Path costs = folder.resolve("train.txt.bytes.cost");
        byte[] whole = Files.readAllBytes(costs);
        for (byte[] damaged : List.of(
                java.util.Arrays.copyOf(whole, whole.length - 8),
                java.util.Arrays.copyOf(whole, 20),
                negative(whole))) {
            Files.write(costs, damaged);
            assertThatThrownBy(() -> SampleCosts.find(storage, shards(), "txt.bytes", pool))
                    .hasMessageContaining("train.txt.bytes.cost");
        }
        Files.delete(costs);
        assertThatThrownBy(() -> SampleCosts.find(storage, shards(), "txt.bytes", pool))
                .hasMessageContaining("train.txt.bytes.cost");
    }

    private static byte[] negative(byte[] whole) {
        byte[] damaged = whole.clone();
        damaged[damaged.length - 1] = (byte) 0x80;
        return damaged;
    }

    @Test
    void fieldsThatNotAllSamplesHaveOrThatAreNotWhatTheirNameSaysCostTheirBytesAtMost() throws Exception {
        try (TarWriter tar = TarWriter.create(folder.resolve("train-000.tar"))) {
            for (int i = 0; i < 4; i++) {
                tar.add(
                        "s" + i + ".png",
                        MemorySegment.ofArray("this is no picture, whatever its name"
                                .repeat(i + 1)
                                .getBytes(StandardCharsets.UTF_8)));
                tar.add(
                        "s" + i + ".json",
                        MemorySegment.ofArray("{\"of\": \"a length of its own\"}".getBytes(StandardCharsets.UTF_8)));
                if (i != 2) {
                    tar.add(
                            "s" + i + ".txt",
                            MemorySegment.ofArray(
                                    "a text of some length".repeat(3).getBytes(StandardCharsets.UTF_8)));
                }
            }
        }
        index();

        assertThat(SampleCosts.names(storage, shards(), pool)).containsExactly("bytes", "json.bytes", "png.bytes");
        SampleCosts bytes = SampleCosts.find(storage, shards(), "bytes", pool).orElseThrow();
        assertThat(IntStream.range(0, 4).mapToLong(bytes::of).boxed().collect(Collectors.toList()))
                .containsExactly(37L + 92, 74L + 92, 111L + 29, 148L + 92);
    }
}
