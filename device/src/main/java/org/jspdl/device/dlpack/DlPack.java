package org.jspdl.device.dlpack;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import org.jspdl.device.DeviceTensor;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// Hands tensors to frameworks of the same process, and takes them from there, without a copy: by a pointer to DLPack's
/// `DLManagedTensor`, which Python has in capsules named `dltensor`.
public final class DlPack {
    private static final int MOST_DIMENSIONS = 64;

    private DlPack() {}

    /// A `DLManagedTensor` over `tensor`, which belongs to whoever gets the pointer: calling its deleter, once and
    /// from any thread, closes the tensor.
    public static MemorySegment export(Tensor tensor) {
        return Exports.add(tensor.type(), tensor.shape(), tensor.segment().address(), Codes.CPU, 0, tensor::close);
    }

    /// The same over a tensor on a CUDA device; waits until its elements are there.
    public static MemorySegment export(DeviceTensor tensor) {
        int device = tensor.device().properties().index();
        return Exports.add(tensor.type(), tensor.shape(), tensor.address(), Codes.CUDA, device, tensor::close);
    }

    /// How many exported tensors were not deleted yet.
    public static int exported() {
        return Exports.count();
    }

    /// The tensor of a `DLManagedTensor` in host memory, which belongs to the result from here: closing that calls
    /// the deleter. After an exception it is still the caller's.
    ///
    /// Memory of the tensor is aligned as its maker chose. Capsules must be renamed to `used_dltensor` by the
    /// caller.
    ///
    /// @throws IllegalArgumentException if it lies on a device, is not row-major and contiguous, or is malformed
    @SuppressWarnings("restricted")
    public static Tensor take(MemorySegment pointer) {
        MemorySegment managed = Managed.at(pointer);
        int device = managed.get(JAVA_INT, Managed.DEVICE_TYPE);
        if (device != Codes.CPU && device != Codes.CUDA_HOST && device != Codes.CUDA_MANAGED) {
            throw new IllegalArgumentException(
                    "the DLPack tensor lies on a device of type " + device + "; copy it to the host first");
        }
        int lanes = managed.get(JAVA_SHORT, Managed.LANES);
        if (lanes != 1) {
            throw new IllegalArgumentException("the DLPack tensor has vectors of " + lanes + " lanes as elements");
        }
        ElementType type = Codes.type(
                managed.get(JAVA_BYTE, Managed.CODE), Byte.toUnsignedInt(managed.get(JAVA_BYTE, Managed.BITS)));
        Shape shape = shape(managed);
        requireContiguous(managed, shape);
        long data = managed.get(Managed.POINTER, Managed.DATA).address();
        long byteSize = Tensor.byteSize(type, shape);
        if (data == 0 && byteSize > 0) {
            throw new IllegalArgumentException("the DLPack tensor of shape " + shape + " has no data");
        }
        MemorySegment elements = MemorySegment.ofAddress(data + managed.get(JAVA_LONG, Managed.BYTE_OFFSET))
                .reinterpret(byteSize);
        return Tensor.over(type, shape, Lease.adopt(elements, () -> Exports.delete(managed)));
    }

    private static Shape shape(MemorySegment managed) {
        int rank = managed.get(JAVA_INT, Managed.RANK);
        if (rank < 0 || rank > MOST_DIMENSIONS) {
            throw new IllegalArgumentException("the DLPack tensor has " + rank + " dimensions");
        }
        return Shape.of(longs(managed, Managed.SHAPE, rank));
    }

    @SuppressWarnings("restricted")
    private static long[] longs(MemorySegment managed, long field, int count) {
        MemorySegment pointer = managed.get(Managed.POINTER, field);
        if (pointer.address() == 0 && count > 0) {
            throw new IllegalArgumentException("the DLPack tensor has " + count + " dimensions but no shape");
        }
        return pointer.reinterpret((long) count * Long.BYTES).toArray(JAVA_LONG);
    }

    /// Strides are NULL for what is row-major; those of dimensions with one extent mean nothing.
    private static void requireContiguous(MemorySegment managed, Shape shape) {
        if (managed.get(Managed.POINTER, Managed.STRIDES).address() == 0 || shape.elements() == 0) {
            return;
        }
        long[] strides = longs(managed, Managed.STRIDES, shape.rank());
        long expected = 1;
        for (int dimension = shape.rank() - 1; dimension >= 0; dimension--) {
            if (shape.extent(dimension) != 1 && strides[dimension] != expected) {
                throw new IllegalArgumentException("the DLPack tensor of shape " + shape
                        + " is not row-major and contiguous: make it so first (in NumPy: ascontiguousarray)");
            }
            expected *= shape.extent(dimension);
        }
    }
}
