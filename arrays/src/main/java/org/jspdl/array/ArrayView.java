package org.jspdl.array;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.jspdl.archive.internal.MappedFile;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// Elements of one type in one shape over bytes that somebody else owns, as they lie in a file.
///
/// A view copies nothing and is valid as long as its bytes are. It may be in either byte order and, from Fortran
/// files, column-major; [#isPlain] tells whether the bytes are those of a tensor. Where the file is mapped and becomes
/// shorter, copying throws an [UncheckedIOException]. Immutable and safe for any thread.
public final class ArrayView {
    private final ElementType type;
    private final Shape shape;
    private final MemorySegment segment;
    private final ByteOrder byteOrder;
    private final MemoryOrder memoryOrder;
    /// What the bytes are a part of.
    private final MappedFile file;

    private ArrayView(
            ElementType type,
            Shape shape,
            MemorySegment segment,
            ByteOrder byteOrder,
            MemoryOrder memoryOrder,
            MappedFile file) {
        this.type = type;
        this.shape = shape;
        this.segment = segment;
        this.byteOrder = byteOrder;
        this.memoryOrder = memoryOrder;
        this.file = file;
    }

    /// A row-major view in the machine's byte order of the first bytes of `bytes`.
    ///
    /// @throws IllegalArgumentException if they are fewer than the elements need
    public static ArrayView of(ElementType type, Shape shape, MemorySegment bytes) {
        return of(type, shape, bytes, ByteOrder.nativeOrder(), MemoryOrder.ROW_MAJOR);
    }

    /// The elements of a tensor, valid until it is closed.
    public static ArrayView of(Tensor tensor) {
        return of(tensor.type(), tensor.shape(), tensor.segment());
    }

    /// A view of the first bytes of `bytes`.
    ///
    /// @throws IllegalArgumentException if they are fewer than the elements need
    public static ArrayView of(
            ElementType type, Shape shape, MemorySegment bytes, ByteOrder byteOrder, MemoryOrder memoryOrder) {
        long needed = Tensor.byteSize(type, shape);
        if (bytes.byteSize() < needed) {
            throw new IllegalArgumentException(
                    type + " " + shape + " needs " + needed + " bytes but there are " + bytes.byteSize());
        }
        return new ArrayView(
                type,
                shape,
                bytes.byteSize() == needed ? bytes : bytes.asSlice(0, needed),
                type.byteSize() == 1 ? ByteOrder.nativeOrder() : byteOrder,
                shape.rank() < 2 ? MemoryOrder.ROW_MAJOR : memoryOrder,
                MappedFile.borrowed(bytes));
    }

    /// The same view, of a part of `whole`.
    ArrayView of(MappedFile whole) {
        return new ArrayView(type, shape, segment, byteOrder, memoryOrder, whole);
    }

    /// The type of every element.
    public ElementType type() {
        return type;
    }

    /// The extents, outermost first, whatever the order in memory.
    public Shape shape() {
        return shape;
    }

    /// The bytes of all elements as they lie in the file; read-only where the file's are.
    public MemorySegment segment() {
        return segment;
    }

    /// The order of the bytes of an element; the machine's where an element is one byte.
    public ByteOrder byteOrder() {
        return byteOrder;
    }

    /// Which index runs fastest; row-major where there are fewer than two.
    public MemoryOrder memoryOrder() {
        return memoryOrder;
    }

    /// The bytes of all elements.
    public long byteSize() {
        return segment.byteSize();
    }

    /// Whether [#segment] is what a tensor has: row-major and in the machine's byte order.
    public boolean isPlain() {
        return memoryOrder == MemoryOrder.ROW_MAJOR && byteOrder == ByteOrder.nativeOrder();
    }

    /// Row `index` of the outermost dimension: a view.
    ///
    /// @throws IllegalStateException if the array is column-major, so that its rows are scattered, or a scalar
    public ArrayView row(long index) {
        Shape row = shape.row();
        if (memoryOrder == MemoryOrder.COLUMN_MAJOR) {
            throw new IllegalStateException("the rows of a column-major array are scattered; copy it first");
        }
        if (index < 0 || index >= shape.extent(0)) {
            throw new IndexOutOfBoundsException("row " + index + " of shape " + shape);
        }
        long rowBytes = Tensor.byteSize(type, row);
        return new ArrayView(type, row, segment.asSlice(index * rowBytes, rowBytes), byteOrder, memoryOrder, file);
    }

    /// Copies the elements, row-major and in the machine's byte order, to the start of `target`.
    ///
    /// @throws IndexOutOfBoundsException if it is too small
    /// @throws UncheckedIOException if it lies in a mapped file, which became shorter
    public void copyTo(MemorySegment target) {
        MemorySegment plain = target.asSlice(0, byteSize());
        file.read(() -> {
            if (memoryOrder == MemoryOrder.COLUMN_MAJOR) {
                Reordering.toRowMajor(segment, shape, type.byteSize(), plain);
            } else {
                MemorySegment.copy(segment, 0, plain, 0, byteSize());
            }
            return plain;
        });
        if (byteOrder != ByteOrder.nativeOrder()) {
            Reordering.swapBytes(plain, numberBytes(type));
        }
    }

    /// A copy in memory from `pool`, owned by the caller.
    public Tensor toTensor(BufferPool pool) {
        Tensor copy = Tensor.allocate(type, shape, pool);
        try {
            copyTo(copy.segment());
            return copy;
        } catch (RuntimeException | Error failure) {
            copy.close();
            throw failure;
        }
    }

    /// The bytes of what has a byte order: a whole element, or one part of a complex one.
    static int numberBytes(ElementType type) {
        return switch (type) {
            case COMPLEX64, COMPLEX128 -> type.byteSize() / 2;
            default -> type.byteSize();
        };
    }

    @Override
    public String toString() {
        return "ArrayView[" + type + " " + shape
                + (byteOrder == ByteOrder.nativeOrder() ? "" : ", " + byteOrder)
                + (memoryOrder == MemoryOrder.ROW_MAJOR ? "]" : ", column-major]");
    }
}
