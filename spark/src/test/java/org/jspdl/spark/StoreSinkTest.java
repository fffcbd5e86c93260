package org.jspdl.spark;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
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

    @ParameterizedTest
    @ValueSource(strings = {"train-000003.tar", "train-000002.idx", "train.shards.json"})
    void aJobThatFailsWhileShardsGetTheirNamesLeavesNone(String name) {
        MemoryStore.fails = address -> address.equals(TARGET + "/" + name);

        assertThatThrownBy(() -> save("webdataset")).hasStackTraceContaining("out of order");
        assertThat(MemoryStore.OBJECTS).isEmpty();
    }

    @Test
    void readersRefuseTheFolderWhileShardsGetTheirNames() throws Exception {
        Set<String> refused = ConcurrentHashMap.newKeySet();
        MemoryStore.fails = address -> {
            if (!isHidden(address) && address.endsWith("000.tar")) {
                MemoryStore.OBJECTS.put(address, new byte[0]); // as it is in a moment
                refused.add(found());
            }
            return false;
        };

        save("webdataset");

        assertThat(refused).isNotEmpty().allMatch(told -> told.contains("has not ended, or was killed"));
        assertThat(found()).isEqualTo("5 shards");
    }

    private static String found() {
        try (Storage storage = Storage.open()) {
            return Shards.locations(storage, Location.of(TARGET)).size() + " shards";
        } catch (IOException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    @Test
    void whatAKilledDriverNamedIsRefusedAndRemovedByTheNextJob() throws Exception {
        save("webdataset");
        Map<String, String> whole = stored();
        MemoryStore.OBJECTS.put(
                TARGET + "/.jspdl/killed/names",
                (String.join("\n", List.of("train-000000.idx", "train-000000.tar", "train-000007.tar"))
                                + "\ntrain.shards.json")
                        .getBytes(StandardCharsets.UTF_8));
        MemoryStore.OBJECTS.remove(TARGET + "/train.shards.json");
        MemoryStore.OBJECTS.keySet().removeIf(address -> !isHidden(address) && !address.contains("000000"));
        MemoryStore.OBJECTS.put(TARGET + "/train-000007.tar", new byte[9]);

        assertThat(found()).contains("has not ended, or was killed");
        save("webdataset");

        assertThat(stored()).isEqualTo(whole);
    }

    @Test
    void whatOthersPutBesideTheNamesOfAKilledDriverIsNotRemoved() {
        MemoryStore.OBJECTS.put(
                TARGET + "/.jspdl/killed/names",
                "train-000000.tar\ntrain.shards.json".getBytes(StandardCharsets.UTF_8));
        MemoryStore.OBJECTS.put(TARGET + "/train-000000.tar", new byte[9]);
        MemoryStore.OBJECTS.put(TARGET + "/mine.txt", new byte[9]);

        assertThatThrownBy(() -> save("webdataset")).hasMessageContaining("is there, and not empty");

        assertThat(stored()).hasSize(3);
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
