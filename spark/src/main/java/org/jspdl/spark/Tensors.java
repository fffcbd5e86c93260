package org.jspdl.spark;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspecify.annotations.Nullable;

/// Tensors as values of columns: a structure of shape, type and data, and what turns it into something else.
///
/// `shape` has the extents, outermost first; `type` is the name of an [ElementType] in lower case, such as `uint8`;
/// `data` has the elements in row-major order, little-endian.
public final class Tensors {
    /// The type of such a column.
    public static final StructType TYPE = new StructType()
            .add("shape", DataTypes.createArrayType(DataTypes.LongType, false), false)
            .add("type", DataTypes.StringType, false)
            .add("data", DataTypes.BinaryType, false);

    private Tensors() {}

    /// Gives a session the functions for SQL: `jspdl_floats(tensor)` is an array of its elements as `float`,
    /// `jspdl_npy(tensor)` an NPY file, and `jspdl_tensor(npy)` the tensor of such a file. Null gives null.
    public static void register(SparkSession session) {
        session.udf()
                .register(
                        "jspdl_floats",
                        (UDF1<@Nullable Row, float @Nullable []>) tensor -> tensor == null ? null : floats(tensor),
                        DataTypes.createArrayType(DataTypes.FloatType, false));
        session.udf()
                .register(
                        "jspdl_npy",
                        (UDF1<@Nullable Row, byte @Nullable []>) tensor -> tensor == null ? null : npy(tensor),
                        DataTypes.BinaryType);
        session.udf()
                .register(
                        "jspdl_tensor",
                        (UDF1<byte @Nullable [], @Nullable Row>) file -> file == null ? null : ofNpy(file),
                        TYPE);
    }

    /// The array that a value of such a column holds; valid as long as the value.
    ///
    /// @throws IllegalArgumentException if it is none: the data have another size than shape and type say
    public static ArrayView view(Row tensor) {
        List<Long> extents = tensor.getList(tensor.fieldIndex("shape"));
        String type = tensor.getString(tensor.fieldIndex("type"));
        byte[] data = tensor.getAs("data");
        return view(extents.stream().mapToLong(Long::longValue).toArray(), type, data);
    }

    /// The array of a value as Spark has it inside; valid as long as the value.
    static ArrayView view(InternalRow tensor) {
        return view(tensor.getArray(0).toLongArray(), tensor.getUTF8String(1).toString(), tensor.getBinary(2));
    }

    private static ArrayView view(long[] extents, String name, byte[] data) {
        ElementType type = type(name);
        Shape shape = Shape.of(extents);
        if (Math.multiplyExact(shape.elements(), (long) type.byteSize()) != data.length) {
            throw new IllegalArgumentException("a tensor of shape " + shape + " and type " + name + " has "
                    + shape.elements() * type.byteSize() + " bytes, but the data are " + data.length);
        }
        return ArrayView.of(type, shape, MemorySegment.ofArray(data));
    }

    private static ElementType type(String name) {
        for (ElementType type : ElementType.values()) {
            if (name(type).equals(name)) {
                return type;
            }
        }
        throw new IllegalArgumentException("there is no type of elements '" + name + "'");
    }

    private static String name(ElementType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    /// The elements as numbers of single precision, in row-major order.
    ///
    /// @throws IllegalArgumentException if they are complex numbers, or floating-point numbers of 8 bits
    public static float[] floats(Row tensor) {
        ArrayView view = view(tensor);
        float[] floats = new float[Math.toIntExact(view.shape().elements())];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = element(view.segment(), view.type(), i);
        }
        return floats;
    }

    private static float element(MemorySegment data, ElementType type, int index) {
        long at = (long) index * type.byteSize();
        return switch (type) {
            case BOOL, UINT8 -> data.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
            case INT8 -> data.get(ValueLayout.JAVA_BYTE, at);
            case INT16 -> data.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
            case UINT16 -> data.get(ValueLayout.JAVA_SHORT_UNALIGNED, at) & 0xFFFF;
            case INT32 -> data.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            case UINT32 -> data.get(ValueLayout.JAVA_INT_UNALIGNED, at) & 0xFFFF_FFFFL;
            case INT64 -> data.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
            case UINT64 -> {
                long bits = data.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
                yield bits >= 0 ? bits : 2f * ((bits >>> 1) | (bits & 1)); // the lost bit still decides how to round
            }
            case FLOAT16 -> Float.float16ToFloat(data.get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
            case BFLOAT16 -> Float.intBitsToFloat(data.get(ValueLayout.JAVA_SHORT_UNALIGNED, at) << 16);
            case FLOAT32 -> data.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
            case FLOAT64 -> (float) data.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
            case FLOAT8_E4M3, FLOAT8_E5M2, COMPLEX64, COMPLEX128 ->
                throw new IllegalArgumentException("elements of type " + name(type) + " are no floats");
        };
    }

    /// The tensor as an NPY file.
    public static byte[] npy(Row tensor) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try {
            Npy.write(Channels.newChannel(file), view(tensor));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return file.toByteArray();
    }

    /// The tensor that an NPY file holds.
    ///
    /// @throws org.jspdl.input.FormatException if it is none
    public static Row ofNpy(byte[] file) {
        ArrayView view = Npy.view(MemorySegment.ofArray(file));
        return RowFactory.create(view.shape().extents(), name(view.type()), plain(view));
    }

    private static byte[] plain(ArrayView view) {
        byte[] data = new byte[Math.toIntExact(view.byteSize())];
        view.copyTo(MemorySegment.ofArray(data));
        return data;
    }

    /// As Spark has it inside.
    static InternalRow internal(ArrayView view) {
        return new GenericInternalRow(new Object[] {
            UnsafeArrayData.fromPrimitiveArray(view.shape().extents()),
            UTF8String.fromString(name(view.type())),
            plain(view)
        });
    }
}
