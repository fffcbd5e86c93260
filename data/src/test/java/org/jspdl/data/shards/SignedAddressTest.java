package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.dataset.Manifest;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Web addresses whose query is a signature: they are read, and the signature is told nobody.
class SignedAddressTest {
    private static final String SIGNATURE = "?X-Amz-Expires=9/9&X-Amz-Signature=secret";

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("signed", 1 << 26);
    private ObjectServer server;

    @BeforeEach
    void start() throws Exception {
        server = ObjectServer.start(Faults.none());
        server.put("/d/train.tar", ObjectContent.of(Files.readAllBytes(ShardFiles.tar(folder, 20, "pax"))));
        put("/d/broken.tar", "no archive ".repeat(100));
        put("/d/lines.jsonl", "{\"file\": \"a.jpg\", \"label\": 1}\n");
        put("/d/list.txt", "a.jpg 1\n");
        put("/d/empty.csv", "");
    }

    @AfterEach
    void stop() throws Exception {
        pool.close();
        storage.close();
        server.close();
    }

    private void put(String path, String text) {
        server.put(path, ObjectContent.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String signed(String path) {
        return server.url(path) + SIGNATURE;
    }

    @Test
    void shardsAreReadAndCheckpointsHoldNoSignature() throws Exception {
        Pipeline<ShardSample> samples =
                Pipeline.from(Shards.shard(storage, signed("/d/train.tar"), ShardOptions.defaults(), pool));
        List<String> shards = new ArrayList<>();
        try (Run<ShardSample> run = samples.start()) {
            for (ShardSample sample : run) {
                try (sample) {
                    shards.add(sample.shard());
                }
            }
            assertThat(run.checkpoint().toJson()).contains("train.tar").doesNotContain("secret");
        }
        assertThat(shards).hasSize(20).containsOnly(server.url("/d/train.tar") + "?...");
        assertThat(Shards.open(storage, signed("/d/lines.jsonl"), ShardOptions.defaults(), pool)
                        .size())
                .isEmpty();
    }

    @Test
    void datasetsAreReadRelativeToWhereTheyLie() throws Exception {
        assertThat(LabeledFiles.open(storage, signed("/d/lines.jsonl"))
                        .location(0)
                        .text())
                .isEqualTo(server.url("/d/a.jpg"));
        assertThat(LabeledFiles.open(storage, signed("/d/list.txt")).location(0).text())
                .isEqualTo(server.url("/d/a.jpg"));
        try (Manifest manifest = Manifest.open(storage, signed("/d/lines.jsonl"))) {
            assertThat(manifest).asString().contains("lines.jsonl").doesNotContain("secret");
        }
    }

    @Test
    void noErrorTellsASignature() {
        assertThatThrownBy(() ->
                        ShardTexts.all(Shards.shard(storage, signed("/d/broken.tar"), ShardOptions.defaults(), pool)))
                .hasMessageContaining("broken.tar?...")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> Shards.shard(storage, signed("/d/a.doc"), ShardOptions.defaults(), pool))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("a.doc?...")
                .hasMessageNotContaining("secret");
        for (String dataset : List.of("/d/empty.csv", "/d/nowhere.csv", "/d/nowhere.txt")) {
            assertThatThrownBy(() -> LabeledFiles.open(storage, signed(dataset)))
                    .isInstanceOf(DatasetException.class)
                    .hasMessageContaining(dataset + "?...")
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void onlyWebAddressesHaveQueries() {
        assertThat(Location.of("what?.tar").toString()).isEqualTo("what?.tar");
        assertThat(Location.of("s3://b/what?.tar").toString()).isEqualTo("s3://b/what?.tar");
        assertThat(Location.of("HTTPS://me:secret@host/a?b").toString()).isEqualTo("HTTPS://...@host/a?...");
        assertThat(Location.of("http://host/a.tar?b").name()).isEqualTo("http://host/a.tar");
        assertThat(Shards.isShard(Location.of("https://host/a.tar?b=.txt"))).isTrue();
    }
}
