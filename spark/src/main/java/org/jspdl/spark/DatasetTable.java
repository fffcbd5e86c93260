package org.jspdl.spark;

import java.util.Set;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.SupportsMetadataColumns;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspdl.spark.internal.ReadOptions;

/// A dataset as a table that can be read. Beside the columns of its schema it has, for those who name them, where each
/// sample lies: `_shard` (a shard or file) and `_index` (its number there, or in the dataset).
@SuppressWarnings("deprecation") // Spark asks for the schema by the deprecated method, too
final class DatasetTable implements SupportsRead, SupportsMetadataColumns {
    /// The shard or file of a sample.
    static final String SHARD = "_shard";
    /// Its number in the shard, or in a dataset of files.
    static final String INDEX = "_index";

    private final StructType schema;
    private final CaseInsensitiveStringMap given;

    DatasetTable(StructType schema, CaseInsensitiveStringMap given) {
        this.schema = schema;
        this.given = given;
    }

    @Override
    public String name() {
        return "jspdl";
    }

    @Override
    public StructType schema() {
        return schema;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return Set.of(TableCapability.BATCH_READ, TableCapability.MICRO_BATCH_READ);
    }

    @Override
    public MetadataColumn[] metadataColumns() {
        return new MetadataColumn[] {
            new Origin(SHARD, DataTypes.StringType, "the shard or file"),
            new Origin(INDEX, DataTypes.LongType, "the number in the shard, or in the dataset of files")
        };
    }

    private record Origin(String name, DataType dataType, String comment) implements MetadataColumn {
        @Override
        public boolean isNullable() {
            return false;
        }
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
        return new DatasetScan.Builder(schema, ReadOptions.of(given));
    }
}
