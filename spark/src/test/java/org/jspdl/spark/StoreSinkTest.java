package org.jspdl.spark;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables written as shards to an object store.
@Tag("slow")
class StoreSinkTest {
    private static final String TARGET = "memory://bucket/some/train";
    private static SparkSession spark;

    @TempDir
    Path folder;

    private Dataset<Row> photos;

    @BeforeAll
    static void start() {
        spark = LocalSession.get();
    }

    /// 60 samples in partitions of 10, of which the third is empty.
    @BeforeEach
    void read() throws Exception {
        MemoryStore.OBJECTS.clear();
        photos = spark.read()
                .format("jspdl")
                .option("samplesPerPartition", 10)
                .load(Datasets.files(folder.resolve("files"), 60).toString())
                .where("_index < 20 or _index >= 30")
                .select(col("_index"), col("bytes").as("jpg"), col("label").as("cls"));
    }

    @AfterEach
    void mend() {
        MemoryStore.fails = _ -> false;
        MemoryStore.OBJECTS.clear();
    }

    private void save(String shards) {
        photos.write().format("jspdl").option("shards", shards).save(TARGET);
    }

    private static Map<String, String> stored() {
        Map<String, String> stored = new TreeMap<>();
        MemoryStore.OBJECTS.forEach((address, content) ->
                stored.put(address.substring(TARGET.length() + 1), new String(content, StandardCharsets.ISO_8859_1)));
        return stored;
    }

    /// What the same job writes to a folder.
    private Map<String, String> local(String shards) throws Exception {
        Path to = folder.resolve("local/train");
        Files.createDirectory(to.getParent());
        photos.write().format("jspdl").option("shards", shards).save(to.toString());
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(to)) {
            for (Path file : files.toList()) {
                contents.put(file.getFileName().toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return contents;
    }

    @ParameterizedTest
    @ValueSource(strings = {"webdataset", "mds"})
    void theShardsAreThoseOfAFolder(String shards) throws Exception {
        save(shards);

        assertThat(stored()).isEqualTo(local(shards)).containsKey("train.shards.json");
        assertThat(spark.read()
                        .format("jspdl")
                        .load(TARGET + "/train.shards.json")
                        .count())
                .isEqualTo(50);
    }

    @Test
    void anAttemptThatCannotSendIsMadeAgainAndLeavesNothing() throws Exception {
        Set<String> failed = ConcurrentHashMap.newKeySet();
        // Each object once, and so often each attempt in the middle.
        MemoryStore.fails = address ->
                isHidden(address) && address.endsWith("0.idx") && failed.add(address.replaceFirst("-\\d+/", "/"));

        save("webdataset");

        assertThat(failed).hasSize(5);
        assertThat(stored()).isEqualTo(local("webdataset"));
    }

    @Test
    void aShardThatCannotGetItsNameAtOnceGetsItLater() throws Exception {
        Set<String> failed = ConcurrentHashMap.newKeySet();
        MemoryStore.fails = address -> !isHidden(address) && address.endsWith(".tar") && failed.add(address);

        save("webdataset");

        assertThat(failed).hasSize(5);
        assertThat(stored()).isEqualTo(local("webdataset"));
    }

    @Test
    void aJobThatFailsLeavesNothing() {
        MemoryStore.fails = address -> isHidden(address) && address.contains("/part-4-");

        assertThatThrownBy(() -> save("webdataset")).hasStackTraceContaining("out of order");
        assertThat(MemoryStore.OBJECTS).isEmpty();
    }

    @Test
    void whatAKilledJobHidIsRemovedAndIsNoDataset() {
        MemoryStore.OBJECTS.put(TARGET + "/.jspdl/other/part-0-0/train-000000.tar", new byte[512]);

        save("webdataset");

        assertThat(stored().keySet()).hasSize(12).noneMatch(name -> name.startsWith("."));
    }

    @Test
    void whatIsThereIsNotWrittenOver() {
        save("webdataset");
        Map<String, String> before = stored();

        assertThatThrownBy(() -> save("webdataset")).hasMessageContaining("is there, and not empty");
        assertThatThrownBy(() ->
                        photos.write().format("jspdl").mode(SaveMode.Overwrite).save(TARGET))
                .hasMessageContaining("nothing is overwritten");
        photos.write().format("jspdl").mode(SaveMode.Ignore).save(TARGET);

        assertThat(stored()).isEqualTo(before);
    }

    private static boolean isHidden(String address) {
        return address.contains("/.jspdl/");
    }
}
