package org.jspdl.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// Our tensors as DJL's arrays, and the other way, over the same memory where the engine allows.
///
/// DJL's PyTorch engine shares memory on the processor: what one side writes, the other reads. On a GPU, and in other
/// engines, the array is a copy.
public final class DjlArrays {
    private static final long MOST_BYTES = Integer.MAX_VALUE;

    private DjlArrays() {}

    /// An array of `manager` over the elements of `tensor`, which stays the caller's, and is closed after the last
    /// use of the array and of what shares memory with it, such as slices.
    ///
    /// @throws IllegalArgumentException if DJL takes no tensors of this type, or of 2 GiB and more, or on the Java
    ///     heap
    /// @throws IllegalStateException    if the tensor was closed
    public static NDArray view(Tensor tensor, NDManager manager) {
        DataType type = DjlTypes.djl(tensor.type());
        long byteSize = tensor.segment().byteSize();
        if (byteSize > MOST_BYTES) {
            throw new IllegalArgumentException("the tensor " + tensor.type() + tensor.shape() + " has " + byteSize
                    + " bytes, but DJL takes at most " + MOST_BYTES + "; use smaller batches");
        }
        ByteBuffer elements = tensor.segment().asByteBuffer().order(ByteOrder.nativeOrder());
        if (!elements.isDirect()) {
            throw new IllegalArgumentException("the tensor " + tensor.type() + tensor.shape()
                    + " lies on the Java heap, where it can't be shared; take its memory from a BufferPool");
        }
        return manager.create(
                elements, new ai.djl.ndarray.types.Shape(tensor.shape().extents()), type);
    }

    /// A tensor over the elements of `array`, which belongs to the tensor from here: closing that closes the array.
    /// The manager of the array stays open until then. After an exception the array is still the caller's.
    ///
    /// An array whose elements do not lie row by row, such as a transposed one, is laid out so first, by the
    /// engine.
    ///
    /// @throws IllegalArgumentException if the engine gives no access to its memory, or we have no such type
    public static Tensor take(NDArray array) {
        ElementType type = DjlTypes.ours(array.getDataType());
        ByteBuffer elements = array.toByteBuffer(true);
        if (!elements.isDirect()) {
            throw new IllegalArgumentException(
                    "the engine " + array.getManager().getEngine().getEngineName() + " only copies its arrays; copy "
                            + array.getShape() + " into a tensor of a pool instead");
        }
        return Tensor.over(
                type,
                Shape.of(array.getShape().getShape()),
                Lease.adopt(MemorySegment.ofBuffer(elements), array::close));
    }
}
