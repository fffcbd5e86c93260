package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Even;
import org.jspdl.source.Position;
import org.jspdl.source.ShardStream;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What it takes to know how many samples remote shards have.
class RemoteSizesTest {
    private static final int SAMPLES = 20;

    @TempDir
    Path folder;

    /// A second request for a slow read would be counted as well.
    private final Storage storage = Storage.open(StorageOptions.defaults().withoutHedging());
    private final BufferPool pool = BufferPool.create("remote", 1 << 28);
    private ObjectServer server;

    @BeforeEach
    void start() throws Exception {
        server = ObjectServer.start(Faults.none());
    }

    @AfterEach
    void stop() throws Exception {
        pool.close();
        storage.close();
        server.close();
    }

    private String serve(int shards) throws Exception {
        Path file = folder.resolve("one.tar");
        try (TarWriter tar = TarWriter.create(file)) {
            for (int i = 0; i < SAMPLES; i++) {
                tar.add(
                        "s" + i + ".txt",
                        java.lang.foreign.MemorySegment.ofArray("text".getBytes(StandardCharsets.UTF_8)));
            }
        }
        ObjectContent tar = ObjectContent.of(Files.readAllBytes(file));
        ShardFile shard = new ShardFile(storage, Location.of(file), ShardOptions.defaults(), pool);
        ObjectContent index =
                ObjectContent.of(TarIndex.write(TarIndex.of(shard).samples()).getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < shards; i++) {
            server.put(String.format("/d/train-%04d.tar", i), tar);
            server.put(String.format("/d/train-%04d.idx", i), index);
        }
        return server.url("/d/") + String.format("train-{0000..%04d}.tar", shards - 1);
    }

    @Test
    void eachSizeIsAskedForOnceHoweverOftenItIsNeeded() throws Exception {
        String pattern = serve(40);
        ShardStream<ShardSample> stream = Shards.open(storage, pattern, ShardOptions.defaults(), pool)
                .shuffled(3)
                .shard(1, 4);
        assertThat(server.counts().requests()).as("before anything is needed").isZero();

        assertThat(stream.size()).hasValue(10 * SAMPLES);
        long asked = server.counts().requests();
        stream.requireEqualShares();
        assertThat(stream.identity()).contains("40 shards of " + 40 * SAMPLES);
        assertThat(stream.even(Even.UNEVEN).size()).hasValue(10 * SAMPLES);

        assertThat(server.counts().requests()).isEqualTo(asked);
        assertThat(asked).isLessThanOrEqualTo(81);
    }

    @Test
    void oneRankReadsItsFirstSampleWithoutAskingForAnySize() throws Exception {
        ShardStream<ShardSample> stream = Shards.open(storage, serve(40), ShardOptions.defaults(), pool)
                .shuffled(3)
                .interleaved(4);

        readFirst(stream);

        assertThat(server.counts().requests())
                .as("the index of the dataset, which there is none of; size and content of four shards")
                .isLessThanOrEqualTo(1 + 2 * 4);
    }

    @Test
    void withAnIndexOfTheDatasetThreeRequestsComeBeforeTheFirstSample() throws Exception {
        serve(1000);
        putIndex(1000, 0);
        ShardStream<ShardSample> stream =
                Shards.open(storage, server.url("/d/train.shards.json"), ShardOptions.defaults(), pool);
        assertThat(stream.size()).hasValue(1000 * SAMPLES);
        assertThat(stream.shard(7, 8).size()).hasValue(125 * SAMPLES);

        assertThat(readFirst(stream)).isEqualTo("s0");

        assertThat(server.counts().requests())
                .as("the index as the dataset, again for the sizes, the first shard")
                .isLessThanOrEqualTo(3);
    }

    @Test
    void aShardOfAnotherSizeThanItsIndexSaysIsRefused() throws Exception {
        String pattern = serve(3);
        putIndex(3, 512);
        ShardStream<ShardSample> stream = Shards.open(storage, pattern, ShardOptions.defaults(), pool);

        assertThatThrownBy(() -> readFirst(stream))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("the index of the dataset says");
    }

    @Test
    void whatAnEarlierRunFoundOutHoldsAsLongAsTheVersionDoes() throws Exception {
        String pattern = serve(40);
        long first = requestsForSizes(pattern, 40 * SAMPLES);
        long second = requestsForSizes(pattern, 40 * SAMPLES);
        assertThat(second).as("the versions alone").isLessThanOrEqualTo(41).isLessThan(first);

        server.put(
                "/d/train-0007.idx", ObjectContent.of("v1.2 1\ntxt 512 4 s0.txt\n".getBytes(StandardCharsets.UTF_8)));

        assertThat(requestsForSizes(pattern, 39 * SAMPLES + 1)).isLessThanOrEqualTo(second + 2);
    }

    private long requestsForSizes(String pattern, long samples) throws Exception {
        long before = server.counts().requests();
        try (Storage keeping = Storage.open(StorageOptions.defaults().notesFolder(folder.resolve("notes")))) {
            assertThat(Shards.open(keeping, pattern, ShardOptions.defaults(), pool)
                            .size())
                    .hasValue(samples);
        }
        return server.counts().requests() - before;
    }

    private static String readFirst(ShardStream<ShardSample> stream) throws Exception {
        try (Cursor<ShardSample> cursor = stream.open(0, Position.START)) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                return sample.key();
            }
        }
    }

    /// @param wrong added to the size of each shard
    private void putIndex(int shards, long wrong) throws Exception {
        long bytes = Files.size(folder.resolve("one.tar")) + wrong;
        List<DatasetIndex.Shard> all = IntStream.range(0, shards)
                .mapToObj(i -> new DatasetIndex.Shard(String.format("train-%04d.tar", i), SAMPLES, bytes, ""))
                .toList();
        server.put(
                "/d/train.shards.json",
                ObjectContent.of(new DatasetIndex(all, List.of()).text().getBytes(StandardCharsets.UTF_8)));
    }

    private static long readAll(ShardStream<ShardSample> stream) throws Exception {
        try (Cursor<ShardSample> cursor = stream.open(0, Position.START)) {
            long samples = 0;
            for (; cursor.advance(); samples++) {
                cursor.item().close();
            }
            return samples;
        }
    }

    /// By its index a sample that was added later is none.
    @Test
    void anIndexThatIsOlderThanItsRemoteShardIsRefused() throws Exception {
        String pattern = serve(2);
        ShardFile shard = new ShardFile(storage, Location.of(folder.resolve("one.tar")), ShardOptions.defaults(), pool);
        String older = TarIndex.write(TarIndex.of(shard).samples().subList(0, SAMPLES - 1));
        server.put("/d/train-0001.idx", ObjectContent.of(older.getBytes(StandardCharsets.UTF_8)));
        ShardStream<ShardSample> all = Shards.open(storage, pattern, ShardOptions.defaults(), pool);

        assertThat(readAll(all)).as("in order no index is needed").isEqualTo(2 * SAMPLES);
        for (ShardStream<ShardSample> stream : List.of(
                all.shard(2, 3),
                all.shuffled(3).shard(2, 3),
                all.even(Even.UNEVEN).shard(1, 2),
                all.even(Even.REPEAT).shard(1, 2),
                all.shuffled(3).blocks(4))) {
            assertThatThrownBy(() -> readAll(stream))
                    .as(stream.identity())
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("train-0001.tar")
                    .hasMessageContaining("the index beside it ends before 's19.txt'");
        }
    }

    @Test
    void aWholeIndexTakesARequestForEachShardThatIsReadToItsEnd() throws Exception {
        ShardStream<ShardSample> half =
                Shards.open(storage, serve(4), ShardOptions.defaults(), pool).shard(0, 2);
        long before = server.counts().requests();

        assertThat(readAll(half)).isEqualTo(2 * SAMPLES);
        long first = server.counts().requests() - before;
        assertThat(readAll(half)).isEqualTo(2 * SAMPLES);

        assertThat(server.counts().requests() - before - first)
                .as("in a later epoch")
                .isLessThan(first);
    }

    @Test
    void aShardWithoutAnIndexLeavesTheWholeOfUnknownSize() throws Exception {
        serve(4);
        server.put("/d/train-9999.tar", ObjectContent.of(new byte[1024]));

        ShardStream<ShardSample> stream =
                Shards.open(storage, server.url("/d/") + "train-{0000,0001,9999}.tar", ShardOptions.defaults(), pool);

        assertThat(stream.size()).isEmpty();
    }

    @Test
    @Tag("campaign")
    void theFirstSampleOfAThousandIndexedShardsComesWithinTwoSeconds() throws Exception {
        String pattern = serve(1000);
        server.faults(Faults.latency(Duration.ofMillis(50)));
        long begin = System.nanoTime();
        ShardStream<ShardSample> stream = Shards.open(storage, pattern, ShardOptions.defaults(), pool)
                .shuffled(3)
                .interleaved(4);
        try (Cursor<ShardSample> cursor = stream.open(0, Position.START)) {
            assertThat(cursor.advance()).isTrue();
            cursor.item().close();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf("first of 1,000 indexed shards at 50 ms: %.2f s, %s%n", seconds, server.counts());
        assertThat(seconds).isLessThan(2);
    }
}
