package org.jspdl.spark;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.regex.Pattern;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspecify.annotations.Nullable;

/// What a column has of a sample, as Spark has it inside.
@FunctionalInterface
interface Cell {
    /// The value; null if the sample has none.
    ///
    /// @throws FormatException if the sample has something else
    @Nullable
    Object of(ShardSample sample);

    /// A number that is written out, as other languages than Java have it, too: not `1d` nor `0x1p3`.
    Pattern NUMBER = Pattern.compile("[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?|NaN|[+-]?Infinity");

    /// The value of a field as a column of this type.
    ///
    /// @throws IllegalArgumentException if nothing is read as such a column
    static Cell of(StructField column) {
        String name = column.name();
        Cell value = switch (column.dataType()) {
            case BinaryType _ -> sample -> bytes(sample, name);
            case StringType _ -> sample -> text(sample, name);
            case LongType _ -> sample -> sample.number(name);
            case IntegerType _ -> sample -> (int) within(sample, name, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case ShortType _ -> sample -> (short) within(sample, name, Short.MIN_VALUE, Short.MAX_VALUE);
            case ByteType _ -> sample -> (byte) within(sample, name, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case BooleanType _ -> sample -> within(sample, name, 0, 1) == 1;
            case FloatType _ -> sample -> single(sample, name);
            case DoubleType _ -> sample -> decimal(sample, name);
            case StructType type when isTensor(type) -> sample -> Tensors.internal(sample.array(name));
            case DataType other ->
                throw new IllegalArgumentException("the column '" + name + "' cannot be read as "
                        + other.simpleString()
                        + "; there are binary, string, numbers, boolean, and tensors (Tensors.TYPE)");
        };
        return sample -> sample.has(name) ? value.of(sample) : null;
    }

    /// Whether a column of this type holds [tensors][Tensors#TYPE].
    static boolean isTensor(StructType type) {
        return type.length() == 3
                && type.fields()[0].dataType() instanceof ArrayType shape
                && shape.elementType() instanceof LongType
                && type.fields()[1].dataType() instanceof StringType
                && type.fields()[2].dataType() instanceof BinaryType;
    }

    private static byte[] bytes(ShardSample sample, String name) {
        if (sample.isArray(name) && sample.array(name).shape().rank() == 0) {
            throw wrong(
                    sample,
                    name,
                    "is a number of " + sample.elementType(name).orElseThrow()
                            + ", no bytes; give a schema with the type of its column");
        }
        MemorySegment bytes = sample.bytes(name);
        if (bytes.byteSize() > Integer.MAX_VALUE - 8) {
            throw wrong(sample, name, "has " + bytes.byteSize() + " bytes, more than a row of Spark holds");
        }
        return bytes.toArray(ValueLayout.JAVA_BYTE);
    }

    private static UTF8String text(ShardSample sample, String name) {
        if (sample.isArray(name)) {
            throw wrong(sample, name, "is no text but " + sample.array(name));
        }
        return UTF8String.fromString(sample.text(name)); // which refuses bytes that are not UTF-8
    }

    private static long within(ShardSample sample, String name, long least, long most) {
        long number = sample.number(name);
        if (number < least || number > most) {
            throw wrong(sample, name, "is " + number + ", but its column holds " + least + " to " + most);
        }
        return number;
    }

    /// The nearest number of single precision; infinite only if the field is.
    private static float single(ShardSample sample, String name) {
        double value = decimal(sample, name);
        float single = (float) value;
        if (Float.isInfinite(single) && !Double.isInfinite(value)) {
            throw wrong(sample, name, "is " + value + ", which a float can't hold; read the column as double");
        }
        return single;
    }

    private static double decimal(ShardSample sample, String name) {
        ElementType type = sample.elementType(name).orElse(null);
        MemorySegment bytes = sample.bytes(name);
        if (type == null) {
            String text = sample.text(name).strip();
            if (!NUMBER.matcher(text).matches()) {
                throw wrong(sample, name, "is no number");
            }
            double value = Double.parseDouble(text);
            if (Double.isInfinite(value) && !text.endsWith("Infinity")) {
                throw wrong(sample, name, "is " + text + ", which a double can't hold");
            }
            return value;
        }
        if (bytes.byteSize() != type.byteSize()) {
            throw wrong(sample, name, "is no number but " + sample.array(name));
        }
        return switch (type) {
            case FLOAT16 -> Float.float16ToFloat(bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0));
            case BFLOAT16 -> Float.intBitsToFloat(bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0) << 16);
            case FLOAT32 -> bytes.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0);
            case FLOAT64 -> bytes.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0);
            default -> sample.number(name);
        };
    }

    private static FormatException wrong(ShardSample sample, String name, String reason) {
        return FormatException.because(
                        "sample " + sample.index() + " ('" + sample.key() + "'): the field '" + name + "' " + reason)
                .withSource(sample.shard());
    }
}
