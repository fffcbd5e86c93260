package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
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
    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
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
            for (int i = 0; i < 3; i++) {
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

        assertThat(stream.size()).hasValue(30);
        long asked = server.counts().requests();
        stream.requireEqualShares();
        assertThat(stream.identity()).contains("40 shards of 120");
        assertThat(stream.uneven().size()).hasValue(30);

        assertThat(server.counts().requests()).isEqualTo(asked);
        assertThat(asked).isLessThanOrEqualTo(80);
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
