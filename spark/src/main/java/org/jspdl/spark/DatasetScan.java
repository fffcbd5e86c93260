package org.jspdl.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.jspdl.spark.internal.Places;
import org.jspdl.spark.internal.PlanOnce;
import org.jspdl.spark.internal.PlanSight;
import org.jspdl.spark.internal.ReadMetrics;
import org.jspdl.spark.internal.ReadOptions;

/// One reading of a dataset: which columns, and how many rows of each partition at most.
///
/// @param columns what is read
/// @param options how
/// @param most    rows of each partition
/// @param plan    that is read, if one is
record DatasetScan(StructType columns, ReadOptions options, int most, PlanOnce plan) implements Scan, Batch {
    DatasetScan(StructType columns, ReadOptions options, int most) {
        this(columns, options, most, new PlanOnce(options));
    }

    /// Takes what Spark says is needed.
    static final class Builder implements SupportsPushDownRequiredColumns, SupportsPushDownLimit {
        private final ReadOptions options;
        private StructType columns;
        private int most = Integer.MAX_VALUE;

        Builder(StructType schema, ReadOptions options) {
            this.columns = schema;
            this.options = options;
        }

        @Override
        public void pruneColumns(StructType required) {
            columns = required;
        }

        /// Each partition reads no more; Spark still cuts what all of them give together.
        @Override
        public boolean pushLimit(int limit) {
            most = limit;
            return true;
        }

        @Override
        public boolean isPartiallyPushed() {
            return true;
        }

        @Override
        public Scan build() {
            return new DatasetScan(columns, options, most);
        }
    }

    @Override
    public StructType readSchema() {
        return columns;
    }

    @Override
    public String description() {
        return "jspdl " + Places.shown(options) + " " + String.join(", ", columns.fieldNames())
                + (most == Integer.MAX_VALUE ? "" : ", at most " + most + " of each partition");
    }

    @Override
    public Batch toBatch() {
        return this;
    }

    /// Shards as they arrive in growing folders.
    @Override
    public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
        if (!options.plan().isBlank()) {
            throw new IllegalArgumentException(
                    "what a plan makes is no stream: its places are those of a dataset that stays as it is");
        }
        return ShardBatches.of(
                options,
                createReaderFactory(),
                checkpointLocation,
                SparkSession.active().sessionState().newHadoopConf());
    }

    @Override
    public InputPartition[] planInputPartitions() {
        try {
            Layout layout = options.plan().isBlank() ? Layout.of(options) : new PlanLayout(options, plan);
            return layout.partitions().toArray(InputPartition[]::new);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new Readers(columns, options, most, sight());
    }

    @Override
    public CustomMetric[] supportedCustomMetrics() {
        return ReadMetrics.all(sight().stages());
    }

    private PlanSight sight() {
        try {
            return plan.sight();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Makes readers on the executors.
    private record Readers(StructType columns, ReadOptions options, int most, PlanSight sight)
            implements PartitionReaderFactory {
        @Override
        public PartitionReader<InternalRow> createReader(InputPartition partition) {
            try {
                return switch ((Piece) partition) {
                    case ShardPiece piece -> ShardReader.open(piece, columns, options, most);
                    case FilePiece piece -> FileReader.open(piece, columns, options, most);
                    case PlanPiece piece -> PlanReader.open(piece, columns, options, sight, most);
                };
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
