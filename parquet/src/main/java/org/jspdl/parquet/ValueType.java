package org.jspdl.parquet;

import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.jspdl.memory.ElementType;
import org.jspecify.annotations.Nullable;

/// What the values of a column are, by their physical and their logical type.
///
/// Every logical type that the format has is either given as what it means or refused: none arrives as the bytes or the
/// integers that stand for it in the file.
///
/// @param form   how values are given
/// @param number the type of an element where they are numbers
/// @param text   makes their text where they are neither numbers nor bytes
/// @param name   what the type is called, for people
/// @param unit   of decimals the digits behind the point, of times and timestamps the nanoseconds of a unit, else 0
record ValueType(
        Form form, @Nullable ElementType number, @Nullable LogicalText text, String name, long unit) {
    private ValueType(Form form, @Nullable ElementType number, @Nullable LogicalText text, String name) {
        this(form, number, text, name, 0);
    }

    static final String TEXT = "text";
    static final String DECIMAL = "decimal";
    static final String DATE = "date";
    static final String TIME = "time";
    static final String TIMESTAMP = "timestamp";
    static final String LOCAL_TIMESTAMP = "local timestamp";

    /// How values are given.
    enum Form {
        /// Numbers or booleans.
        NUMBER,
        /// Bytes as they are; text in UTF-8 is given as its bytes, too.
        BYTES,
        /// A UUID as text of 36 characters.
        UUID,
        /// What [LogicalText] makes of them.
        TEXT,
        /// There is never a value.
        NOTHING,
        /// Not supported.
        REFUSED
    }

    /// The type of the values of a leaf of the schema.
    static ValueType of(SchemaElement leaf) {
        LogicalType logical = leaf.getLogicalType();
        if (leaf.isSetLogicalType() && logical != null) {
            return logical.isSet()
                    ? ofLogical(leaf, logical)
                    : refused("a logical type that is newer than this program");
        }
        return leaf.isSetConverted_type() ? ofConverted(leaf, leaf.getConverted_type()) : ofPhysical(leaf.getType());
    }

    private static ValueType ofPhysical(Type type) {
        return switch (type) {
            case BOOLEAN -> number(ElementType.BOOL);
            case INT32 -> number(ElementType.INT32);
            case INT64 -> number(ElementType.INT64);
            case FLOAT -> number(ElementType.FLOAT32);
            case DOUBLE -> number(ElementType.FLOAT64);
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> new ValueType(Form.BYTES, null, null, "bytes");
            case INT96 -> refused("INT96");
        };
    }

    private static ValueType ofLogical(SchemaElement leaf, LogicalType logical) {
        return switch (logical.getSetField()) {
            case STRING, ENUM, JSON -> bytes(leaf, TEXT);
            case BSON -> bytes(leaf, "bytes");
            case UUID -> fixed(leaf, 16, new ValueType(Form.UUID, null, null, "UUID"));
            case FLOAT16 -> fixed(leaf, 2, number(ElementType.FLOAT16));
            case INTEGER -> integer(leaf, logical.getINTEGER());
            case UNKNOWN -> new ValueType(Form.NOTHING, null, null, "null");
            case DECIMAL ->
                decimal(
                        leaf,
                        logical.getDECIMAL().getPrecision(),
                        logical.getDECIMAL().getScale());
            case DATE -> date(leaf);
            case TIME -> time(leaf, LogicalText.nanos(logical.getTIME().getUnit()));
            case TIMESTAMP ->
                timestamp(
                        leaf,
                        LogicalText.nanos(logical.getTIMESTAMP().getUnit()),
                        logical.getTIMESTAMP().isIsAdjustedToUTC());
            case VARIANT, GEOMETRY, GEOGRAPHY -> refused(logical.getSetField().name());
            case MAP, LIST -> misplaced(leaf, logical.getSetField().name());
        };
    }

    /// As files say it that are older than logical types.
    private static ValueType ofConverted(SchemaElement leaf, ConvertedType converted) {
        return switch (converted) {
            case UTF8, ENUM, JSON -> bytes(leaf, TEXT);
            case BSON -> bytes(leaf, "bytes");
            case UINT_8 -> integer(leaf, new IntType((byte) 8, false));
            case UINT_16 -> integer(leaf, new IntType((byte) 16, false));
            case UINT_32 -> integer(leaf, new IntType((byte) 32, false));
            case UINT_64 -> integer(leaf, new IntType((byte) 64, false));
            case INT_8 -> integer(leaf, new IntType((byte) 8, true));
            case INT_16 -> integer(leaf, new IntType((byte) 16, true));
            case INT_32 -> integer(leaf, new IntType((byte) 32, true));
            case INT_64 -> integer(leaf, new IntType((byte) 64, true));
            case DECIMAL -> decimal(leaf, leaf.getPrecision(), leaf.getScale());
            case DATE -> date(leaf);
            case TIME_MILLIS -> time(leaf, 1_000_000L);
            case TIME_MICROS -> time(leaf, 1_000L);
            case TIMESTAMP_MILLIS -> timestamp(leaf, 1_000_000L, true);
            case TIMESTAMP_MICROS -> timestamp(leaf, 1_000L, true);
            case INTERVAL -> refused(converted.name());
            case MAP, MAP_KEY_VALUE, LIST -> misplaced(leaf, converted.name());
        };
    }

    private static ValueType integer(SchemaElement leaf, IntType type) {
        boolean signed = type.isIsSigned();
        ElementType number = switch (type.getBitWidth()) {
            case 8 -> signed ? ElementType.INT8 : ElementType.UINT8;
            case 16 -> signed ? ElementType.INT16 : ElementType.UINT16;
            case 32 -> signed ? ElementType.INT32 : ElementType.UINT32;
            case 64 -> signed ? ElementType.INT64 : ElementType.UINT64;
            default -> null;
        };
        Type physical = type.getBitWidth() == 64 ? Type.INT64 : Type.INT32;
        return number == null || leaf.getType() != physical
                ? misplaced(leaf, "INTEGER of " + type.getBitWidth() + " bits")
                : number(number);
    }

    private static ValueType decimal(SchemaElement leaf, int precision, int scale) {
        boolean stored = switch (leaf.getType()) {
            case INT32, INT64, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> true;
            case BOOLEAN, INT96, FLOAT, DOUBLE -> false;
        };
        boolean fits = stored && precision >= 1 && precision <= LogicalText.MOST_DIGITS;
        return fits && scale >= 0 && scale <= precision
                ? text(LogicalText.decimal(leaf.getType(), scale), DECIMAL, scale)
                : misplaced(leaf, "DECIMAL of " + precision + " digits, " + scale + " of them behind the point,");
    }

    private static ValueType date(SchemaElement leaf) {
        return leaf.getType() == Type.INT32 ? text(LogicalText.date(), DATE, 0) : misplaced(leaf, "DATE");
    }

    private static ValueType time(SchemaElement leaf, @Nullable Long nanos) {
        return nanos != null && leaf.getType() == (nanos == 1_000_000 ? Type.INT32 : Type.INT64)
                ? text(LogicalText.time(nanos), TIME, nanos)
                : misplaced(leaf, "TIME");
    }

    private static ValueType timestamp(SchemaElement leaf, @Nullable Long nanos, boolean utc) {
        return nanos != null && leaf.getType() == Type.INT64
                ? text(LogicalText.timestamp(nanos, utc), utc ? TIMESTAMP : LOCAL_TIMESTAMP, nanos)
                : misplaced(leaf, "TIMESTAMP");
    }

    private static ValueType text(LogicalText text, String name, long unit) {
        return new ValueType(Form.TEXT, null, text, name, unit);
    }

    private static ValueType number(ElementType type) {
        return new ValueType(Form.NUMBER, type, null, type.toString());
    }

    private static ValueType bytes(SchemaElement leaf, String name) {
        boolean fits = leaf.getType() == Type.BYTE_ARRAY || leaf.getType() == Type.FIXED_LEN_BYTE_ARRAY;
        return fits ? new ValueType(Form.BYTES, null, null, name) : misplaced(leaf, name);
    }

    private static ValueType fixed(SchemaElement leaf, int size, ValueType type) {
        return leaf.getType() == Type.FIXED_LEN_BYTE_ARRAY && leaf.getType_length() == size
                ? type
                : misplaced(leaf, type.name());
    }

    private static ValueType misplaced(SchemaElement leaf, String logical) {
        return refused(logical + " stored as " + leaf.getType());
    }

    /// Values that cannot be given.
    static ValueType refused(String name) {
        return new ValueType(Form.REFUSED, null, null, name);
    }

    /// What can be done about values that are refused.
    String remedy() {
        return name.equals("INT96") || name.startsWith("TIME")
                ? "write it as a timestamp of 64 bits, as an int64, or as text"
                : "write it as numbers, bytes or text";
    }
}
