package org.jspdl.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.CreatableRelationProvider;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspdl.data.shards.pack.StagedShards;
import org.jspdl.data.storage.Location;
import org.jspdl.spark.internal.ReadOptions;
import org.jspdl.spark.internal.StoredShards;
import org.jspdl.spark.internal.WriteOptions;
import scala.jdk.javaapi.CollectionConverters;

/// Datasets as tables, `spark.read().format("jspdl").load("s3://bucket/train-{0000..0127}.tar")`, and tables as shards,
/// `table.write().format("jspdl").save("folder")`.
///
/// Spark makes it by that name, on the driver. What is read and written, and the options, are in the how-to
/// `docs/how-to/spark.md`.
public final class JspdlSource implements TableProvider, CreatableRelationProvider, DataSourceRegister {
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
        return new DatasetTable(schema, new CaseInsensitiveStringMap(properties));
    }

    /// Writes a table as shards. `DataFrameWriter` comes here for every save mode, because the table itself can
    /// only be read.
    ///
    /// @throws IllegalArgumentException if the mode is `append`, or the folder is there and not empty, and the mode
    ///     does not say what then
    @Override
    public BaseRelation createRelation(
            SQLContext context,
            SaveMode mode,
            scala.collection.immutable.Map<String, String> given,
            Dataset<Row> data) {
        Map<String, String> options = new HashMap<>(CollectionConverters.asJava(given));
        try {
            Location folder = WriteOptions.of(options).location();
            boolean there = folder.isRemote() ? StoredShards.isThere(folder) : StagedShards.isThere(folder.path());
            if (mode == SaveMode.Append) {
                throw new IllegalArgumentException(
                        "shards are not appended to: write to a folder of its own, and read both");
            }
            if (there && mode == SaveMode.Overwrite && folder.isRemote()) {
                throw new IllegalArgumentException(folder
                        + " is there, and not empty; in an object store nothing is overwritten, because readers would"
                        + " see shards of both: write to another folder");
            }
            if (there && mode == SaveMode.ErrorIfExists) {
                throw new IllegalArgumentException(
                        folder + " is there, and not empty; write to another folder, or say .mode(\"overwrite\")");
            }
            if (!there || mode == SaveMode.Overwrite) {
                options.put(WriteOptions.OVERWRITE, Boolean.toString(mode == SaveMode.Overwrite));
                data.write()
                        .format(ShardSink.class.getName())
                        .mode(SaveMode.Append)
                        .options(options)
                        .save();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        StructType schema = data.schema();
        return new BaseRelation() {
            @Override
            public SQLContext sqlContext() {
                return context;
            }

            @Override
            public StructType schema() {
                return schema;
            }
        };
    }
}
