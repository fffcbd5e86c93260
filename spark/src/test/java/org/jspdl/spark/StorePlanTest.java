package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.shards.pack.PackException;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a plan makes, written to an object store, against one machine's `pack`.
@Tag("slow")
class StorePlanTest {
    private static final int PICTURES = 90;
    private static final Location TARGET = Location.of("memory://bucket/some/set");

    @TempDir
    Path folder;

    @BeforeEach
    void paint() throws Exception {
        MemoryStore.OBJECTS.clear();
        Pictures.paint(folder, PICTURES);
    }

    @AfterEach
    void mend() {
        MemoryStore.fails = _ -> false;
        MemoryStore.OBJECTS.clear();
    }

    private PlanJob job(String text) {
        return PlanJob.of("plan.yaml", text).in(folder).samplesPerShard(20);
    }

    /// The content of files, by their names; of what failed without when.
    private static String content(String name, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return name.equals(PackedPlan.QUARANTINE)
                ? text.lines()
                        .map(line -> line.replaceFirst("\"time\":\"[^\"]*\",", ""))
                        .collect(Collectors.joining("\n"))
                : text;
    }

    /// All that a store has below a folder.
    private static Map<String, String> stored(Location target) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("contents");
                Stream<ListedObject> listed = storage.list(target)) {
            for (ListedObject each : listed.toList()) {
                String name = each.location().text().substring(target.text().length() + 1);
                try (StoredObject object = storage.object(each.location());
                        Lease content = object.readAll(pool, 1 << 30)) {
                    contents.put(
                            name, content(name, content.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)));
                }
            }
        }
        return contents;
    }

    /// Without the index and the costs in pixels that it names, which need shards on the driver's disk.
    private Map<String, String> local(String text) throws Exception {
        Path to = folder.resolve("local/set");
        Files.createDirectories(to.getParent());
        Pictures.packed(folder, text, to, 20);
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(to)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                contents.put(name, content(name, Files.readAllBytes(file)));
            }
        }
        contents.keySet().removeIf(name -> name.endsWith(".pixels.cost") || name.endsWith(".shards.json"));
        return contents;
    }

    @Test
    void theObjectsAreTheFilesOfOneMachineByteByByte() throws Exception {
        Files.writeString(folder.resolve("photos/c1/0041.jpg"), "broken");

        PackedPlan.Result result = job(Pictures.PLAN).run(LocalSession.get(), TARGET);

        assertThat(result.samples()).isEqualTo(PICTURES - 4);
        assertThat(result.failed()).isEqualTo(1);
        Map<String, String> stored = stored(TARGET);
        assertThat(stored.remove("set.shards.json")).containsPattern("\"samples\": ?" + (PICTURES - 4));
        assertThat(stored).hasSize(12).isEqualTo(local(Pictures.PLAN)).containsKey(PackedPlan.QUARANTINE);
    }

    @Test
    void aJobThatFailsLeavesNothing() throws Exception {
        SparkSession spark = LocalSession.get();
        for (int i = 40; i < 44; i++) {
            Files.writeString(folder.resolve("photos/c%d/%04d.jpg".formatted(i % 2, i)), "broken");
        }
        assertThatThrownBy(() -> job(Pictures.PLAN).run(spark, TARGET))
                .hasMessageContaining("more than max-failures: 2 allows");
        assertThat(MemoryStore.OBJECTS).isEmpty();

        paint();
        MemoryStore.fails = address -> address.endsWith("/set-000002.tar");
        assertThatThrownBy(() -> job(Pictures.PLAN).run(spark, TARGET)).hasStackTraceContaining("out of order");
        assertThat(MemoryStore.OBJECTS).isEmpty();
    }

    @Test
    void whatIsThereIsNotWrittenOver() throws Exception {
        MemoryStore.OBJECTS.put(TARGET.text() + "/mine.txt", new byte[3]);

        assertThatThrownBy(() -> job(Pictures.PLAN).overwrite().run(LocalSession.get(), TARGET))
                .isInstanceOf(PackException.class)
                .hasMessageContaining("is there, and not empty");
        assertThat(MemoryStore.OBJECTS).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void aFileThatChangesWhileTheJobRunsEndsItByName(int bytes) throws Exception {
        Path changed = folder.resolve("photos/c1/0041.jpg");
        MemoryStore.fails = address -> { // the first shard that is sent
            try {
                Files.write(changed, new byte[bytes]);
                return false;
            } catch (IOException failure) {
                throw new java.io.UncheckedIOException(failure);
            }
        };
        String ordered = Pictures.PLAN.replace(", shuffle: true, seed: 5", "");

        assertThatThrownBy(() -> job(ordered).samplesPerShard(1).run(LocalSession.get(), TARGET))
                .hasStackTraceContaining("0041.jpg")
                .hasStackTraceContaining("has changed since the dataset was listed");
        assertThat(MemoryStore.OBJECTS).isEmpty();
    }

    /// A server that others wrote.
    @Test
    @Timeout(300)
    void theObjectsOfAServerOfS3AreTheFilesOfOneMachine() throws Exception {
        Location target = Location.of("s3://bucket/some/set");
        try (S3Server server = S3Server.start(folder)) {
            server.use();
            job(Pictures.PLAN).run(LocalSession.get(), target);
            Map<String, String> stored = stored(target);
            assertThat(stored.remove("set.shards.json")).containsPattern("\"samples\": ?" + (PICTURES - 3));
            assertThat(stored).hasSize(11).isEqualTo(local(Pictures.PLAN));
            assertThatThrownBy(() -> job(Pictures.PLAN).run(LocalSession.get(), target))
                    .hasMessageContaining("is there, and not empty");

            Location table = Location.of("s3://bucket/table");
            LocalSession.get()
                    .read()
                    .format("jspdl")
                    .option("samplesPerPartition", 20)
                    .load(folder.resolve("photos").toString())
                    .selectExpr("_index", "bytes AS jpg", "label AS cls")
                    .write()
                    .format("jspdl")
                    .save(table.text());
            assertThat(stored(table)).hasSize(12).containsKey("table.shards.json");
            assertThat(LocalSession.get()
                            .read()
                            .format("jspdl")
                            .load(table.text() + "/table.shards.json")
                            .count())
                    .isEqualTo(PICTURES);
        }
    }
}
