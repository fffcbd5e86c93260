package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspdl.archive.TarWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.spark.internal.ReadOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Shards as rows, without a session.
class ShardReaderTest {
    private static final int ANY = Integer.MAX_VALUE;
    private static final StructType INDEX = new StructType().add(DatasetTable.INDEX, DataTypes.LongType);

    @TempDir
    Path folder;

    private Path packed(int samples, int perShard) throws IOException {
        return Datasets.shards(Datasets.files(folder.resolve("files"), samples), folder.resolve("packed"), perShard);
    }

    private Path tar(String... namesAndContents) throws IOException {
        Path file = folder.resolve("own.tar");
        try (TarWriter tar = TarWriter.create(file)) {
            for (int i = 0; i < namesAndContents.length; i += 2) {
                tar.add(
                        namesAndContents[i],
                        MemorySegment.ofArray(namesAndContents[i + 1].getBytes(StandardCharsets.UTF_8)));
            }
        }
        return file;
    }

    @Test
    void tarFilesHaveKeysNumbersOfClassesTextsAndBytes() throws Exception {
        Path tar = tar("a.jpg", "picture", "a.cls", "7", "a.txt", "a cat", "b.png", "other", "b.cls", "8");

        StructType schema = Layout.of(Datasets.options(tar)).schema();
        List<String> rows = Datasets.read(
                Datasets.options(tar),
                schema,
                ANY,
                row -> row.getString(0) + " " + text(row, 1) + " " + row.getLong(2) + " "
                        + (row.isNullAt(3) ? null : row.getString(3)) + " " + text(row, 4));

        assertThat(schema.simpleString()).isEqualTo("struct<key:string,jpg:binary,cls:bigint,txt:string,png:binary>");
        assertThat(rows).containsExactly("a picture 7 a cat null", "b null 8 null other");
    }

    private static String text(InternalRow row, int column) {
        return row.isNullAt(column) ? "null" : new String(row.getBinary(column), StandardCharsets.UTF_8);
    }

    @Test
    void everySampleIsInOnePieceHoweverShardsAreCut() throws Exception {
        Path shards = packed(100, 30);
        for (int each : new int[] {1, 7, 30, 1000}) {
            ReadOptions options = Datasets.options(shards, "samplesPerPartition", Integer.toString(each));
            StructType columns =
                    new StructType().add("key", DataTypes.StringType).add("cls", DataTypes.LongType);

            List<String> keys = Datasets.read(options, columns, ANY, row -> row.getString(0) + " " + row.getLong(1));

            // a folder is read class by class
            assertThat(keys)
                    .containsExactlyElementsOf(IntStream.range(0, 100)
                            .mapToObj(i -> String.format("%09d ", i) + (i < 34 ? 0 : i < 67 ? 1 : 2))
                            .toList());
        }
    }

    @Test
    void contentsOfFieldsThatNobodyWantsAreNotRead() throws Exception {
        String picture = "p".repeat(1 << 20);
        Path tar = tar("a.jpg", picture, "a.cls", "1", "b.jpg", picture, "b.cls", "2");
        Piece piece = Layout.of(Datasets.options(tar)).partitions().getFirst();

        StructType label = new StructType().add("cls", DataTypes.LongType);
        assertThat(bytesRead(piece, Layout.of(Datasets.options(tar)).schema(), tar))
                .isGreaterThan(2 << 20);
        assertThat(bytesRead(piece, label, tar)).isLessThan(1 << 19);
        assertThat(bytesRead(piece, new StructType(), tar)).isLessThan(1 << 19);
    }

    private static long bytesRead(Piece piece, StructType columns, Path shards) throws IOException {
        int rows = 0;
        try (PartitionReader<InternalRow> reader = Datasets.open(piece, columns, Datasets.options(shards), ANY)) {
            while (reader.next()) {
                rows++;
            }
            assertThat(rows).isEqualTo(2);
            return reader.currentMetricsValues()[1].value();
        }
    }

    @Test
    void aLimitEndsEachPiece() throws Exception {
        Path shards = packed(100, 30);

        List<Long> numbers = Datasets.read(Datasets.options(shards), INDEX, 4, row -> row.getLong(0));

        assertThat(numbers).containsExactly(0L, 1L, 2L, 3L, 0L, 1L, 2L, 3L, 0L, 1L, 2L, 3L, 0L, 1L, 2L, 3L);
    }

    @Test
    void linesAreTextsAndASchemaMayBeGiven() throws Exception {
        Path lines = folder.resolve("data.jsonl");
        Files.writeString(lines, "{\"name\": \"a\", \"score\": 1.5}\n{\"name\": \"b\"}\n");
        StructType schema = new StructType().add("score", DataTypes.DoubleType).add("name", DataTypes.StringType);

        assertThat(Layout.of(Datasets.options(lines)).schema().simpleString())
                .isEqualTo("struct<name:string,score:string>");
        assertThat(Datasets.read(
                        Datasets.options(lines),
                        schema,
                        ANY,
                        row -> (row.isNullAt(0) ? "none" : row.getDouble(0)) + " " + row.getString(1)))
                .containsExactly("1.5 a", "none b");
    }

    @Test
    void brokenSamplesEndTheTaskOrAreLeftOutAndCounted() throws Exception {
        Path tar = tar("a.cls", "1", "b.cls", "one", "c.cls", "3");
        StructType columns = new StructType().add("cls", DataTypes.LongType);

        assertThatThrownBy(() -> Datasets.read(Datasets.options(tar), columns, ANY, row -> row.getLong(0)))
                .hasMessageContaining("own.tar")
                .hasMessageContaining("sample 1 ('b'): the field 'cls' is no whole number");
        ReadOptions skipping = Datasets.options(tar, "failures", "skip");
        assertThat(Datasets.read(skipping, columns, ANY, row -> row.getLong(0))).containsExactly(1L, 3L);
        try (PartitionReader<InternalRow> reader =
                Datasets.open(Layout.of(skipping).partitions().getFirst(), columns, skipping, ANY)) {
            while (reader.next()) {
                reader.get();
            }
            Set<String> metrics = new TreeSet<>();
            for (CustomTaskMetric each : reader.currentMetricsValues()) {
                if (!each.name().equals("storageBytes")) {
                    metrics.add(each.name() + " " + each.value());
                }
            }
            assertThat(metrics).containsExactly("leftOut 1", "samples 2");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "double, 1d,       is no number",
        "double, 0x1p3,    is no number",
        "double, 1e999,    is 1e999",
        "double, '1,5',    is no number",
        "float,  1e39,     is 1.0E39",
        "float,  -1e300,   is -1.0E300"
    })
    void aNumberThatItsColumnCannotHoldIsRefused(String type, String written, String why) throws Exception {
        Path tar = tar("a.x", written);
        StructType columns = StructType.fromDDL("x " + type);

        assertThatThrownBy(() -> Datasets.read(Datasets.options(tar), columns, ANY, row -> row.get(0, null)))
                .hasMessageContaining("sample 0 ('a'): the field 'x' " + why);
    }

    @Test
    void numbersAreReadAsTheyAreWrittenEverywhere() throws Exception {
        Path tar = tar("a.x", " 1.5 ", "b.x", "-Infinity", "c.x", "1e-7", "d.x", "NaN", "e.x", ".5");
        StructType columns = new StructType().add("x", DataTypes.DoubleType);

        assertThat(Datasets.read(Datasets.options(tar), columns, ANY, row -> row.getDouble(0)))
                .containsExactly(1.5, Double.NEGATIVE_INFINITY, 1e-7, Double.NaN, 0.5);
    }

    @Test
    void aColumnOfBytesTakesNoNumber() throws Exception {
        Path file = folder.resolve("numbers.npy");
        Npy.write(file, ArrayView.of(ElementType.INT64, Shape.of(3), MemorySegment.ofArray(new long[] {1, 2, 3})));

        assertThat(Datasets.read(
                        Datasets.options(file),
                        new StructType().add("array", DataTypes.LongType),
                        ANY,
                        row -> row.getLong(0)))
                .containsExactly(1L, 2L, 3L);
        StructType bytes = new StructType().add("array", DataTypes.BinaryType);
        assertThatThrownBy(() -> Datasets.read(Datasets.options(file), bytes, ANY, row -> row.getBinary(0)))
                .hasMessageContaining("the field 'array' is a number of INT64, no bytes");
    }

    @Test
    void aColumnOfTextTakesNoBytesThatAreNotUtf8() throws Exception {
        Path tar = folder.resolve("own.tar");
        try (TarWriter writer = TarWriter.create(tar)) {
            writer.add("a.txt", MemorySegment.ofArray(new byte[] {'a', (byte) 0xFF}));
        }
        StructType columns = new StructType().add("txt", DataTypes.StringType);

        assertThatThrownBy(() -> Datasets.read(Datasets.options(tar), columns, ANY, row -> row.getString(0)))
                .hasMessageContaining("the field 'txt' is not UTF-8");
    }

    @Test
    void aFileThatIsCalledAsTheKeyIsRefusedUnlessASchemaLeavesItOut() throws Exception {
        Path tar = tar("a.key", "b", "a.cls", "1");

        assertThatThrownBy(() -> Layout.of(Datasets.options(tar)).schema())
                .hasMessageContaining("'a' has a file '.key'");
        StructType columns = new StructType().add("key", DataTypes.StringType).add("cls", DataTypes.LongType);
        assertThat(Datasets.read(Datasets.options(tar), columns, ANY, row -> row.getString(0) + row.getLong(1)))
                .containsExactly("a1");
    }

    @Test
    void aDamagedSampleBehindACutIsTheMatterOfTheNextPiece() throws Exception {
        Path tar = tar("a.cls", "1", "b.cls", "2", "c.cls", "three");
        StructType columns = new StructType().add("cls", DataTypes.LongType);
        ReadOptions options = Datasets.options(tar);
        ShardPiece first = new ShardPiece(tar.toString(), 0, 2);

        try (PartitionReader<InternalRow> reader = Datasets.open(first, columns, options, ANY)) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).isFalse();
        }
    }

    @Test
    void foldersAboveAShardAreColumns() throws Exception {
        Path year = Files.createDirectories(folder.resolve("year=2026"));
        Files.move(tar("a.cls", "1"), year.resolve("own.tar"));

        ReadOptions options = Datasets.options(folder);
        StructType schema = new StructType().add("year", DataTypes.LongType).add("cls", DataTypes.LongType);
        assertThat(Layout.of(options).schema().fieldNames()).containsExactly("key", "cls", "year");
        assertThat(Datasets.read(options, schema, ANY, row -> row.getLong(0) + row.getLong(1)))
                .containsExactly(2027L);
    }

    @Test
    void whatGoesToExecutorsCanBeSent() throws Exception {
        Path shards = packed(10, 5);
        ReadOptions options = Datasets.options(shards);
        Piece piece = copied(Layout.of(options).partitions().get(1));
        PartitionReaderFactory readers = copied(new DatasetScan(INDEX, options, ANY).createReaderFactory());

        try (PartitionReader<InternalRow> reader = readers.createReader(piece)) {
            long[] numbers = LongStream.range(0, 5).map(_ -> next(reader)).toArray();
            assertThat(numbers).containsExactly(0, 1, 2, 3, 4);
            assertThat(reader.next()).isFalse();
        }
    }

    private static long next(PartitionReader<InternalRow> reader) {
        try {
            assertThat(reader.next()).isTrue();
            return reader.get().getLong(0);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @SuppressWarnings({"unchecked", "BanSerializableRead"}) // as Spark does
    static <T> T copied(T value) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }

    @Test
    void mistakesAreNamed() throws Exception {
        Path tar = tar("a.cls", "1");
        StructType wrong = new StructType().add("cls", DataTypes.DateType);

        assertThatThrownBy(() -> Datasets.read(Datasets.options(tar), wrong, ANY, row -> row))
                .hasMessageContaining("the column 'cls' cannot be read as date; there are binary, string");
        assertThatThrownBy(() -> Datasets.options(tar, "failure", "skip"))
                .hasMessageContaining("does not know the options [failure]");
        assertThatThrownBy(() -> Datasets.options(tar, "failures", "ignore"))
                .hasMessage("failures must be fail or skip but was 'ignore'");
        assertThatThrownBy(() -> Datasets.options(tar, "samplesPerPartition", "0"))
                .hasMessageContaining("samplesPerPartition must be a whole number of at least 1 but was '0'");
    }
}
