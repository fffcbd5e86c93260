package org.jspdl.spark;

import static org.apache.parquet.schema.LogicalTypeAnnotation.bsonType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.dateType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.decimalType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.enumType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.float16Type;
import static org.apache.parquet.schema.LogicalTypeAnnotation.intType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.jsonType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timeType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timestampType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.uuidType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspdl.data.shards.filter.Condition.Operand;
import org.jspdl.memory.ElementType;
import org.jspecify.annotations.Nullable;

/// Random values of every type that Parquet has, written into groups of parquet-java, and the texts by which they are
/// compared: exact, and computed here from what the format says of the type.
final class RandomValues {
    /// The keys of maps.
    static final Kind KEY = new Kind(
            "INT32",
            PrimitiveTypeName.INT32,
            null,
            0,
            SplittableRandom::nextInt,
            RandomValues::plain,
            RandomValues::hex);

    static final List<Kind> KINDS = kinds();

    private RandomValues() {}

    /// A type.
    ///
    /// @param drawn  makes a value
    /// @param shown  its text
    /// @param given  the same text of the bytes that our reader gives, unless those are numbers; null if it refuses
    ///     the type
    record Kind(
            String name,
            PrimitiveTypeName physical,
            @Nullable LogicalTypeAnnotation logical,
            int length,
            Function<SplittableRandom, Object> drawn,
            Function<Object, String> shown,
            @Nullable Function<byte[], String> given) {

        boolean isRefused() {
            return given == null;
        }

        Type type(Type.Repetition repetition, String called) {
            var type = Types.primitive(physical, repetition);
            type = length > 0 ? type.length(length) : type;
            return (logical == null ? type : type.as(logical)).named(called);
        }

        void add(Group group, String field, SplittableRandom random) {
            switch (drawn.apply(random)) {
                case Boolean value -> group.add(field, value);
                case Integer value -> group.add(field, value);
                case Long value -> group.add(field, value);
                case Float value -> group.add(field, value);
                case Double value -> group.add(field, value);
                case byte[] value -> group.add(field, Binary.fromConstantByteArray(value));
                case Object other -> throw new AssertionError(other);
            }
        }

        String shown(Group group, String field) {
            return shown.apply(
                    switch (physical) {
                        case BOOLEAN -> group.getBoolean(field, 0);
                        case INT32 -> group.getInteger(field, 0);
                        case INT64 -> group.getLong(field, 0);
                        case FLOAT -> group.getFloat(field, 0);
                        case DOUBLE -> group.getDouble(field, 0);
                        case BINARY, FIXED_LEN_BYTE_ARRAY ->
                            group.getBinary(field, 0).getBytes();
                        case INT96 -> group.getInt96(field, 0).getBytes();
                    });
        }

        /// Whether a filter can compare its values here: not those without an order, nor floats, which may be
        /// NaN.
        boolean isCompared() {
            return isText() || isTime() || name.startsWith("DECIMAL") || (name.contains("INT") && given != null);
        }

        private boolean isText() {
            return name.equals("STRING") || name.equals("ENUM") || name.equals("JSON");
        }

        private boolean isTime() {
            return name.startsWith("DATE") || name.startsWith("TIME");
        }

        /// How two of its texts compare.
        int compare(String one, String other) {
            return isText() || name.equals("DATE")
                    ? one.compareTo(other) // digits of bytes, or a year of four digits first
                    : new BigDecimal(one).compareTo(new BigDecimal(other));
        }

        /// The value of such a text in a filter.
        Operand operand(String text) {
            if (isText()) {
                return new Operand.Text(new String(HexFormat.of().parseHex(text), StandardCharsets.UTF_8));
            }
            if (name.equals("DATE")) {
                return new Operand.Text(text);
            }
            if (name.startsWith("TIMESTAMP")) {
                BigInteger[] parts = new BigInteger(text).divideAndRemainder(BigInteger.valueOf(1_000_000_000));
                Instant instant = Instant.ofEpochSecond(parts[0].longValueExact(), parts[1].longValueExact());
                return new Operand.Text(
                        name.endsWith("UTC")
                                ? instant.toString()
                                : LocalDateTime.ofInstant(instant, ZoneOffset.UTC)
                                        .toString());
            }
            return isTime()
                    ? new Operand.Text(
                            LocalTime.ofNanoOfDay(Long.parseLong(text)).toString())
                    : new Operand.Numeric(new BigDecimal(text));
        }

        String given(byte[] bytes) {
            return given == null ? "refused" : given.apply(bytes);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>();
        kinds.add(
                number("BOOLEAN", PrimitiveTypeName.BOOLEAN, null, SplittableRandom::nextBoolean, RandomValues::plain));
        kinds.add(KEY);
        kinds.add(number("INT64", PrimitiveTypeName.INT64, null, RandomValues::whole, RandomValues::plain));
        kinds.add(number(
                "FLOAT",
                PrimitiveTypeName.FLOAT,
                null,
                random -> Float.intBitsToFloat(random.nextInt()),
                value -> bits(((Number) value).floatValue())));
        kinds.add(number(
                "DOUBLE",
                PrimitiveTypeName.DOUBLE,
                null,
                random -> Double.longBitsToDouble(random.nextLong()),
                value -> bits(((Number) value).doubleValue())));
        for (int bits : new int[] {8, 16, 32}) {
            for (boolean signed : new boolean[] {true, false}) {
                kinds.add(number(
                        (signed ? "INT_" : "UINT_") + bits,
                        PrimitiveTypeName.INT32,
                        intType(bits, signed),
                        random -> signed ? random.nextInt() >> (32 - bits) : random.nextInt() >>> (32 - bits),
                        value -> signed ? value.toString() : Integer.toUnsignedString((Integer) value)));
            }
        }
        kinds.add(
                number("INT_64", PrimitiveTypeName.INT64, intType(64, true), RandomValues::whole, RandomValues::plain));
        kinds.add(number(
                "UINT_64",
                PrimitiveTypeName.INT64,
                intType(64, false),
                RandomValues::whole,
                value -> Long.toUnsignedString((Long) value)));
        kinds.add(new Kind(
                "FLOAT16",
                PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY,
                float16Type(),
                2,
                random -> bytes(random, 2),
                value -> bits(Float.float16ToFloat((short) ((((byte[]) value)[0] & 0xFF) | ((byte[]) value)[1] << 8))),
                RandomValues::hex));
        kinds.add(bytes("BINARY", PrimitiveTypeName.BINARY, null, 0));
        kinds.add(bytes("FIXED", PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, null, 7));
        kinds.add(bytes("BSON", PrimitiveTypeName.BINARY, bsonType(), 0));
        for (LogicalTypeAnnotation text : List.of(stringType(), enumType(), jsonType())) {
            kinds.add(new Kind(
                    text.toString(),
                    PrimitiveTypeName.BINARY,
                    text,
                    0,
                    RandomValues::word,
                    RandomValues::hexOf,
                    RandomValues::hex));
        }
        kinds.add(new Kind(
                "UUID",
                PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY,
                uuidType(),
                16,
                random -> bytes(random, 16),
                value -> new UUID(
                                ByteBuffer.wrap((byte[]) value).getLong(0),
                                ByteBuffer.wrap((byte[]) value).getLong(8))
                        .toString(),
                RandomValues::text));
        kinds.add(new Kind(
                "DATE",
                PrimitiveTypeName.INT32,
                dateType(),
                0,
                random -> random.nextInt(-200_000, 200_000),
                value -> LocalDate.ofEpochDay((Integer) value).toString(),
                RandomValues::text));
        for (TimeUnit unit : TimeUnit.values()) {
            long nanos = switch (unit) {
                case MILLIS -> 1_000_000L;
                case MICROS -> 1_000L;
                case NANOS -> 1L;
            };
            kinds.add(new Kind(
                    "TIME " + unit,
                    unit == TimeUnit.MILLIS ? PrimitiveTypeName.INT32 : PrimitiveTypeName.INT64,
                    timeType(true, unit),
                    0,
                    random -> {
                        long value = random.nextLong(86_400_000_000_000L / nanos);
                        return unit == TimeUnit.MILLIS ? (Object) (int) value : (Object) value;
                    },
                    value -> String.valueOf(((Number) value).longValue() * nanos),
                    given -> String.valueOf(LocalTime.parse(text(given)).toNanoOfDay())));
            for (boolean utc : new boolean[] {true, false}) {
                kinds.add(new Kind(
                        "TIMESTAMP " + unit + (utc ? " UTC" : ""),
                        PrimitiveTypeName.INT64,
                        timestampType(utc, unit),
                        0,
                        random -> random.nextLong(-(1L << 52), 1L << 52),
                        value -> BigInteger.valueOf((Long) value)
                                .multiply(BigInteger.valueOf(nanos))
                                .toString(),
                        given -> nanos(
                                utc
                                        ? Instant.parse(text(given))
                                        : LocalDateTime.parse(text(given)).toInstant(ZoneOffset.UTC))));
            }
        }
        kinds.add(decimal("DECIMAL INT32", PrimitiveTypeName.INT32, 9, 4, 0));
        kinds.add(decimal("DECIMAL INT64", PrimitiveTypeName.INT64, 18, 3, 0));
        kinds.add(decimal("DECIMAL BINARY", PrimitiveTypeName.BINARY, 25, 25, 0));
        kinds.add(decimal("DECIMAL FIXED", PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, 38, 10, 16));
        kinds.add(new Kind(
                "INT96", PrimitiveTypeName.INT96, null, 0, random -> bytes(random, 12), RandomValues::hexOf, null));
        return List.copyOf(kinds);
    }

    private static Kind number(
            String name,
            PrimitiveTypeName physical,
            @Nullable LogicalTypeAnnotation logical,
            Function<SplittableRandom, Object> drawn,
            Function<Object, String> shown) {
        return new Kind(name, physical, logical, 0, drawn, shown, RandomValues::hex);
    }

    private static Kind bytes(
            String name, PrimitiveTypeName physical, @Nullable LogicalTypeAnnotation logical, int length) {
        return new Kind(
                name,
                physical,
                logical,
                length,
                random -> bytes(random, length > 0 ? length : random.nextInt(12)),
                RandomValues::hexOf,
                RandomValues::hex);
    }

    private static Kind decimal(String name, PrimitiveTypeName physical, int digits, int scale, int length) {
        BigInteger bound = BigInteger.TEN.pow(digits);
        return new Kind(
                name,
                physical,
                decimalType(scale, digits),
                length,
                random -> {
                    BigInteger value = new BigInteger(1, bytes(random, 20)).mod(bound);
                    value = random.nextBoolean() ? value.negate() : value;
                    return switch (physical) {
                        case INT32 -> value.intValueExact();
                        case INT64 -> value.longValueExact();
                        default -> length == 0 ? value.toByteArray() : widened(value, length);
                    };
                },
                value -> new BigDecimal(
                                value instanceof byte[] bytes
                                        ? new BigInteger(bytes)
                                        : BigInteger.valueOf(((Number) value).longValue()),
                                scale)
                        .toPlainString(),
                RandomValues::text);
    }

    private static byte[] widened(BigInteger value, int length) {
        byte[] least = value.toByteArray();
        byte[] wide = new byte[length];
        java.util.Arrays.fill(wide, (byte) (value.signum() < 0 ? -1 : 0));
        System.arraycopy(least, 0, wide, length - least.length, least.length);
        return wide;
    }

    /// Small ones more often, so that dictionaries are used.
    private static Object whole(SplittableRandom random) {
        return random.nextInt(4) == 0 ? (long) random.nextInt(3) : random.nextLong();
    }

    private static Object word(SplittableRandom random) {
        return ("wörd " + random.nextInt(20) + "x".repeat(random.nextInt(9))).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String nanos(Instant instant) {
        return BigInteger.valueOf(instant.getEpochSecond())
                .multiply(BigInteger.valueOf(1_000_000_000))
                .add(BigInteger.valueOf(instant.getNano()))
                .toString();
    }

    private static String plain(Object value) {
        return value.toString();
    }

    private static String bits(float value) {
        return Integer.toHexString(Float.floatToIntBits(value));
    }

    private static String bits(double value) {
        return Long.toHexString(Double.doubleToLongBits(value));
    }

    private static String hexOf(Object value) {
        return hex((byte[]) value);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// The same text of a number that our reader gives.
    static String number(ElementType type, MemorySegment value) {
        return switch (type) {
            case BOOL -> value.get(ValueLayout.JAVA_BYTE, 0) == 1 ? "true" : "false";
            case INT8 -> String.valueOf(value.get(ValueLayout.JAVA_BYTE, 0));
            case UINT8 -> String.valueOf(value.get(ValueLayout.JAVA_BYTE, 0) & 0xFF);
            case INT16 -> String.valueOf(value.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0));
            case UINT16 -> String.valueOf(value.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0) & 0xFFFF);
            case INT32 -> String.valueOf(value.get(ValueLayout.JAVA_INT_UNALIGNED, 0));
            case UINT32 -> Integer.toUnsignedString(value.get(ValueLayout.JAVA_INT_UNALIGNED, 0));
            case INT64 -> String.valueOf(value.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
            case UINT64 -> Long.toUnsignedString(value.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
            case FLOAT16 -> bits(Float.float16ToFloat(value.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0)));
            case FLOAT32 -> bits(value.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0));
            case FLOAT64 -> bits(value.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0));
            default -> throw new AssertionError(type);
        };
    }
}
