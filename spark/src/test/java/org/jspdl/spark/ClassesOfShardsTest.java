package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.spark.internal.ReadOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Numbers of classes mean the same in all shards of a table, whichever task reads which shard.
class ClassesOfShardsTest {
    private static final StructType LABEL = new StructType().add("label", DataTypes.LongType);
    private static final int ANY = Integer.MAX_VALUE;

    @TempDir
    Path folder;

    private void shard(int number, String... classes) throws IOException {
        MessageType schema = Types.buildMessage()
                .required(PrimitiveTypeName.INT64)
                .named("label")
                .named("rows");
        String features = "{\"info\": {\"features\": {\"label\": {\"names\": [\"" + String.join("\", \"", classes)
                + "\"], \"_type\": \"ClassLabel\"}}}}";
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(
                        new LocalOutputFile(folder.resolve("s-" + number + ".parquet")))
                .withConf(new PlainParquetConfiguration())
                .withType(schema)
                .withExtraMetaData(classes.length == 0 ? Map.of() : Map.of("huggingface", features))
                .build()) {
            for (long label = 0; label < 2; label++) {
                Group row = new SimpleGroup(schema);
                row.add("label", label);
                writer.write(row);
            }
        }
    }

    private List<Long> labels(String... namesAndValues) throws IOException {
        return Datasets.read(Datasets.options(folder, namesAndValues), LABEL, ANY, row -> row.getLong(0));
    }

    @Test
    void aShardThatNamesClassesOtherwiseIsRefusedByEachTaskThatReadsIt() throws Exception {
        shard(0, "cat", "dog");
        shard(1, "cat", "dog");
        shard(2, "dog", "cat");

        for (String[] given : new String[][] {{}, {"samplesPerPartition", "1"}}) {
            ReadOptions options = Datasets.options(folder, given);
            for (Piece piece : Layout.of(options).partitions()) {
                boolean differs = piece.toString().contains("s-2");
                if (differs) {
                    assertThatThrownBy(() -> labels(piece, options))
                            .hasStackTraceContaining(DatasetException.class.getName())
                            .hasStackTraceContaining("class 0 of 'label' is 'cat'")
                            .hasStackTraceContaining("s-0.parquet")
                            .hasStackTraceContaining("s-2.parquet");
                } else {
                    assertThat(labels(piece, options)).isNotZero();
                }
            }
        }
    }

    private static int labels(Piece piece, ReadOptions options) throws IOException {
        int rows = 0;
        try (PartitionReader<InternalRow> reader = Datasets.open(piece, LABEL, options, ANY)) {
            while (reader.next()) {
                rows++;
            }
        }
        return rows;
    }

    @Test
    void shardsWithTheSameClassesOrNoneAreRead() throws Exception {
        shard(0, "cat", "dog");
        shard(1);
        shard(2, "cat", "dog");

        assertThat(labels()).containsExactly(0L, 1L, 0L, 1L, 0L, 1L);
    }
}
