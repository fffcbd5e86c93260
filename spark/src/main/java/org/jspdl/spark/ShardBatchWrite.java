package org.jspdl.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.jspdl.spark.internal.JobFolder;

/// One job that writes shards: a task for each partition, of which Spark lets one attempt commit.
///
/// @param columns of the rows
/// @param folder  where
record ShardBatchWrite(StructType columns, JobFolder folder) implements BatchWrite {
    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
        try {
            folder.staged().begin();
            return new Tasks(columns, folder);
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
            folder.staged().commit(parts, Map.of());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {
        try {
            folder.staged().end();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private record Done(StagedShards.Part part) implements WriterCommitMessage {}

    private record Tasks(StructType columns, JobFolder folder) implements DataWriterFactory {
        @Override
        public DataWriter<InternalRow> createWriter(int partition, long task) {
            try {
                return new Attempt(columns, folder, partition, folder.staged().attempt(partition, task));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /// One attempt of a task, in a folder of its own.
    private static final class Attempt implements DataWriter<InternalRow> {
        private final RowSamples.Reader rows;
        private final int partition;
        private final Path in;
        private final ShardWriter writer;
        private long written;

        Attempt(StructType columns, JobFolder folder, int partition, Path in) throws IOException {
            this.rows = new RowSamples.Reader(
                    new RowSamples(columns, folder.options().isTar()), "partition " + partition);
            this.partition = partition;
            this.in = in;
            this.writer = new ShardWriter(folder.options().settings(in));
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
            return new Done(new StagedShards.Part(
                    partition, String.valueOf(in.getFileName()), writer.finish().orElse(null)));
        }

        @Override
        public void abort() throws IOException {
            writer.close();
            StagedShards.remove(in);
        }

        @Override
        public void close() throws IOException {
            writer.close();
        }
    }
}
