package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspdl.data.shards.ShardFailures;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.filter.Condition;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables with random schemas of every logical type, which parquet-java writes and reads: every value is the one that
/// parquet-java reads, or its row, or its column, is refused by name. Spark brings parquet-java, so it is at hand here.
class ParquetJavaTest {
    private static final int ROWS = 60;

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("parquet", 1 << 26);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    /// How a column holds its values.
    private enum Shape {
        REQUIRED,
        OPTIONAL,
        LIST,
        LIST_OF_LISTS,
        STRUCTURE,
        LIST_OF_STRUCTURES,
        MAP
    }

    /// A column of a table.
    private record Column(String name, Shape shape, RandomValues.Kind kind) {
        private Type leaf(Type.Repetition repetition, String called) {
            return kind.type(repetition, called);
        }

        Type type() {
            return switch (shape) {
                case REQUIRED -> leaf(Type.Repetition.REQUIRED, name);
                case OPTIONAL -> leaf(Type.Repetition.OPTIONAL, name);
                case LIST -> list(name, leaf(Type.Repetition.OPTIONAL, "element"));
                case LIST_OF_LISTS -> list(name, list("element", leaf(Type.Repetition.OPTIONAL, "element")));
                case STRUCTURE ->
                    new GroupType(
                            Type.Repetition.OPTIONAL,
                            name,
                            leaf(Type.Repetition.OPTIONAL, "a"),
                            list("b", leaf(Type.Repetition.OPTIONAL, "element")));
                case LIST_OF_STRUCTURES ->
                    list(name, new GroupType(Type.Repetition.OPTIONAL, "element", leaf(Type.Repetition.OPTIONAL, "a")));
                case MAP ->
                    Types.optionalGroup()
                            .as(LogicalTypeAnnotation.mapType())
                            .addField(new GroupType(
                                    Type.Repetition.REPEATED,
                                    "key_value",
                                    RandomValues.KEY.type(Type.Repetition.REQUIRED, "key"),
                                    leaf(Type.Repetition.OPTIONAL, "value")))
                            .named(name);
            };
        }

        private static Type list(String name, Type element) {
            return Types.optionalGroup()
                    .as(LogicalTypeAnnotation.listType())
                    .addField(new GroupType(Type.Repetition.REPEATED, "list", element))
                    .named(name);
        }

        List<Leaf> leaves() {
            return switch (shape) {
                case REQUIRED, OPTIONAL -> List.of(new Leaf(name, kind, 0));
                case LIST -> List.of(new Leaf(name, kind, 1));
                case LIST_OF_LISTS -> List.of(new Leaf(name, kind, 2));
                case STRUCTURE -> List.of(new Leaf(name + ".a", kind, 0), new Leaf(name + ".b", kind, 1));
                case LIST_OF_STRUCTURES -> List.of(new Leaf(name + ".a", kind, 1));
                case MAP -> List.of(new Leaf(name + ".key", RandomValues.KEY, 1), new Leaf(name + ".value", kind, 1));
            };
        }
    }

    /// A column, or a part of one, with lists around its values.
    private record Leaf(String field, RandomValues.Kind kind, int depth) {}

    /// Fills in what `type` holds, at random.
    private static void fill(Group group, GroupType type, SplittableRandom random, int nulls, RandomValues.Kind kind) {
        for (Type field : type.getFields()) {
            int count = switch (field.getRepetition()) {
                case REQUIRED -> 1;
                case OPTIONAL -> random.nextInt(100) < nulls ? 0 : 1;
                case REPEATED -> random.nextInt(4);
            };
            for (int i = 0; i < count; i++) {
                if (field.isPrimitive()) {
                    (field.getName().equals("key") ? RandomValues.KEY : kind).add(group, field.getName(), random);
                } else {
                    fill(group.addGroup(field.getName()), field.asGroupType(), random, nulls / 2, kind);
                }
            }
        }
    }

    /// What a leaf is in a row: lists of texts within each other, or one text, or nothing.
    private static @Nullable Object value(Group group, GroupType type, List<String> path, RandomValues.Kind kind) {
        String name = path.getFirst();
        List<String> rest = path.subList(1, path.size());
        Type field = type.getType(name);
        if (field.isRepetition(Type.Repetition.REPEATED)) {
            List<@Nullable Object> all = new ArrayList<>();
            for (int i = 0; i < group.getFieldRepetitionCount(name); i++) {
                all.add(value(group.getGroup(name, i), field.asGroupType(), rest, kind));
            }
            return all;
        }
        if (group.getFieldRepetitionCount(name) == 0) {
            return null;
        }
        return field.isPrimitive()
                ? kind.shown(group, name)
                : value(group.getGroup(name, 0), field.asGroupType(), rest, kind);
    }

    private static List<String> path(Column column, Leaf leaf) {
        String last = leaf.field.substring(leaf.field.lastIndexOf('.') + 1);
        return switch (column.shape) {
            case REQUIRED, OPTIONAL -> List.of(column.name);
            case LIST -> List.of(column.name, "list", "element");
            case LIST_OF_LISTS -> List.of(column.name, "list", "element", "list", "element");
            case STRUCTURE ->
                last.equals("a") ? List.of(column.name, "a") : List.of(column.name, "b", "list", "element");
            case LIST_OF_STRUCTURES -> List.of(column.name, "list", "element", "a");
            case MAP -> List.of(column.name, "key_value", last);
        };
    }

    @Test
    void everyValueIsTheOneThatParquetJavaReadsOrItsRowIsRefused() throws Exception {
        boolean campaign = Boolean.getBoolean("campaign");
        long seed = campaign ? Long.getLong("seed", System.nanoTime()) : 20_261_123;
        int tables = campaign ? 1000 : 12;
        long[] counts = new long[5];
        for (int table = 0; table < tables; table++) {
            try {
                table(new SplittableRandom(seed + table), counts);
            } catch (Throwable failure) {
                throw new AssertionError("table with the seed " + (seed + table), failure);
            }
        }
        System.out.printf(
                "%,d tables: %,d values as parquet-java reads them, %,d null, %,d rows and %,d columns refused, %,d"
                        + " filters%n",
                tables, counts[0], counts[1], counts[2], counts[3], counts[4]);
        assertThat(counts[0]).isGreaterThan(1000);
        assertThat(counts[1]).isPositive();
        assertThat(counts[2]).isPositive();
    }

    private void table(SplittableRandom random, long[] counts) throws Exception {
        int nulls = random.nextInt(3) == 0 ? 0 : random.nextInt(40);
        List<Column> columns = new ArrayList<>();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            columns.add(new Column(
                    "c" + i,
                    Shape.values()[random.nextInt(Shape.values().length)],
                    RandomValues.KINDS.get(random.nextInt(RandomValues.KINDS.size()))));
        }
        MessageType schema =
                new MessageType("row", columns.stream().map(Column::type).toList());
        Path file = folder.resolve("table.parquet");
        Files.deleteIfExists(file);
        write(file, schema, columns, random, nulls);
        List<Group> rows = read(file, schema);
        assertThat(rows).hasSize(ROWS);
        for (Column column : columns) {
            for (Leaf leaf : column.leaves()) {
                List<String> path = path(column, leaf);
                List<@Nullable Object> expected = new ArrayList<>();
                rows.forEach(row -> expected.add(value(row, schema, path, leaf.kind)));
                compare(file, leaf, expected, counts);
                if (leaf.depth == 0 && leaf.kind.isCompared()) {
                    filter(file, leaf, expected, random, counts);
                }
            }
        }
    }

    private static void write(Path file, MessageType schema, List<Column> columns, SplittableRandom random, int nulls)
            throws IOException {
        CompressionCodecName codec = List.of(
                        CompressionCodecName.UNCOMPRESSED,
                        CompressionCodecName.SNAPPY,
                        CompressionCodecName.GZIP,
                        CompressionCodecName.ZSTD,
                        CompressionCodecName.LZ4_RAW)
                .get(random.nextInt(5));
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(file))
                .withConf(new PlainParquetConfiguration())
                .withType(schema)
                .withCompressionCodec(codec)
                .withDictionaryEncoding(random.nextBoolean())
                .withWriterVersion(random.nextBoolean() ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0)
                .withPageRowCountLimit(random.nextInt(5, 100))
                .withRowGroupSize(random.nextBoolean() ? 1L << 20 : 1L << 10)
                .withMinRowCountForPageSizeCheck(1)
                .withPageWriteChecksumEnabled(random.nextBoolean())
                .build()) {
            for (int row = 0; row < ROWS; row++) {
                Group group = new SimpleGroup(schema);
                for (Column column : columns) {
                    GroupType own = new GroupType(Type.Repetition.REQUIRED, "row", schema.getType(column.name));
                    fill(group, own, random, nulls, column.kind);
                }
                writer.write(group);
            }
        }
    }

    private static List<Group> read(Path file, MessageType schema) throws IOException {
        List<Group> rows = new ArrayList<>();
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
            for (PageReadStore pages = reader.readNextRowGroup(); pages != null; pages = reader.readNextRowGroup()) {
                RecordReader<Group> records = new ColumnIOFactory()
                        .getColumnIO(schema)
                        .getRecordReader(pages, new GroupRecordConverter(schema));
                for (long row = 0; row < pages.getRowCount(); row++) {
                    rows.add(records.read());
                }
            }
        }
        return rows;
    }

    private void compare(Path file, Leaf leaf, List<@Nullable Object> expected, long[] counts) throws Exception {
        ShardOptions wanted = ShardOptions.defaults().columns(leaf.field);
        if (leaf.kind.isRefused()) {
            assertThatExceptionOfType(FormatException.class)
                    .as(leaf.toString())
                    .isThrownBy(() -> advance(file, wanted))
                    .withMessageContaining("'" + leaf.field + "'");
            counts[3]++;
            return;
        }
        List<@Nullable Object> found = new ArrayList<>(Collections.nCopies(ROWS, "refused"));
        try (Cursor<ShardSample> cursor = Shards.shard(
                        storage, file.toString(), wanted.failures(ShardFailures.skip(ROWS, broken -> {})), pool)
                .open(0, Position.START)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    found.set((int) sample.index(), sample.has(leaf.field) ? shown(sample, leaf) : null);
                }
            }
        }
        for (int row = 0; row < ROWS; row++) {
            if ("refused".equals(found.get(row))) {
                assertThat(isUnfit(expected.get(row)))
                        .as("row %d of %s was refused: %s", row, leaf, expected.get(row))
                        .isTrue();
                counts[2]++;
            } else {
                assertThat(found.get(row)).as("row %d of %s", row, leaf).isEqualTo(expected.get(row));
                counts[found.get(row) == null ? 1 : 0]++;
            }
        }
    }

    /// Random comparisons with values of the column leave the rows for which they hold; groups have a few rows,
    /// whose statistics parquet-java wrote.
    private void filter(Path file, Leaf leaf, List<@Nullable Object> values, SplittableRandom random, long[] counts)
            throws Exception {
        List<@Nullable Object> there =
                values.stream().filter(each -> each != null).toList();
        for (int i = 0; i < 4 && !there.isEmpty(); i++) {
            String with = (String) Objects.requireNonNull(there.get(random.nextInt(there.size())));
            Condition.Operator operator =
                    Condition.Operator.values()[random.nextInt(Condition.Operator.values().length)];
            boolean not = random.nextBoolean();
            Condition compared = new Condition.Comparison(leaf.field, operator, leaf.kind.operand(with));
            RowFilter filter = RowFilter.parse(new RowFilter(not ? new Condition.Not(compared) : compared).toString());
            List<Integer> expected = new ArrayList<>();
            for (int row = 0; row < ROWS; row++) {
                if (values.get(row) instanceof String value && operator.holds(leaf.kind.compare(value, with)) != not) {
                    expected.add(row);
                }
            }
            List<Integer> left = new ArrayList<>();
            try (Cursor<ShardSample> cursor = Shards.shard(
                            storage,
                            file.toString(),
                            ShardOptions.defaults().columns(leaf.field).where(filter),
                            pool)
                    .open(0, Position.START)) {
                while (cursor.advance()) {
                    try (ShardSample sample = cursor.item()) {
                        left.add((int) sample.index());
                    }
                }
            }
            assertThat(left).as("%s of %s", filter, leaf).isEqualTo(expected);
            counts[4]++;
        }
    }

    private void advance(Path file, ShardOptions wanted) throws Exception {
        try (Cursor<ShardSample> cursor =
                Shards.shard(storage, file.toString(), wanted, pool).open(0, Position.START)) {
            cursor.advance();
        }
    }

    /// Whether an array cannot hold it: a list with a null, or lists of different lengths.
    private static boolean isUnfit(@Nullable Object value) {
        if (!(value instanceof List<?> list)) {
            return false;
        }
        long lengths = list.stream()
                .filter(each -> each instanceof List<?>)
                .map(each -> ((List<?>) each).size())
                .distinct()
                .count();
        return lengths > 1 || list.contains(null) || list.stream().anyMatch(ParquetJavaTest::isUnfit);
    }

    private static Object shown(ShardSample sample, Leaf leaf) throws IOException {
        MemorySegment bytes = sample.bytes(leaf.field);
        Optional<ElementType> type = sample.elementType(leaf.field);
        List<String> values = new ArrayList<>();
        long[] shape;
        if (type.isPresent()) {
            shape = sample.array(leaf.field).shape().extents();
            int size = type.get().byteSize();
            for (long at = 0; at < bytes.byteSize(); at += size) {
                values.add(RandomValues.number(type.get(), bytes.asSlice(at, size)));
            }
        } else if (leaf.depth == 0) {
            shape = new long[0];
            values.add(leaf.kind.given(bytes.toArray(ValueLayout.JAVA_BYTE)));
        } else {
            String lengths = leaf.field + ".lengths";
            shape = sample.array(lengths).shape().extents();
            long at = 0;
            for (long i = 0; i < sample.bytes(lengths).byteSize(); i += Long.BYTES) {
                long length = sample.bytes(lengths).get(ValueLayout.JAVA_LONG_UNALIGNED, i);
                values.add(leaf.kind.given(bytes.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE)));
                at += length;
            }
            assertThat(at).isEqualTo(bytes.byteSize());
        }
        return arranged(values, shape, 0, new int[1]);
    }

    private static Object arranged(List<String> values, long[] shape, int level, int[] next) {
        if (level == shape.length) {
            return values.get(next[0]++);
        }
        List<Object> parts = new ArrayList<>();
        for (long i = 0; i < shape[level]; i++) {
            parts.add(arranged(values, shape, level + 1, next));
        }
        return parts;
    }
}
