package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamReader;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Micro-batches over folders into which shards come.
@Tag("slow")
class GrowingFolderTest {
    private static final String SCHEMA = "key string, cls long, jpg binary";
    private static SparkSession spark;

    @TempDir
    Path folder;

    private Path packed;
    private Path growing;
    private final List<List<String>> batches = new ArrayList<>();

    @BeforeAll
    static void start() {
        spark = LocalSession.get();
    }

    /// 60 samples in six shards.
    @BeforeEach
    void pack() throws Exception {
        packed = Datasets.shards(Datasets.files(folder.resolve("files"), 60), folder.resolve("packed"), 10);
        growing = Files.createDirectory(folder.resolve("growing"));
    }

    private void arrives(int shard, String as) throws Exception {
        Path file;
        try (Stream<Path> files = Files.list(packed)) {
            file = files.filter(each -> each.toString().endsWith(".tar"))
                    .sorted()
                    .skip(shard)
                    .findFirst()
                    .orElseThrow();
        }
        Files.copy(file, growing.resolve("." + as));
        Files.move(growing.resolve("." + as), growing.resolve(as));
    }

    private DataStreamReader reader(String... namesAndValues) {
        DataStreamReader reader = spark.readStream().format("jspdl").schema(SCHEMA);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            reader = reader.option(namesAndValues[i], namesAndValues[i + 1]);
        }
        return reader;
    }

    private StreamingQuery query(Dataset<Row> rows, Trigger trigger) throws Exception {
        VoidFunction2<Dataset<Row>, Long> keep = (batch, _) -> batches.add(batch.select("key").collectAsList().stream()
                .map(row -> row.getString(0))
                .toList());
        return rows.writeStream()
                .trigger(trigger)
                .option("checkpointLocation", folder.resolve("checkpoint").toString())
                .foreachBatch(keep)
                .start();
    }

    /// Everything that is there now, by a query that then ends.
    private void runOnce(String... options) throws Exception {
        query(reader(options).load(growing.toString()), Trigger.AvailableNow()).awaitTermination();
    }

    private List<String> keys() {
        return batches.stream().flatMap(List::stream).sorted().toList();
    }

    private static List<String> samples(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> String.format("%09d", i)).toList();
    }

    @Test
    void eachShardIsInOneBatchHoweverOftenTheQueryIsStarted() throws Exception {
        arrives(1, "b.tar");
        arrives(0, "c.tar");
        runOnce();
        assertThat(keys()).isEqualTo(samples(0, 20));

        arrives(2, "a.tar"); // before the others in the order of names
        runOnce("samplesPerPartition", "3");
        runOnce();
        arrives(3, "odd name %41 \u00e9\n.tar");
        runOnce();
        runOnce();

        assertThat(keys()).isEqualTo(samples(0, 40));
        assertThat(batches.stream().filter(batch -> !batch.isEmpty())).hasSize(3);
    }

    @Test
    void aQueryThatRunsOnTakesShardsAsTheyCome() throws Exception {
        StreamingQuery query = query(reader().load(growing.toString()), Trigger.ProcessingTime(0));
        try {
            query.processAllAvailable();
            assertThat(keys()).isEmpty();
            for (int i = 0; i < 6; i++) {
                arrives(i, "s" + i + ".tar");
                query.processAllAvailable();
                assertThat(keys()).isEqualTo(samples(0, 10 * (i + 1)));
            }
        } finally {
            query.stop();
        }
    }

    @Test
    void whatWasFoundBeforeADriverWasKilledComesWhenItIsStartedAgain() throws Exception {
        arrives(0, "a.tar");
        runOnce();
        arrives(1, "b.tar");
        // Found and written down, and Spark never heard of it.
        ShardBatches.of(
                        Datasets.options(growing),
                        new DatasetScan(StructType.fromDDL(SCHEMA), Datasets.options(growing), 1).createReaderFactory(),
                        folder.resolve("checkpoint/sources/0").toString(),
                        new Configuration())
                .latestOffset();
        arrives(2, "c.tar");

        runOnce();

        assertThat(keys()).isEqualTo(samples(0, 30));
    }

    @Test
    void aShardThatGrowsAfterItWasFoundEndsTheQuery() throws Exception {
        arrives(0, "a.tar");
        runOnce();
        Files.write(growing.resolve("a.tar"), new byte[512], StandardOpenOption.APPEND);

        assertThatThrownBy(this::runOnce).hasStackTraceContaining("must be complete when they appear");
        assertThat(keys()).isEqualTo(samples(0, 10));
    }

    @Test
    void aShardThatChangesBeforeItIsReadEndsTheTask() throws Exception {
        arrives(0, "a.tar");
        Path shard = growing.resolve("a.tar");
        ShardPiece piece = new ShardPiece(shard.toString(), 0, Long.MAX_VALUE, Files.size(shard) - 1);

        assertThatThrownBy(() ->
                        Datasets.open(piece, StructType.fromDDL(SCHEMA), Datasets.options(growing), Integer.MAX_VALUE))
                .hasStackTraceContaining("must be complete when they appear");
    }

    @Test
    void foldersOfFilesPlansAndFoldersThatAreNotThereAreRefused() throws Exception {
        Files.writeString(growing.resolve("cat.jpg"), "no shard");
        assertThatThrownBy(this::runOnce).hasStackTraceContaining("only folders of shards are read as a stream");
        Files.delete(growing.resolve("cat.jpg"));
        Files.delete(growing);
        assertThatThrownBy(this::runOnce).hasStackTraceContaining("growing");
        assertThatThrownBy(() -> query(
                                spark.readStream()
                                        .format("jspdl")
                                        .schema(SCHEMA)
                                        .options(Map.of("plan", "source: {images: {path: " + folder + "}}"))
                                        .load(),
                                Trigger.AvailableNow())
                        .awaitTermination())
                .hasStackTraceContaining("is no stream");
    }

    @Test
    void aCheckpointThatWasChangedIsNotGuessedAt() throws Exception {
        arrives(0, "a.tar");
        runOnce();
        Path log = folder.resolve("checkpoint/sources/0/shards");
        Files.deleteIfExists(log.resolve(".1.crc"));
        Files.writeString(log.resolve("1"), "jspdl shards 1\n12 a.tar\n");

        assertThatThrownBy(this::runOnce).hasStackTraceContaining("is no list of shards");
    }
}
