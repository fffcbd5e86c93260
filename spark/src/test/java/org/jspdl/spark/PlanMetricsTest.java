package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ui.SQLAppStatusStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/// What Spark is told of the reading of a plan.
@Tag("slow")
class PlanMetricsTest {
    private static final int PICTURES = 50;

    @TempDir
    Path folder;

    /// The metrics of tasks, by what the UI calls them.
    private static final class Told extends SparkListener {
        private final Map<String, Long> sums = new TreeMap<>();

        @Override
        public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
            for (AccumulableInfo each :
                    CollectionConverters.asJava(end.taskInfo().accumulables())) {
                if (each.name().isDefined()
                        && each.update().isDefined()
                        && each.update().get() instanceof Long value) {
                    sums.merge(each.name().get(), value, Long::sum);
                }
            }
        }

        synchronized Map<String, Long> sums() {
            return new TreeMap<>(sums);
        }
    }

    private long bytes() throws Exception {
        try (Stream<Path> files = Files.walk(folder.resolve("photos"))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Test
    void samplesFailuresBytesAndTheTimeOfEachStageAreTold() throws Exception {
        Pictures.paint(folder, PICTURES);
        Files.writeString(folder.resolve("photos/c1/0041.jpg"), "broken");
        SparkSession spark = LocalSession.get();
        Told told = new Told();
        spark.sparkContext().addSparkListener(told);
        try {
            Dataset<Row> rows = spark.read()
                    .format("jspdl")
                    .option("plan", Pictures.PLAN.replace("{load-image:", "{name: resize, load-image:"))
                    .option("planFolder", folder.toString())
                    .option("samplesPerPartition", "20")
                    .option("failures", "skip")
                    .load();

            assertThat(rows.collectAsList()).hasSize(PICTURES - 4);
            spark.sparkContext().listenerBus().waitUntilEmpty();
        } finally {
            spark.sparkContext().removeSparkListener(told);
        }

        Map<String, Long> sums = told.sums();
        assertThat(sums)
                .containsEntry("samples read", (long) PICTURES - 4)
                .containsEntry("broken samples left out", 1L)
                .containsKey("time in stage resize");
        // of the three that the filter drops nothing is read
        assertThat(sums.get("bytes read from storage")).isBetween(bytes() * 8 / 10, bytes());
        assertThat(sums.get("time in stage resize")).isPositive();
        assertThat(shown(spark)).anyMatch(text -> text.matches("\\d+\\.\\d{3} s in 3 tasks, .* s in the longest"));
    }

    /// The metrics of the last query as the UI shows them.
    private static Iterable<String> shown(SparkSession spark) {
        SQLAppStatusStore store = spark.sharedState().statusStore();
        long last =
                CollectionConverters.asJava(store.executionsList()).getLast().executionId();
        return CollectionConverters.asJava(store.executionMetrics(last)).values();
    }
}
