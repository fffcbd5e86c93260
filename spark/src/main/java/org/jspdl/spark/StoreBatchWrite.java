package org.jspdl.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.pack.ShardWriter;
import org.jspdl.data.shards.pack.StagedShards;
import org.jspdl.spark.internal.StoredShards;

/// One job that writes shards to an object store: a task for each partition, which writes its shard to a temporary
/// folder of its executor, and sends it when Spark lets it commit.
///
/// @param columns of the rows
/// @param shards  where
record StoreBatchWrite(StructType columns, StoredShards shards) implements BatchWrite {
    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
        try {
            shards.begin();
            return new Tasks(columns, shards);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void commit(WriterCommitMessage[] messages) {
        try {
            List<StagedShards.Part> parts = new ArrayList<>();
            for (WriterCommitMessage each : messages) {
                parts.add(((Done) each).part);
            }
            shards.commit(
                    JavaSparkContext.fromSparkContext(SparkSession.active().sparkContext()), parts, Map.of());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {
        try {
            shards.end();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private record Done(StagedShards.Part part) implements WriterCommitMessage {}

    private record Tasks(StructType columns, StoredShards shards) implements DataWriterFactory {
        @Override
        public DataWriter<InternalRow> createWriter(int partition, long task) {
            try {
                return new Attempt(columns, shards, partition, task);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /// One attempt of a task.
    private static final class Attempt implements DataWriter<InternalRow> {
        private final StoredShards shards;
        private final RowSamples.Reader rows;
        private final int partition;
        private final long task;
        private final Path in;
        private final ShardWriter writer;
        private long written;

        Attempt(StructType columns, StoredShards shards, int partition, long task) throws IOException {
            this.shards = shards;
            this.rows = new RowSamples.Reader(
                    new RowSamples(columns, shards.options().isTar()), "partition " + partition);
            this.partition = partition;
            this.task = task;
            this.in = Files.createTempDirectory("jspdl-shard-");
            this.writer = new ShardWriter(shards.options().settings(in));
        }

        @Override
        public void write(InternalRow row) throws IOException {
            long number = rows.number(row, written++);
            try (ShardSample sample = rows.sample(row, number)) {
                writer.add(sample, number);
            }
        }

        @Override
        public WriterCommitMessage commit() throws IOException {
            return new Done(shards.send(in, partition, task, writer.finish()));
        }

        @Override
        public void abort() {
            // what was not finished is removed when this is closed
        }

        @Override
        public void close() throws IOException {
            try (writer) {
                // closed before its folder is removed
            } finally {
                StagedShards.remove(in);
            }
        }
    }
}
