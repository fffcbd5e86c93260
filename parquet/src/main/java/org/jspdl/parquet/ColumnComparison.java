package org.jspdl.parquet;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalInt;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.format.Type;
import org.jspdl.data.shards.filter.Condition.Comparison;
import org.jspdl.data.shards.filter.Condition.Operand;
import org.jspdl.data.shards.filter.Condition.Operator;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;

/// A comparison of a filter with the values of a column, exact for all types.
///
/// @param column   a column that is no list
/// @param type     how its values are stored
/// @param operator how
/// @param number   with what; of dates, times and timestamps in the units of the column, of booleans 0 or 1, of texts
///     unused
/// @param text     with what where the column holds texts
record ColumnComparison(ParquetColumn column, Type type, Operator operator, BigDecimal number, byte[] text) {
    private static final byte[] NO_TEXT = {};

    /// What `comparison` means of a column.
    ///
    /// @throws FormatException if the values of the column cannot be compared so
    static ColumnComparison of(ParquetColumn column, Comparison comparison) {
        Type type = Type.valueOf(storedAs(column));
        if (!column.isList()) {
            switch (comparison.operand()) {
                case Operand.Truth(var value)
                when column.elementType() == ElementType.BOOL -> {
                    return new ColumnComparison(
                            column, type, comparison.operator(), value ? BigDecimal.ONE : BigDecimal.ZERO, NO_TEXT);
                }
                case Operand.Numeric(var value)
                when isNumber(column) -> {
                    return new ColumnComparison(column, type, comparison.operator(), value, NO_TEXT);
                }
                case Operand.Text(var value)
                when isText(column) -> {
                    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
                    return new ColumnComparison(column, type, comparison.operator(), BigDecimal.ZERO, bytes);
                }
                case Operand.Text(var value)
                when isTime(column) -> {
                    return new ColumnComparison(
                            column, type, comparison.operator(), units(column, comparison, value), NO_TEXT);
                }
                case Operand.Truth _, Operand.Numeric _, Operand.Text _ -> {
                    // said below
                }
            }
        }
        throw FormatException.because("Parquet: the filter compares " + comparison + ", but the column holds "
                + column.kind() + "; numbers, texts, booleans, dates and times that are no lists can be compared with"
                + " their like");
    }

    /// Whether the least and the greatest value of a group of rows of this column, if they are said, tell of
    /// comparisons.
    static boolean usesBounds(ParquetColumn column) {
        boolean isCutOff = isDecimal(column) && storedAs(column).equals("BYTE_ARRAY");
        return !column.isList()
                && !isCutOff
                && (isNumber(column) || isText(column) || isTime(column) || column.elementType() == ElementType.BOOL);
    }

    private static String storedAs(ParquetColumn column) {
        String name = column.leaf().getPrimitiveType().getPrimitiveTypeName().name();
        return name.equals("BINARY") ? "BYTE_ARRAY" : name;
    }

    private static boolean isNumber(ParquetColumn column) {
        return isDecimal(column)
                || (column.values().form() == ValueType.Form.NUMBER
                        && column.elementType() != ElementType.BOOL
                        && column.elementType() != ElementType.FLOAT16);
    }

    private static boolean isDecimal(ParquetColumn column) {
        return is(column, ValueType.Form.TEXT, ValueType.DECIMAL);
    }

    private static boolean isText(ParquetColumn column) {
        return is(column, ValueType.Form.BYTES, ValueType.TEXT);
    }

    private static boolean isTime(ParquetColumn column) {
        return column.values().form() == ValueType.Form.TEXT && !isDecimal(column);
    }

    private static boolean is(ParquetColumn column, ValueType.Form form, String name) {
        return column.values().form() == form && column.values().name().equals(name);
    }

    private static BigDecimal units(ParquetColumn column, Comparison comparison, String text) {
        ValueType values = column.values();
        try {
            String iso = text.replace(' ', 'T');
            boolean isDay = iso.indexOf('T') < 0;
            return switch (values.name()) {
                case ValueType.DATE -> BigDecimal.valueOf(LocalDate.parse(text).toEpochDay());
                case ValueType.TIME ->
                    units(Instant.ofEpochSecond(0, LocalTime.parse(text).toNanoOfDay()), values.unit());
                case ValueType.TIMESTAMP ->
                    units(isDay ? midnight(iso) : OffsetDateTime.parse(iso).toInstant(), values.unit());
                default ->
                    units(isDay ? midnight(iso) : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC), values.unit());
            };
        } catch (DateTimeException wrong) {
            throw FormatException.because("Parquet: the filter compares " + comparison + ", which is no "
                    + values.name() + " in ISO 8601, such as " + example(values.name()));
        }
    }

    private static Instant midnight(String day) {
        return LocalDate.parse(day).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static BigDecimal units(Instant instant, long nanosPerUnit) {
        return BigDecimal.valueOf(instant.getEpochSecond())
                .movePointRight(9)
                .add(BigDecimal.valueOf(instant.getNano()))
                .divide(BigDecimal.valueOf(nanosPerUnit)); // a power of ten, so that it is exact
    }

    private static String example(String name) {
        return switch (name) {
            case ValueType.DATE -> "'2026-11-30'";
            case ValueType.TIME -> "'12:34:56.789'";
            case ValueType.TIMESTAMP -> "'2026-11-30T12:34:56Z' or '2026-11-30' (midnight UTC)";
            default -> "'2026-11-30T12:34:56' or '2026-11-30' (midnight)";
        };
    }

    /// Whether it holds for the current value of `reader`, which is not null.
    boolean holds(ColumnReader reader) {
        if (isText(column)) {
            return operator.holds(compare(reader.getBinary().toByteBuffer()));
        }
        if (isDecimal(column)) {
            return operator.holds(decimal(LogicalText.unscaled(reader, type)).compareTo(number));
        }
        return switch (type) {
            case BOOLEAN ->
                operator.holds(BigDecimal.valueOf(reader.getBoolean() ? 1 : 0).compareTo(number));
            case FLOAT -> holds(reader.getFloat());
            case DOUBLE -> holds(reader.getDouble());
            case INT32 -> operator.holds(whole(reader.getInteger()).compareTo(number));
            default -> operator.holds(whole(reader.getLong()).compareTo(number));
        };
    }

    private boolean holds(double value) {
        return Double.isNaN(value) ? operator == Operator.NOT_EQUAL : operator.holds(compare(value));
    }

    /// Whether a value may be one of which neither the comparison nor its opposite tells by an order.
    boolean mayBeNan() {
        return type == Type.FLOAT || type == Type.DOUBLE;
    }

    /// How a bound that the statistics of a row group give compares with the operand; empty if it makes no sense.
    OptionalInt compareBound(byte[] bound) {
        ByteBuffer bytes = ByteBuffer.wrap(bound).order(ByteOrder.LITTLE_ENDIAN);
        if (isText(column)) {
            return OptionalInt.of(compare(bytes));
        }
        int size = switch (type) {
            case BOOLEAN -> 1;
            case INT32, FLOAT -> 4;
            case INT64, DOUBLE -> 8;
            case FIXED_LEN_BYTE_ARRAY -> column.leaf().getPrimitiveType().getTypeLength();
            case BYTE_ARRAY, INT96 -> -1; // a decimal that is cut off is another one
        };
        if (bound.length != size) {
            return OptionalInt.empty();
        }
        return switch (type) {
            case BOOLEAN -> OptionalInt.of(BigDecimal.valueOf(bound[0] & 1).compareTo(number));
            case FLOAT -> compareFloating(bytes.getFloat());
            case DOUBLE -> compareFloating(bytes.getDouble());
            case INT32 -> isDecimal(column) ? decimal(bytes.getInt()) : wholeBound(bytes.getInt());
            case INT64 -> isDecimal(column) ? decimal(bytes.getLong()) : wholeBound(bytes.getLong());
            case FIXED_LEN_BYTE_ARRAY ->
                OptionalInt.of(decimal(new BigInteger(bound)).compareTo(number));
            case BYTE_ARRAY, INT96 -> OptionalInt.empty();
        };
    }

    private OptionalInt decimal(long unscaled) {
        return OptionalInt.of(decimal(BigInteger.valueOf(unscaled)).compareTo(number));
    }

    private OptionalInt compareFloating(double bound) {
        return Double.isNaN(bound) ? OptionalInt.empty() : OptionalInt.of(compare(bound));
    }

    /// A bound that its type cannot hold stands for values of which only some bits are read.
    private OptionalInt wholeBound(long bits) {
        BigDecimal value = whole(bits);
        boolean fits = column.elementType() == null
                || switch (column.elementType()) {
                    case INT8, INT16, UINT8, UINT16 -> value.longValueExact() == bits;
                    default -> true;
                };
        return fits ? OptionalInt.of(value.compareTo(number)) : OptionalInt.empty();
    }

    private BigDecimal decimal(BigInteger unscaled) {
        return new BigDecimal(unscaled, (int) column.values().unit());
    }

    /// The number that the bits of an integer, a date or a time stand for.
    private BigDecimal whole(long bits) {
        ElementType elements = column.elementType();
        if (elements == null) {
            return BigDecimal.valueOf(bits);
        }
        return switch (elements) {
            case INT8 -> BigDecimal.valueOf((byte) bits);
            case INT16 -> BigDecimal.valueOf((short) bits);
            case UINT8 -> BigDecimal.valueOf(bits & 0xFF);
            case UINT16 -> BigDecimal.valueOf(bits & 0xFFFF);
            case UINT32 -> BigDecimal.valueOf(bits & 0xFFFF_FFFFL);
            case UINT64 -> new BigDecimal(Long.toUnsignedString(bits));
            default -> BigDecimal.valueOf(bits);
        };
    }

    /// Compares a number that is not NaN. Both zeros are zero.
    private int compare(double value) {
        return Double.isInfinite(value) ? (value > 0 ? 1 : -1) : new BigDecimal(value).compareTo(number);
    }

    private int compare(ByteBuffer value) {
        byte[] bytes = new byte[value.remaining()];
        value.get(value.position(), bytes);
        return Arrays.compareUnsigned(bytes, text);
    }

    @Override
    public boolean equals(Object other) {
        return other
                        instanceof
                        ColumnComparison(var theirColumn, var theirType, var theirOperator, var theirs, var bytes)
                && column.equals(theirColumn)
                && type == theirType
                && operator == theirOperator
                && number.equals(theirs)
                && Arrays.equals(text, bytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(column, operator, number, Arrays.hashCode(text));
    }
}
