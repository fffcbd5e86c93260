package org.jspdl.memory;

import java.lang.foreign.MemorySegment;

/// Elements of one type in one shape, row-major and contiguous, over one lease.
///
/// The tensor owns the lease: closing the tensor releases the memory. Rows are views that share it and are never
/// closed. A tensor may be read by many threads; writers keep to disjoint rows or synchronize themselves.
public final class Tensor implements AutoCloseable {
    private final ElementType type;
    private final Shape shape;
    private final Lease lease;
    private final long rowBytes;
    private final boolean owner;

    private Tensor(ElementType type, Shape shape, Lease lease, boolean owner) {
        this.type = type;
        this.shape = shape;
        this.lease = lease;
        this.owner = owner;
        this.rowBytes = shape.rank() == 0 || shape.extent(0) == 0 ? 0 : byteSize(type, shape) / shape.extent(0);
    }

    /// A tensor over `lease`, which it owns from here.
    ///
    /// @throws IllegalArgumentException if the lease is smaller than the elements need
    public static Tensor over(ElementType type, Shape shape, Lease lease) {
        if (lease.byteSize() < byteSize(type, shape)) {
            throw new IllegalArgumentException(type + " " + shape + " needs " + byteSize(type, shape)
                    + " bytes but the lease has " + lease.byteSize());
        }
        return new Tensor(type, shape, lease, true);
    }

    /// A tensor of undefined content in memory from `pool`.
    public static Tensor allocate(ElementType type, Shape shape, BufferPool pool) {
        return new Tensor(type, shape, pool.lease(byteSize(type, shape)), true);
    }

    /// The bytes that `shape` elements of `type` take.
    public static long byteSize(ElementType type, Shape shape) {
        return Math.multiplyExact(shape.elements(), type.byteSize());
    }

    /// The type of every element.
    public ElementType type() {
        return type;
    }

    /// The extents, outermost first.
    public Shape shape() {
        return shape;
    }

    /// All elements, row-major, and nothing else of the lease.
    ///
    /// @throws IllegalStateException if the tensor was closed
    public MemorySegment segment() {
        MemorySegment leased = lease.segment();
        long needed = byteSize(type, shape);
        return leased.byteSize() == needed ? leased : leased.asSlice(0, needed);
    }

    /// The bytes of row `index` of the outermost dimension: a view.
    public MemorySegment row(long index) {
        if (index < 0 || shape.rank() == 0 || index >= shape.extent(0)) {
            throw new IndexOutOfBoundsException("row " + index + " of shape " + shape);
        }
        return lease.segment().asSlice(index * rowBytes, rowBytes);
    }

    /// The same elements for somebody who may read them and whose closing frees nothing. Good until this tensor is
    /// closed.
    public Tensor view() {
        return new Tensor(type, shape, lease, false);
    }

    @Override
    public void close() {
        if (owner) {
            lease.close();
        }
    }

    @Override
    public String toString() {
        return "Tensor[" + type + " " + shape + (lease.isClosed() ? ", closed]" : "]");
    }
}
