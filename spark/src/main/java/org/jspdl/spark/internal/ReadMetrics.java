package org.jspdl.spark.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/// What reading did, as Spark shows it beside a scan in its UI. Spark makes the metrics by the names of their classes.
public final class ReadMetrics {
    private static final String SAMPLES = "samples";
    private static final String BYTES = "storageBytes";
    private static final String LEFT_OUT = "leftOut";
    private static final String STAGE = "stage:";

    private ReadMetrics() {}

    /// Those of a reading, and the time of each stage of the plan that is read.
    ///
    /// @param stages of the plan; none where a dataset is read
    public static CustomMetric[] all(List<String> stages) {
        List<CustomMetric> all = new ArrayList<>(List.of(new Samples(), new StorageBytes(), new LeftOut()));
        stages.forEach(stage -> all.add(new StageTime(stage)));
        return all.toArray(CustomMetric[]::new);
    }

    /// What a task has done so far.
    public static CustomTaskMetric[] values(LongSupplier samples, LongSupplier bytes, LongSupplier leftOut) {
        return values(samples.getAsLong(), bytes.getAsLong(), leftOut.getAsLong(), Map.of());
    }

    /// The same of a plan, with nanoseconds by its stages.
    public static CustomTaskMetric[] values(long samples, long bytes, long leftOut, Map<String, Long> nanos) {
        List<CustomTaskMetric> values = new ArrayList<>(
                List.of(new Value(SAMPLES, samples), new Value(BYTES, bytes), new Value(LEFT_OUT, leftOut)));
        nanos.forEach((stage, time) -> values.add(new Value(STAGE + stage, time)));
        return values.toArray(CustomTaskMetric[]::new);
    }

    private record Value(String name, long value) implements CustomTaskMetric {}

    /// Samples that became rows.
    public static final class Samples extends CustomSumMetric {
        /// For Spark.
        public Samples() {}

        @Override
        public String name() {
            return SAMPLES;
        }

        @Override
        public String description() {
            return "samples read";
        }
    }

    /// Bytes that came from the storage.
    public static final class StorageBytes extends CustomSumMetric {
        /// For Spark.
        public StorageBytes() {}

        @Override
        public String name() {
            return BYTES;
        }

        @Override
        public String description() {
            return "bytes read from storage";
        }
    }

    /// Samples, rests of shards and files that were broken, and left out.
    public static final class LeftOut extends CustomSumMetric {
        /// For Spark.
        public LeftOut() {}

        @Override
        public String name() {
            return LEFT_OUT;
        }

        @Override
        public String description() {
            return "broken samples left out";
        }
    }

    /// Time in the function of a stage of a plan, over all its calls, of which several may run at once.
    public static final class StageTime implements CustomMetric {
        private static final double NANOS = 1e9;

        private final String stage;

        /// For Spark, which adds up the values of tasks so, whatever the stage.
        public StageTime() {
            this("");
        }

        StageTime(String stage) {
            this.stage = stage;
        }

        @Override
        public String name() {
            return STAGE + stage;
        }

        @Override
        public String description() {
            return "time in stage " + stage;
        }

        @Override
        public String aggregateTaskMetrics(long[] nanos) {
            return String.format(
                    Locale.ROOT,
                    "%.3f s in %,d tasks, %.3f s in the longest",
                    LongStream.of(nanos).sum() / NANOS,
                    nanos.length,
                    LongStream.of(nanos).max().orElse(0) / NANOS);
        }
    }
}
