package org.jspdl.spark.internal;

import java.util.function.LongSupplier;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/// What reading did, as Spark shows it beside a scan in its UI. Spark makes the metrics by the names of their classes.
public final class ReadMetrics {
    private static final String SAMPLES = "samples";
    private static final String BYTES = "storageBytes";
    private static final String LEFT_OUT = "leftOut";

    private ReadMetrics() {}

    public static CustomMetric[] all() {
        return new CustomMetric[] {new Samples(), new StorageBytes(), new LeftOut()};
    }

    public static CustomTaskMetric[] values(LongSupplier samples, LongSupplier bytes, LongSupplier leftOut) {
        return new CustomTaskMetric[] {
            new Value(SAMPLES, samples.getAsLong()),
            new Value(BYTES, bytes.getAsLong()),
            new Value(LEFT_OUT, leftOut.getAsLong())
        };
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
}
