package org.jspdl.parquet;

import static org.apache.parquet.format.FieldRepetitionType.OPTIONAL;
import static org.apache.parquet.format.FieldRepetitionType.REQUIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.format.BsonType;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.EnumType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.Float16Type;
import org.apache.parquet.format.GeographyType;
import org.apache.parquet.format.GeometryType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.JsonType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MapType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.NullType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.UUIDType;
import org.apache.parquet.format.VariantType;
import org.jspdl.data.shards.ShardFailures;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspdl.parquet.HandMadeFile.Cell;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Every physical type with every logical type: the value, or an error that names column and type.
class ParquetTypesTest extends HandMadeFileTest {
    private static final String UUID_TEXT = "00112233-4455-6677-8899-aabbccddeeff";

    /// What a value is expected to be: its element type (null for bytes) and its content.
    private record Expected(@Nullable ElementType type, byte[] content) {}

    private static byte[] little(int bytes, long value) {
        byte[] little = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            little[i] = (byte) (value >>> (8 * i));
        }
        return little;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, LogicalType> logicals() {
        Map<String, LogicalType> all = new LinkedHashMap<>();
        TimeUnit micros = TimeUnit.MICROS(new MicroSeconds());
        all.put("STRING", LogicalType.STRING(new StringType()));
        all.put("MAP", LogicalType.MAP(new MapType()));
        all.put("LIST", LogicalType.LIST(new ListType()));
        all.put("ENUM", LogicalType.ENUM(new EnumType()));
        all.put("DECIMAL", LogicalType.DECIMAL(new DecimalType(2, 9)));
        all.put("DATE", LogicalType.DATE(new DateType()));
        all.put("TIME", LogicalType.TIME(new TimeType(true, micros)));
        all.put("TIMESTAMP", LogicalType.TIMESTAMP(new TimestampType(true, micros)));
        for (int bits : new int[] {8, 16, 32, 64, 24}) {
            all.put("INT_" + bits, LogicalType.INTEGER(new IntType((byte) bits, true)));
            all.put("UINT_" + bits, LogicalType.INTEGER(new IntType((byte) bits, false)));
        }
        all.put("UNKNOWN", LogicalType.UNKNOWN(new NullType()));
        all.put("JSON", LogicalType.JSON(new JsonType()));
        all.put("BSON", LogicalType.BSON(new BsonType()));
        all.put("UUID", LogicalType.UUID(new UUIDType()));
        all.put("FLOAT16", LogicalType.FLOAT16(new Float16Type()));
        all.put("VARIANT", LogicalType.VARIANT(new VariantType()));
        all.put("GEOMETRY", LogicalType.GEOMETRY(new GeometryType()));
        all.put("GEOGRAPHY", LogicalType.GEOGRAPHY(new GeographyType()));
        return all;
    }

    /// A value of each physical type, by the number of bytes where that is open.
    private static Object raw(Type physical, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 0x11);
        }
        return switch (physical) {
            case BOOLEAN -> true;
            case INT32 -> -2;
            case INT64 -> -2L;
            case FLOAT -> -1.5f;
            case DOUBLE -> -2.5;
            case BYTE_ARRAY -> utf8("héllo");
            case FIXED_LEN_BYTE_ARRAY -> bytes;
            case INT96 -> new byte[12];
        };
    }

    /// The combinations that have a value, and which; all others are to be refused.
    private static Map<String, Expected> supported() {
        Map<String, Expected> all = new HashMap<>();
        Expected text = new Expected(null, utf8("héllo"));
        all.put("BOOLEAN", new Expected(ElementType.BOOL, new byte[] {1}));
        all.put("INT32", new Expected(ElementType.INT32, little(4, -2)));
        all.put("INT64", new Expected(ElementType.INT64, little(8, -2)));
        all.put("FLOAT", new Expected(ElementType.FLOAT32, little(4, Float.floatToIntBits(-1.5f))));
        all.put("DOUBLE", new Expected(ElementType.FLOAT64, little(8, Double.doubleToLongBits(-2.5))));
        all.put("BYTE_ARRAY", text);
        for (String logical : List.of("STRING", "UTF8", "ENUM", "JSON", "BSON")) {
            all.put("BYTE_ARRAY " + logical, text);
        }
        for (int length : new int[] {2, 12, 16}) {
            byte[] bytes = (byte[]) raw(Type.FIXED_LEN_BYTE_ARRAY, length);
            String fixed = "FIXED_LEN_BYTE_ARRAY(" + length + ")";
            for (String logical : List.of("", " STRING", " UTF8", " ENUM", " JSON", " BSON")) {
                all.put(fixed + logical, new Expected(null, bytes));
            }
        }
        all.put("FIXED_LEN_BYTE_ARRAY(16) UUID", new Expected(null, utf8(UUID_TEXT)));
        all.put("FIXED_LEN_BYTE_ARRAY(2) FLOAT16", new Expected(ElementType.FLOAT16, new byte[] {0, 0x11}));
        all.put("INT32 DATE", new Expected(null, utf8("1969-12-30")));
        all.put("INT64 TIMESTAMP", new Expected(null, utf8("1969-12-31T23:59:59.999998Z")));
        all.put("INT64 TIMESTAMP_MICROS", new Expected(null, utf8("1969-12-31T23:59:59.999998Z")));
        all.put("INT64 TIMESTAMP_MILLIS", new Expected(null, utf8("1969-12-31T23:59:59.998Z")));
        all.put("INT32 DECIMAL", new Expected(null, utf8("-0.02")));
        all.put("INT64 DECIMAL", new Expected(null, utf8("-0.02")));
        all.put("BYTE_ARRAY DECIMAL", decimal(utf8("héllo")));
        for (int length : new int[] {2, 12, 16}) {
            all.put("FIXED_LEN_BYTE_ARRAY(" + length + ") DECIMAL", decimal((byte[])
                    raw(Type.FIXED_LEN_BYTE_ARRAY, length)));
        }
        all.put("INT32 INT_8", new Expected(ElementType.INT8, little(1, -2)));
        all.put("INT32 INT_16", new Expected(ElementType.INT16, little(2, -2)));
        all.put("INT32 INT_32", new Expected(ElementType.INT32, little(4, -2)));
        all.put("INT64 INT_64", new Expected(ElementType.INT64, little(8, -2)));
        all.put("INT32 UINT_8", new Expected(ElementType.UINT8, little(1, -2)));
        all.put("INT32 UINT_16", new Expected(ElementType.UINT16, little(2, -2)));
        all.put("INT32 UINT_32", new Expected(ElementType.UINT32, little(4, -2)));
        all.put("INT64 UINT_64", new Expected(ElementType.UINT64, little(8, -2)));
        return all;
    }

    private static Expected decimal(byte[] unscaled) {
        return new Expected(null, utf8(new BigDecimal(new BigInteger(unscaled), 2).toPlainString()));
    }

    @Test
    void everyPhysicalTypeWithEveryLogicalTypeIsTheValueOrRefusedByName() throws Exception {
        Map<String, Expected> supported = supported();
        int read = 0;
        int refused = 0;
        for (Type physical : Type.values()) {
            for (int length : physical == Type.FIXED_LEN_BYTE_ARRAY ? new int[] {2, 12, 16} : new int[] {0}) {
                String name = physical + (length == 0 ? "" : "(" + length + ")");
                List<SchemaElement> leaves = new ArrayList<>(List.of(HandMadeFile.leaf("plain", OPTIONAL, physical)));
                logicals().forEach((logical, type) -> {
                    SchemaElement leaf = HandMadeFile.leaf(logical, OPTIONAL, physical);
                    leaf.setLogicalType(type);
                    leaves.add(leaf);
                });
                for (ConvertedType converted : ConvertedType.values()) {
                    SchemaElement leaf = HandMadeFile.leaf(converted.name(), OPTIONAL, physical);
                    leaf.setConverted_type(converted);
                    if (converted == ConvertedType.DECIMAL) {
                        leaf.setPrecision(9);
                        leaf.setScale(2);
                    }
                    leaves.add(leaf);
                }
                for (SchemaElement leaf : leaves) {
                    leaf.setType_length(length);
                    String what = leaf.getName().equals("plain") ? name : name + " " + leaf.getName();
                    Expected expected = supported.get(what);
                    for (FieldRepetitionType repetition : List.of(OPTIONAL, REQUIRED)) {
                        leaf.setRepetition_type(repetition);
                        if (leaf.getName().equals("UNKNOWN") && repetition == OPTIONAL) {
                            assertNulls(leaf, physical, length, what);
                        } else if (expected == null) {
                            assertRefused(leaf, physical, length, what);
                            refused++;
                        } else {
                            assertRead(leaf, physical, length, expected, what);
                            read++;
                        }
                    }
                }
            }
        }
        assertThat(read).isGreaterThan(2 * supported.size());
        assertThat(refused).isGreaterThan(400);
    }

    private Path write(SchemaElement leaf, Type physical, int length, boolean nulls) throws Exception {
        Object value = raw(physical, length);
        boolean optional = leaf.getRepetition_type() == OPTIONAL;
        List<Cell> cells = new ArrayList<>();
        for (int row = 0; row < 5; row++) {
            boolean isNull = optional && (nulls || row % 2 == 1);
            cells.add(new Cell(0, optional && !isNull ? 1 : 0, isNull ? null : value));
        }
        SchemaElement named = new SchemaElement(leaf);
        named.setName("x");
        return Files.write(
                folder.resolve("types.parquet"),
                new HandMadeFile(5).column(List.of(named), cells).bytes());
    }

    private void assertRead(SchemaElement leaf, Type physical, int length, Expected expected, String what)
            throws Exception {
        boolean optional = leaf.getRepetition_type() == OPTIONAL;
        Path file = write(leaf, physical, length, false);
        int row = 0;
        try (Cursor<ShardSample> cursor = open(file, ShardFailures.fail())) {
            for (; cursor.advance(); row++) {
                try (ShardSample sample = cursor.item()) {
                    assertThat(sample.has("x")).as("%s, row %d", what, row).isEqualTo(!optional || row % 2 == 0);
                    if (sample.has("x")) {
                        assertThat(sample.bytes("x").toArray(ValueLayout.JAVA_BYTE))
                                .as(what)
                                .isEqualTo(expected.content());
                        assertThat(sample.elementType("x").orElse(null))
                                .as(what)
                                .isEqualTo(expected.type());
                    }
                }
            }
        }
        assertThat(row).isEqualTo(5);
    }

    private void assertNulls(SchemaElement leaf, Type physical, int length, String what) throws Exception {
        Path file = write(leaf, physical, length, true);
        int rows = 0;
        try (Cursor<ShardSample> cursor = open(file, ShardFailures.fail())) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    assertThat(sample.has("x")).as(what).isFalse();
                    rows++;
                }
            }
        }
        assertThat(rows).isEqualTo(5);
    }

    private void assertRefused(SchemaElement leaf, Type physical, int length, String what) throws Exception {
        Path file = write(leaf, physical, length, false);
        try (Cursor<ShardSample> cursor = open(file, ShardFailures.fail())) {
            assertThatThrownBy(cursor::advance)
                    .as(what)
                    .isInstanceOf(FormatException.class)
                    .hasMessageStartingWith(file.toString())
                    .hasMessageContaining("the column 'x'");
        }
        assertThat(pool.outstanding()).isZero();
    }

    @Test
    void numbersOfEveryWidthAreNumbers() throws Exception {
        SchemaElement unsigned = HandMadeFile.leaf("u32", REQUIRED, Type.INT32);
        unsigned.setLogicalType(LogicalType.INTEGER(new IntType((byte) 32, false)));
        SchemaElement small = HandMadeFile.leaf("u8", REQUIRED, Type.INT32);
        small.setConverted_type(ConvertedType.UINT_8);
        SchemaElement large = HandMadeFile.leaf("u64", REQUIRED, Type.INT64);
        large.setConverted_type(ConvertedType.UINT_64);
        SchemaElement half = HandMadeFile.leaf("half", REQUIRED, Type.FIXED_LEN_BYTE_ARRAY);
        half.setType_length(2);
        half.setLogicalType(LogicalType.FLOAT16(new Float16Type()));
        byte[] halfBytes = ByteBuffer.wrap(new byte[2])
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .putShort(Float.floatToFloat16(-1.5f))
                .array();
        Path file = Files.write(
                folder.resolve("numbers.parquet"),
                new HandMadeFile(1)
                        .column(List.of(unsigned), List.of(new Cell(0, 0, (int) 3_000_000_000L)))
                        .column(List.of(small), List.of(new Cell(0, 0, 200)))
                        .column(List.of(large), List.of(new Cell(0, 0, -1L)))
                        .column(List.of(half), List.of(new Cell(0, 0, halfBytes)))
                        .bytes());
        try (Cursor<ShardSample> cursor = open(file, ShardFailures.fail())) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.number("u32")).isEqualTo(3_000_000_000L);
                assertThat(sample.number("u8")).isEqualTo(200);
                assertThatThrownBy(() -> sample.number("u64"))
                        .isInstanceOf(FormatException.class)
                        .hasMessageContaining("the field 'u64' is 18446744073709551615");
                assertThatThrownBy(() -> sample.number("half"))
                        .isInstanceOf(FormatException.class)
                        .hasMessageContaining("no whole number but FLOAT16");
                assertThat(Float.float16ToFloat(sample.bytes("half").get(ValueLayout.JAVA_SHORT_UNALIGNED, 0)))
                        .isEqualTo(-1.5f);
            }
        }
    }

    @Test
    void columnsThatAreCalledAlikeAreRefused() throws Exception {
        List<SchemaElement> column = List.of(HandMadeFile.leaf("x", REQUIRED, Type.INT32));
        Path file = Files.write(
                folder.resolve("twice.parquet"),
                new HandMadeFile(1)
                        .column(column, List.of(new Cell(0, 0, 1)))
                        .column(column, List.of(new Cell(0, 0, 2)))
                        .bytes());
        assertThatThrownBy(() -> open(file, ShardFailures.fail()))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("there are two columns 'x'");
    }

    @Test
    void pagesThatDecompressToMoreThanASampleMayHaveAreRefused() throws Exception {
        List<Cell> zeros = List.of(new Cell(0, 0, new byte[50_000_000]));
        List<Cell> half = List.of(new Cell(0, 0, new byte[60_000]));
        SchemaElement a = HandMadeFile.leaf("a", REQUIRED, Type.BYTE_ARRAY);
        SchemaElement b = HandMadeFile.leaf("b", REQUIRED, Type.BYTE_ARRAY);
        byte[] one = new HandMadeFile(1)
                .column(List.of(a), zeros, CompressionCodec.GZIP)
                .bytes();
        byte[] two = new HandMadeFile(1)
                .column(List.of(a), half, CompressionCodec.GZIP)
                .column(List.of(b), half, CompressionCodec.GZIP)
                .bytes();
        for (byte[] bomb : List.of(one, two)) {
            assertThat(bomb.length).isLessThan(100_000);
            Path file = Files.write(folder.resolve("bomb.parquet"), bomb);
            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(() -> {
                        try (Cursor<ShardSample> cursor = Shards.shard(
                                        storage,
                                        file.toString(),
                                        ShardOptions.defaults().largestSample(100_000),
                                        pool)
                                .open(0, Position.START)) {
                            cursor.advance();
                        }
                    })
                    .withMessageContaining("the pages of one row of Parquet take")
                    .withMessageContaining("ShardOptions.largestSample");
        }
    }
}
