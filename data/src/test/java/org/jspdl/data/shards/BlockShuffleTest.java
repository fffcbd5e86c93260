package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
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

/// Shuffling over all of 64 indexed shards on a web server.
class BlockShuffleTest {
    private static final int SHARDS = 64;
    private static final int SAMPLES = 70;
    private static final int BLOCK = 16;

    @TempDir
    Path folder;

    /// A second request for a slow read would be counted as well.
    private final Storage storage = Storage.open(StorageOptions.defaults().withoutHedging());
    private final BufferPool pool = BufferPool.create("remote", 1 << 26);
    private ObjectServer server;

    @BeforeEach
    void start() throws Exception {
        server = ObjectServer.start(Faults.none());
        List<DatasetIndex.Shard> shards = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            Path file = folder.resolve("one.tar");
            try (TarWriter tar = TarWriter.create(file)) {
                for (int i = 0; i < SAMPLES; i++) {
                    byte[] text = (shard + "/" + i).getBytes(StandardCharsets.UTF_8);
                    // some names take several headers
                    tar.add("s" + i + "x".repeat(i % 7 == 0 ? 150 : 1) + ".txt", MemorySegment.ofArray(text));
                    tar.add("s" + i + "x".repeat(i % 7 == 0 ? 150 : 1) + ".cls", MemorySegment.ofArray(text));
                }
            }
            String name = "train-%02d".formatted(shard);
            TarIndex index = TarIndex.of(new ShardFile(storage, Location.of(file), ShardOptions.defaults(), pool));
            server.put("/d/" + name + ".tar", ObjectContent.of(Files.readAllBytes(file)));
            server.put(
                    "/d/" + name + ".idx",
                    ObjectContent.of(TarIndex.write(index.samples()).getBytes(StandardCharsets.UTF_8)));
            shards.add(new DatasetIndex.Shard(name + ".tar", SAMPLES, Files.size(file), ""));
        }
        server.put(
                "/d/train.shards.json",
                ObjectContent.of(new DatasetIndex(shards, List.of()).text().getBytes(StandardCharsets.UTF_8)));
    }

    @AfterEach
    void stop() throws Exception {
        pool.close();
        storage.close();
        server.close();
    }

    private ShardStream<ShardSample> stream() throws Exception {
        ShardStream<ShardSample> shards =
                Shards.open(storage, server.url("/d/") + "train-{00..63}.tar", ShardOptions.defaults(), pool);
        return Shards.shuffled(shards, 7, 16, 1024, BLOCK);
    }

    private static String read(ShardSample sample) {
        try (sample) {
            assertThat(sample.text("cls")).isEqualTo(sample.text("txt"));
            return sample.text("txt");
        }
    }

    @Test
    void aBatchHasSamplesOfNearlyAllShardsForOneRequestABlock() throws Exception {
        List<String> order = new ArrayList<>();
        try (Cursor<ShardSample> cursor = stream().open(2, Position.START)) {
            while (cursor.advance()) {
                order.add(read(cursor.item()));
            }
        }
        assertThat(order).hasSize(SHARDS * SAMPLES).doesNotHaveDuplicates();
        double found = 0;
        int batches = order.size() / 256;
        for (int batch = 0; batch < batches; batch++) {
            HashSet<String> shards = new HashSet<>();
            order.subList(batch * 256, batch * 256 + 256)
                    .forEach(sample -> shards.add(sample.substring(0, sample.indexOf('/'))));
            found += shards.size();
        }
        int blocks = SHARDS * Math.ceilDiv(SAMPLES, BLOCK);
        System.out.printf(
                "blocks of %d: %.1f of 64 shards in a batch of 256, %d requests for %d blocks%n",
                BLOCK, found / batches, server.counts().requests(), blocks);
        assertThat(found / batches).isGreaterThanOrEqualTo(60);
        assertThat(server.counts().requests())
                .as("the index of the dataset, those of the shards, the blocks")
                .isEqualTo(1 + SHARDS + blocks);
    }

    @Test
    void readingGoesOnAnywhere() throws Exception {
        ShardStream<ShardSample> stream = stream();
        List<String> whole = new ArrayList<>();
        List<Position> places = new ArrayList<>();
        try (Cursor<ShardSample> cursor = stream.open(0, Position.START)) {
            while (cursor.advance()) {
                whole.add(read(cursor.item()));
                places.add(cursor.position());
            }
        }
        for (int taken : new int[] {1, 15, 700, 1023, 1024, 1500, 3_333, whole.size() - 2}) {
            try (Cursor<ShardSample> cursor = stream.open(0, places.get(taken - 1))) {
                for (int i = taken; i < Math.min(whole.size(), taken + 40); i++) {
                    assertThat(cursor.advance()).isTrue();
                    assertThat(read(cursor.item()))
                            .as("sample %d after %d", i, taken)
                            .isEqualTo(whole.get(i));
                }
            }
        }
    }
}
