package org.jspdl.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.data.storage.Location;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;

/// Finds the types of columns: numbers and arrays where shards say so, class numbers and texts by the names of fields,
/// all others as bytes. One thread at a time.
final class FieldTypes {
    /// What fields of text are called in tar files and elsewhere.
    private static final Set<String> TEXTS = Set.of("txt", "text", "json", "caption", "transcript", "url", "path");
    /// What plans call names that they read from tables and folders.
    private static final Set<String> NAMES = Set.of(Layout.KEY, "class", "name");

    private final Map<String, DataType> types = new LinkedHashMap<>();
    private boolean lines;
    private boolean named;
    private boolean planned;

    /// The samples that follow are made by a plan.
    void plan() {
        planned = true;
    }

    /// The samples that follow are of this shard.
    void shard(Location shard) {
        lines = shard.endsWith(".jsonl", ".ndjson", ".jsonl.gz", ".jsonl.zst", ".ndjson.gz", ".ndjson.zst");
        named = hasKeys(shard);
    }

    /// Takes the fields of a sample.
    ///
    /// @throws FormatException if it is called otherwise than its field `key` says
    void add(ShardSample sample) {
        if (named && sample.has(Layout.KEY)) {
            throw FormatException.because("'" + sample.key() + "' has a file '." + Layout.KEY + "', and '" + Layout.KEY
                            + "' is what samples are called: give a schema without it, or call it otherwise")
                    .withSource(sample.shard());
        }
        for (String name : sample.names()) {
            types.merge(name, type(sample, name), (one, other) -> one.equals(other) ? one : DataTypes.BinaryType);
        }
    }

    private DataType type(ShardSample sample, String name) {
        Optional<ElementType> elements = sample.elementType(name);
        if (elements.isPresent()) {
            return sample.array(name).shape().rank() > 0 ? Tensors.TYPE : number(elements.get());
        }
        if (ShardSchema.LABELS.contains(name) && isNumber(sample, name)) {
            return DataTypes.LongType;
        }
        return lines || TEXTS.contains(name) || (planned && NAMES.contains(name))
                ? DataTypes.StringType
                : DataTypes.BinaryType;
    }

    private static boolean isNumber(ShardSample sample, String name) {
        try {
            sample.number(name);
            return true;
        } catch (FormatException noNumber) {
            return false;
        }
    }

    private static DataType number(ElementType type) {
        return switch (type) {
            case BOOL -> DataTypes.BooleanType;
            case INT8 -> DataTypes.ByteType;
            case UINT8, INT16 -> DataTypes.ShortType;
            case UINT16, INT32 -> DataTypes.IntegerType;
            case UINT32, INT64, UINT64 -> DataTypes.LongType;
            case FLOAT16, BFLOAT16, FLOAT32 -> DataTypes.FloatType;
            case FLOAT64 -> DataTypes.DoubleType;
            case FLOAT8_E4M3, FLOAT8_E5M2, COMPLEX64, COMPLEX128 -> Tensors.TYPE;
        };
    }

    /// All fields in the order in which they came, behind the key where samples have one.
    StructType schema() {
        StructType schema = new StructType();
        if (named) {
            schema = schema.add(Layout.KEY, DataTypes.StringType, false);
        }
        for (Map.Entry<String, DataType> each : types.entrySet()) {
            if (!named || !each.getKey().equals(Layout.KEY)) {
                schema = schema.add(each.getKey(), each.getValue(), true);
            }
        }
        return schema;
    }

    /// Whether the samples of a shard have names of their own: in tar files alone.
    static boolean hasKeys(Location shard) {
        return shard.endsWith(".tar", ".tar.gz", ".tgz");
    }
}
