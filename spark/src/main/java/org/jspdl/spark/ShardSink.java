package org.jspdl.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspdl.spark.internal.JobFolder;
import org.jspdl.spark.internal.StoredShards;
import org.jspdl.spark.internal.WriteOptions;

/// Writes tables as shards, for [JspdlSource], which decides by the save mode whether to.
///
/// A table of Spark that can be written takes only the modes `append` and `overwrite`, and shards are not appended to;
/// so the name `jspdl` is a source that can't be written as such, and calls this one by the name of its class.
public final class ShardSink implements TableProvider {
    /// For Spark.
    public ShardSink() {}

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        throw new UnsupportedOperationException("this only writes; read with format(\"jspdl\")");
    }

    @Override
    public boolean supportsExternalMetadata() {
        return true;
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new Target(schema);
    }

    @SuppressWarnings("deprecation") // Spark asks for the schema by the deprecated method, too
    private record Target(StructType schema) implements SupportsWrite {
        @Override
        public String name() {
            return "jspdl shards";
        }

        @Override
        public Set<TableCapability> capabilities() {
            return Set.of(TableCapability.BATCH_WRITE, TableCapability.ACCEPT_ANY_SCHEMA);
        }

        @Override
        public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
            try {
                WriteOptions options = WriteOptions.of(info.options());
                new RowSamples(info.schema(), options.isTar()).check();
                return new Writing(info.schema(), options, info.queryId());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    private record Writing(StructType schema, WriteOptions options, String id) implements WriteBuilder, Write {
        @Override
        public Write build() {
            return this;
        }

        @Override
        public String description() {
            return "jspdl shards in " + options.location();
        }

        @Override
        public BatchWrite toBatch() {
            return options.location().isRemote()
                    ? new StoreBatchWrite(schema, new StoredShards(options, id))
                    : new ShardBatchWrite(schema, new JobFolder(options, id));
        }
    }
}
