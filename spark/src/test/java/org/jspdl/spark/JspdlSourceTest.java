package org.jspdl.spark;

import static org.apache.spark.sql.functions.callUDF;
import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The data source in Spark.
@Tag("slow")
class JspdlSourceTest {
    private static Set<Path> before = Set.of();
    private static SparkSession spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws Exception {
        before = files();
        spark = LocalSession.get();
    }

    /// What lies in the folder of the module, which is that of the process.
    private static Set<Path> files() throws Exception {
        try (Stream<Path> files = Files.list(Path.of(""))) {
            return files.collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static String plan(Dataset<Row> rows) {
        return rows.queryExecution().executedPlan().toString();
    }

    @Test
    void shardsAreATableOfWhichOnlyTheNamedColumnsAreRead() throws Exception {
        Path shards = Datasets.shards(Datasets.files(folder.resolve("files"), 60), folder.resolve("packed"), 20);
        Dataset<Row> table = spark.read().format("jspdl").load(shards.toString());

        Dataset<Row> labels = table.where("cls = 1").select("key");

        assertThat(table.rdd().getNumPartitions()).isEqualTo(3);
        assertThat(table.count()).isEqualTo(60);
        assertThat(labels.collectAsList())
                .extracting(row -> row.getString(0))
                .first()
                .isEqualTo("000000020");
        assertThat(labels.count()).isEqualTo(20);
        assertThat(plan(labels)).contains("key, cls").doesNotContain("jpg");
        assertThat(plan(table.limit(3))).contains("at most 3 of each partition");
        assertThat(table.limit(3).collectAsList()).hasSize(3);
        assertThat(table.select("_shard", "_index").where("_index = 19").collectAsList())
                .extracting(row -> row.getString(0))
                .allMatch(shard -> shard.endsWith(".tar"))
                .hasSize(3);
    }

    @Test
    void filesAreATableThatSqlReads() throws Exception {
        Datasets.files(folder, 30);

        spark.read().format("jspdl").load(folder.toString()).createOrReplaceTempView("photos");
        List<Row> rows = spark.sql(
                        "SELECT class, count(*), sum(length(bytes)) FROM photos GROUP BY class ORDER BY class")
                .collectAsList();

        assertThat(rows).extracting(Row::toString).containsExactly("[cat,10,145]", "[dog,10,155]", "[owl,10,165]");
    }

    @Test
    void arraysAreTensorsWithFunctions() throws Exception {
        Npy.write(
                folder.resolve("rows.npy"),
                ArrayView.of(ElementType.FLOAT32, Shape.of(2, 2), java.lang.foreign.MemorySegment.ofArray(new float[] {
                    1, 2, 3, 4
                })));
        Tensors.register(spark);

        Dataset<Row> table = spark.read().format("jspdl").load(folder.toString());
        String name = table.columns()[0];
        List<Row> rows = table.select(
                        callUDF("jspdl_floats", col(name)),
                        col(name),
                        callUDF("jspdl_tensor", callUDF("jspdl_npy", col(name))))
                .collectAsList();

        assertThat(rows.get(1).getList(0)).containsExactly(3f, 4f);
        assertThat(Tensors.floats(rows.get(0).getStruct(1))).containsExactly(1, 2);
        assertThat(Tensors.floats(rows.get(1).getStruct(2))).containsExactly(3, 4);
    }

    @Test
    void whatIsBrokenIsNamedToTheUser() {
        assertThatThrownBy(() -> spark.read()
                        .format("jspdl")
                        .load(folder.resolve("nothing").toString())
                        .count())
                .hasStackTraceContaining("there is no folder or file list at " + folder.resolve("nothing"));
        assertThatThrownBy(() -> spark.read().format("jspdl").load().count())
                .hasStackTraceContaining("nothing to read");
    }

    @Test
    void nothingIsLeftInTheFolderOfTheProcess() throws Exception {
        assertThat(spark.range(10).count()).isEqualTo(10);

        assertThat(files()).isEqualTo(before);
    }
}
