package org.jspdl.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/// Datasets as tables: `spark.read().format("jspdl").load("s3://bucket/train-{0000..0127}.tar")`.
///
/// Spark makes it by that name, on the driver. What is read, and the columns that this gives, are in the how-to
/// `docs/how-to/spark.md`; the options are those of [ReadOptions].
public final class JspdlSource implements TableProvider, DataSourceRegister {
    /// For Spark, which finds it by [java.util.ServiceLoader].
    public JspdlSource() {}

    @Override
    public String shortName() {
        return "jspdl";
    }

    /// The columns that the dataset has. Lists it, and looks at the first samples of shards.
    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        try {
            return Layout.of(ReadOptions.of(options)).schema();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// A schema may be given: of fields that the first samples do not have, or as another type.
    @Override
    public boolean supportsExternalMetadata() {
        return true;
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new DatasetTable(schema, ReadOptions.of(new CaseInsensitiveStringMap(properties)));
    }
}
