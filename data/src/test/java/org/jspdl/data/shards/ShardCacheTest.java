package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.cache.CachePeers;
import org.jspdl.data.cache.CachePeersOptions;
import org.jspdl.data.cache.CacheServer;
import org.jspdl.data.cache.CacheServerOptions;
import org.jspdl.data.cache.CachedStorage;
import org.jspdl.data.cache.DiskCache;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shards on a web server behind a cache on disk that holds a part of them.
class ShardCacheTest {
    private static final int SHARDS = 20;
    private static final int SAMPLES = 15;
    private static final int EPOCHS = 5;
    private static final ShardOptions OPTIONS = ShardOptions.defaults().readAheadBytes(1 << 16);

    @TempDir
    Path folder;

    private final BufferPool pool = BufferPool.create("remote", 1 << 26);
    private ObjectServer server;
    private long shardBytes;

    @BeforeEach
    void start() throws Exception {
        server = ObjectServer.start(Faults.none());
        for (int shard = 0; shard < SHARDS; shard++) {
            Path file = folder.resolve("one.tar");
            try (TarWriter tar = TarWriter.create(file)) {
                for (int i = 0; i < SAMPLES; i++) {
                    tar.add("s" + i + ".bin", MemorySegment.ofArray(content(shard, i)));
                }
            }
            shardBytes = Files.size(file);
            server.put("/d/train-%02d.tar".formatted(shard), ObjectContent.of(Files.readAllBytes(file)));
        }
    }

    @AfterEach
    void stop() throws Exception {
        pool.close();
        server.close();
    }

    private static byte[] content(int shard, int sample) {
        byte[] content = new byte[6_000];
        java.util.Arrays.fill(content, (byte) (shard * SAMPLES + sample));
        return content;
    }

    private ShardStream<ShardSample> stream(Storage storage) throws Exception {
        return Shards.open(storage, server.url("/d/") + "train-{00..19}.tar", OPTIONS, pool)
                .shuffled(3);
    }

    private static long readEpoch(ShardStream<ShardSample> stream, long epoch) throws Exception {
        long samples = 0;
        try (Cursor<ShardSample> cursor = stream.open(epoch, Position.START)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    String shard = sample.shard();
                    int number = Integer.parseInt(shard.substring(shard.length() - 6, shard.length() - 4));
                    assertThat(sample.bytes("bin").toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                            .isEqualTo(content(number, (int) sample.index()));
                    samples++;
                }
            }
        }
        return samples;
    }

    @Test
    void epochsFetchLittleMoreThanAnyPolicyMust() throws Exception {
        List<Long> bytes = new ArrayList<>();
        int room = SHARDS * 35 / 100;
        try (Storage storage = Storage.open();
                DiskCache cache = DiskCache.open(folder.resolve("cache"), room * (shardBytes + 3 * 4096))) {
            ShardStream<ShardSample> stream = stream(CachedStorage.of(storage, cache));
            for (int epoch = 0; epoch < EPOCHS; epoch++) {
                long before = server.counts().bytes();
                assertThat(readEpoch(stream, epoch)).isEqualTo(SHARDS * SAMPLES);
                bytes.add(server.counts().bytes() - before);
            }
            assertThat(cache.stats().evicted()).isPositive();
        }
        System.out.printf(
                "bytes of each epoch in shards: %s%n",
                bytes.stream().map(each -> each / shardBytes).toList());
        assertThat(bytes.stream().skip(1).mapToLong(Long::longValue).sum())
                .as("a policy that keeps a fixed 35 %% fetches 65 %% of each later epoch; some of the next epoch is"
                        + " fetched early")
                .isLessThanOrEqualTo((EPOCHS - 1L) * (SHARDS - room) * shardBytes + 4 * shardBytes);
    }

    @Test
    void whatTheNextEpochBeginsWithIsFetchedBeforeItDoes() throws Exception {
        server.faults(Faults.latency(Duration.ofMillis(5)));
        try (Storage storage = Storage.open();
                DiskCache cache = DiskCache.open(folder.resolve("cache"), 6 * (shardBytes + 3 * 4096))) {
            ShardStream<ShardSample> stream = stream(CachedStorage.of(storage, cache));
            try (Cursor<ShardSample> cursor = stream.open(0, Position.START)) {
                for (int i = 0; i < SHARDS * SAMPLES; i++) {
                    assertThat(cursor.advance()).isTrue();
                    cursor.item().close();
                }
                assertThat(cursor.advance()).isFalse();
            }
            long hits = cache.stats().hits();

            try (Cursor<ShardSample> cursor = stream.open(1, Position.START)) {
                assertThat(cursor.advance()).isTrue();
                cursor.item().close();
            }

            assertThat(cache.stats().hits()).isGreaterThan(hits);
        }
    }

    @Test
    void anEpochIsReadFromAnotherMachinesCache() throws Exception {
        try (Storage storage = Storage.open();
                DiskCache first = DiskCache.open(folder.resolve("first"), 1L << 30);
                DiskCache second = DiskCache.open(folder.resolve("second"), 1L << 30);
                CacheServer served = CacheServer.start(first, CacheServerOptions.at(0));
                CachePeers peers = CachePeers.open(CachePeersOptions.of(List.of("http://127.0.0.1:" + served.port()))
                        .patience(Duration.ofSeconds(20)))) {
            readEpoch(stream(CachedStorage.of(storage, first)), 0);
            long before = server.counts().bytes();

            assertThat(readEpoch(stream(CachedStorage.of(storage, second, peers)), 0))
                    .isEqualTo(SHARDS * SAMPLES);

            assertThat(server.counts().bytes() - before).isZero();
            assertThat(peers.stats().bytes()).isGreaterThanOrEqualTo(SHARDS * shardBytes);
        }
    }
}
