package org.jspdl.data.loader;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// The values of one field, as rows of a tensor to be.
///
/// @param values  one for each sample
/// @param row     the shape that holds each of them
record Rows(String field, List<Value> values, ElementType type, Shape row, Padding padding) {

    /// A value as elements in memory.
    record Value(ElementType type, Shape shape, MemorySegment elements) {}

    static Rows of(String field, List<?> values, Padding padding) {
        List<Value> all = new java.util.ArrayList<>(values.size());
        long[] extents = {};
        for (Object each : values) {
            Value value = value(each);
            if (value == null) {
                throw new IllegalArgumentException("field '" + field + "' of sample " + all.size() + " is a "
                        + each.getClass().getName() + ", which can't be a tensor; use list(..)");
            }
            Value first = all.isEmpty() ? value : all.getFirst();
            boolean fits = value.type == first.type
                    && (padding == Padding.NONE
                            ? value.shape.equals(first.shape)
                            : value.shape.rank() == first.shape.rank());
            if (!fits) {
                throw new IllegalArgumentException("field '" + field + "': sample 0 is " + first.type + first.shape
                        + " but sample " + all.size() + " is " + value.type + value.shape
                        + (padding == Padding.NONE ? "; pad(..) fills up different extents" : ""));
            }
            extents = all.isEmpty() ? value.shape.extents() : largest(extents, value.shape);
            all.add(value);
        }
        if (all.isEmpty()) {
            throw new IllegalArgumentException("there are no samples to collate");
        }
        if (padding != Padding.NONE) {
            padding.requireElementOf(all.getFirst().type, field);
        }
        if (padding != Padding.NONE && extents.length > 0) {
            extents[0] = Math.multiplyExact(Math.ceilDiv(extents[0], padding.multiple()), (long) padding.multiple());
        }
        return new Rows(field, all, all.getFirst().type, Shape.of(extents), padding);
    }

    private static long[] largest(long[] extents, Shape shape) {
        for (int i = 0; i < extents.length; i++) {
            extents[i] = Math.max(extents[i], shape.extent(i));
        }
        return extents;
    }

    /// The outermost extent of each value before padding.
    long[] lengths() {
        return values.stream()
                .mapToLong(value -> value.shape.rank() == 0 ? 1 : value.shape.extent(0))
                .toArray();
    }

    /// The bytes of all rows.
    long byteSize() {
        return Tensor.byteSize(type, row.batched(values.size()));
    }

    /// All rows in one tensor, owned by the caller.
    Tensor write(BufferPool pool) {
        Tensor tensor = Tensor.allocate(type, row.batched(values.size()), pool);
        try {
            for (int i = 0; i < values.size(); i++) {
                write(values.get(i), tensor.row(i));
            }
            return tensor;
        } catch (Throwable failure) {
            tensor.close();
            throw failure;
        }
    }

    private void write(Value value, MemorySegment target) {
        if (value.shape.equals(row)) {
            target.copyFrom(value.elements);
        } else if (row.rank() == 1) {
            target.copyFrom(value.elements);
            padding.fill(target.asSlice(value.elements.byteSize()), type);
        } else {
            padding.fill(target, type);
            copy(value.elements, value.shape, 0, target, row, type.byteSize());
        }
    }

    /// Copies the smaller block into the corner of the larger one, in the runs that are contiguous in both.
    private static void copy(
            MemorySegment from, Shape small, int dimension, MemorySegment to, Shape large, int elementBytes) {
        if (small.elements() == 0) {
            return;
        }
        if (dimension == small.rank() - 1) {
            to.asSlice(0, small.extent(dimension) * elementBytes).copyFrom(from);
            return;
        }
        long step = stride(small, dimension) * elementBytes;
        long wider = stride(large, dimension) * elementBytes;
        for (long i = 0; i < small.extent(dimension); i++) {
            copy(from.asSlice(i * step, step), small, dimension + 1, to.asSlice(i * wider, wider), large, elementBytes);
        }
    }

    private static long stride(Shape shape, int dimension) {
        long stride = 1;
        for (int i = dimension + 1; i < shape.rank(); i++) {
            stride *= shape.extent(i);
        }
        return stride;
    }

    static boolean isTensor(Class<?> type) {
        return type == Tensor.class
                || (type.isArray()
                        && type.getComponentType().isPrimitive()
                        && type != char[].class
                        && type != boolean[].class)
                || (type.isPrimitive() && type != char.class)
                || Number.class.isAssignableFrom(type)
                || type == Boolean.class;
    }

    /// The elements of a tensor, an array or a number; null if it is none of them.
    private static @Nullable Value value(Object value) {
        return switch (value) {
            case Tensor tensor ->
                new Value(
                        tensor.type(),
                        tensor.shape(),
                        tensor.segment().asSlice(0, Tensor.byteSize(tensor.type(), tensor.shape())));
            case byte[] array -> of(ElementType.UINT8, array.length, MemorySegment.ofArray(array));
            case short[] array -> of(ElementType.INT16, array.length, MemorySegment.ofArray(array));
            case int[] array -> of(ElementType.INT32, array.length, MemorySegment.ofArray(array));
            case long[] array -> of(ElementType.INT64, array.length, MemorySegment.ofArray(array));
            case float[] array -> of(ElementType.FLOAT32, array.length, MemorySegment.ofArray(array));
            case double[] array -> of(ElementType.FLOAT64, array.length, MemorySegment.ofArray(array));
            case Boolean truth -> scalar(ElementType.BOOL, MemorySegment.ofArray(new byte[] {(byte) (truth ? 1 : 0)}));
            case Byte number -> scalar(ElementType.INT8, MemorySegment.ofArray(new byte[] {number}));
            case Short number -> scalar(ElementType.INT16, MemorySegment.ofArray(new short[] {number}));
            case Integer number -> scalar(ElementType.INT32, MemorySegment.ofArray(new int[] {number}));
            case Long number -> scalar(ElementType.INT64, MemorySegment.ofArray(new long[] {number}));
            case Float number -> scalar(ElementType.FLOAT32, MemorySegment.ofArray(new float[] {number}));
            case Double number -> scalar(ElementType.FLOAT64, MemorySegment.ofArray(new double[] {number}));
            default -> null;
        };
    }

    private static Value of(ElementType type, long length, MemorySegment elements) {
        return new Value(type, Shape.of(length), elements);
    }

    private static Value scalar(ElementType type, MemorySegment element) {
        return new Value(type, Shape.of(), element);
    }
}
