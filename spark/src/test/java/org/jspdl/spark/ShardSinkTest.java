package org.jspdl.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables written as shards.
@Tag("slow")
class ShardSinkTest {
    private static final AtomicInteger ATTEMPTS = new AtomicInteger();
    private static SparkSession spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        spark = LocalSession.get();
    }

    /// Files as a table of the columns that [org.jspdl.data.shards.pack.FileInput] gives samples.
    private Dataset<Row> photos(int count, int perPartition) throws IOException {
        return spark.read()
                .format("jspdl")
                .option("samplesPerPartition", perPartition)
                .load(Datasets.files(folder.resolve("files"), count).toString())
                .select(col("_index"), col("bytes").as("jpg"), col("label").as("cls"));
    }

    /// The files of a folder with what they hold, but for the journal of `pack`.
    private static Map<String, byte[]> contents(Path of) throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(of)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (!name.endsWith(".packed")) {
                    contents.put(name, Files.readAllBytes(file));
                }
            }
        }
        return contents;
    }

    private static void assertSame(Path one, Path other) throws IOException {
        Map<String, byte[]> expected = contents(other);
        Map<String, byte[]> found = contents(one);
        assertThat(found.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, bytes) -> assertThat(found.get(name)).as(name).isEqualTo(bytes));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void theShardsAreThoseOfOneMachine() throws Exception {
        Dataset<Row> photos = photos(70, 20);
        Path packed = Datasets.shards(folder.resolve("files"), folder.resolve("packed"), 20);

        photos.write()
                .format("jspdl")
                .option("prefix", "train")
                .save(folder.resolve("written").toString());

        assertSame(folder.resolve("written"), packed);
        assertThat(contents(packed).keySet())
                .contains("train-000003.tar", "train-000003.idx", "train.shards.json", "train.bytes.cost");
        assertThat(names()).containsExactly("files", "packed", "written");
        assertThat(spark.read()
                        .format("jspdl")
                        .load(folder.resolve("written").toString())
                        .count())
                .isEqualTo(70);
    }

    @Test
    void partitionsWithoutRowsHaveNoShard() throws Exception {
        photos(70, 20)
                .where("_index < 10 OR _index >= 60")
                .write()
                .format("jspdl")
                .save(folder.resolve("train").toString());

        assertThat(contents(folder.resolve("train")).keySet())
                .contains("train-000000.tar", "train-000001.tar")
                .doesNotContain("train-000002.tar");
    }

    @Test
    void anAttemptThatFailsIsMadeAgainAndLeavesNothing() throws Exception {
        ATTEMPTS.set(0);
        UDF1<Long, Long> failing = number -> {
            if (number == 35 && ATTEMPTS.incrementAndGet() < 3) {
                throw new IllegalStateException("attempt " + ATTEMPTS.get());
            }
            return number;
        };
        Dataset<Row> photos = photos(70, 20)
                .withColumn(
                        "_index",
                        udf(failing, DataTypes.LongType).asNondeterministic().apply(col("_index")));
        Path packed = Datasets.shards(folder.resolve("files"), folder.resolve("packed"), 20);

        photos.write()
                .format("jspdl")
                .option("prefix", "train")
                .save(folder.resolve("written").toString());

        assertThat(ATTEMPTS).hasValue(3);
        assertSame(folder.resolve("written"), packed);
        assertThat(names()).containsExactly("files", "packed", "written");
    }

    @Test
    void aJobThatFailsLeavesNothingAndWhatWasThereStays() throws Exception {
        Path target = folder.resolve("train");
        photos(10, 20).write().format("jspdl").save(target.toString());
        Map<String, byte[]> before = contents(target);
        Dataset<Row> broken = photos(70, 20).withColumn("cls", expr("if(_index = 65, raise_error('no'), cls)"));

        assertThatThrownBy(() ->
                        broken.write().format("jspdl").mode(SaveMode.Overwrite).save(target.toString()))
                .hasStackTraceContaining("no");
        assertThatThrownBy(() -> broken.write()
                        .format("jspdl")
                        .save(folder.resolve("other").toString()))
                .hasStackTraceContaining("no");

        assertThat(names()).containsExactly("files", "train");
        assertThat(contents(target).keySet()).isEqualTo(before.keySet());
    }

    @Test
    void modesSayWhatHappensToWhatIsThere() throws Exception {
        Path target = folder.resolve("train");
        Dataset<Row> photos = photos(10, 20);
        photos.write().format("jspdl").save(target.toString());
        Map<String, byte[]> before = contents(target);

        assertThatThrownBy(() -> photos.write().format("jspdl").save(target.toString()))
                .hasStackTraceContaining("is there, and not empty");
        assertThatThrownBy(() ->
                        photos.write().format("jspdl").mode(SaveMode.Append).save(target.toString()))
                .hasStackTraceContaining("shards are not appended to");
        photos.limit(1).write().format("jspdl").mode(SaveMode.Ignore).save(target.toString());
        assertThat(contents(target).keySet()).isEqualTo(before.keySet());
        photos.write()
                .format("jspdl")
                .mode(SaveMode.Overwrite)
                .option("shards", "mds")
                .save(target.toString());

        assertThat(contents(target).keySet()).containsExactly("index.json", "train-000000.mds", "train.shards.json");
        assertThat(names()).containsExactly("files", "train");
    }

    @Test
    void arraysAndTextsAreFields() throws Exception {
        Path target = folder.resolve("train");
        spark.sql("SELECT 'a' AS key, named_struct('shape', array(2L), 'type', 'uint8', 'data', X'0107') AS pixels,"
                        + " 'a cat' AS txt, 1.5D AS score, CAST(NULL AS STRING) AS json")
                .coalesce(1)
                .write()
                .format("jspdl")
                .save(target.toString());

        Row row = spark.read()
                .format("jspdl")
                .load(target.toString())
                .collectAsList()
                .getFirst();

        assertThat(row.schema().fieldNames()).containsExactly("key", "pixels.npy", "txt", "score");
        assertThat(row.getString(0) + row.getString(2)).isEqualTo("aa cat");
        assertThat(Tensors.ofNpy(row.<byte[]>getAs(1)).<byte[]>getAs(2)).containsExactly(1, 7);
    }

    @Test
    void parquetIsWrittenAndReadBesideTheVersionThatSparkBrings() throws Exception {
        Path target = folder.resolve("train");
        photos(30, 10)
                .withColumn("key", col("_index").cast("string"))
                .write()
                .format("jspdl")
                .option("shards", "parquet")
                .save(target.toString());

        Dataset<Row> ours = spark.read().format("jspdl").load(target.toString());
        Dataset<Row> sparks = spark.read().parquet(target + "/*.parquet");
        assertThat(contents(target).keySet()).contains("train-000002.parquet").doesNotContain("train-000003.parquet");
        for (Dataset<Row> each : List.of(ours, sparks)) {
            assertThat(each.selectExpr("count(*)", "sum(cls)", "sum(length(jpg))", "max(cast(key as string))")
                            .collectAsList()
                            .getFirst()
                            .toString())
                    .isEqualTo("[30,30,465,9]");
        }
    }

    @Test
    void whatCannotBeWrittenIsNamedBeforeAnythingRuns() throws Exception {
        Dataset<Row> photos = photos(10, 20);
        String target = folder.resolve("train").toString();

        assertThatThrownBy(() -> photos.drop("_index").write().format("jspdl").save(target))
                .hasStackTraceContaining("the table needs a column key (text), or _index");
        assertThatThrownBy(() -> photos.withColumn("day", expr("current_date()"))
                        .write()
                        .format("jspdl")
                        .save(target))
                .hasStackTraceContaining("the column 'day' is date, which no shard holds");
        assertThatThrownBy(() ->
                        photos.write().format("jspdl").option("shards", "zip").save(target))
                .hasStackTraceContaining("shards must be webdataset, parquet or mds but was 'zip'");
        assertThatThrownBy(() ->
                        photos.write().format("jspdl").option("size", "1G").save(target))
                .hasStackTraceContaining("does not know the options [size] for writing");
        assertThatThrownBy(() -> photos.write().format("jspdl").save("gs://bucket/train"))
                .hasStackTraceContaining("Storage for s3:// comes with the module jspdl-s3, for gs:// with jspdl-gcs");
        assertThatThrownBy(() -> photos.withColumn("key", lit("a/b.c"))
                        .write()
                        .format("jspdl")
                        .save(target))
                .hasStackTraceContaining("the key 'a/b.c' has a dot in its last part");
        assertThatThrownBy(
                        () -> photos.where(lit(false)).write().format("jspdl").save(target))
                .hasStackTraceContaining("there are no rows to write");
        assertThat(names()).containsExactly("files");
    }
}
