package org.jspdl.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.TensorInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// A tensor as ONNX Runtime sees it: the same memory, no copy. What one side writes, the other reads.
///
/// Closing ends ONNX Runtime's view; no run may use it by then. Belongs to one owner; may be read from any thread.
public final class OnnxView implements AutoCloseable {
    private static final long MOST_BYTES = Integer.MAX_VALUE;

    private final OnnxTensor onnx;
    private final Tensor tensor;
    private final boolean owner;

    private OnnxView(OnnxTensor onnx, Tensor tensor, boolean owner) {
        this.onnx = onnx;
        this.tensor = tensor;
        this.owner = owner;
    }

    /// A view of `tensor`, which stays the caller's and is closed after the view.
    ///
    /// @throws IllegalArgumentException if ONNX Runtime's Java API has no tensors of this type, or of 2 GiB and
    ///     more
    /// @throws IllegalStateException    if the tensor was closed
    public static OnnxView of(Tensor tensor) {
        return new OnnxView(view(tensor), tensor, false);
    }

    /// A view that owns `tensor` from here and closes it with itself; after an exception it is still the caller's.
    ///
    /// @throws IllegalArgumentException if ONNX Runtime's Java API has no tensors of this type, or of 2 GiB and
    ///     more
    /// @throws IllegalStateException    if the tensor was closed
    public static OnnxView own(Tensor tensor) {
        return new OnnxView(view(tensor), tensor, true);
    }

    private static OnnxTensor view(Tensor tensor) {
        var type = ElementTypes.java(tensor.type());
        long byteSize = tensor.segment().byteSize();
        if (byteSize > MOST_BYTES) {
            throw new IllegalArgumentException("the tensor " + tensor.type() + tensor.shape() + " has " + byteSize
                    + " bytes, but ONNX Runtime's Java API takes at most " + MOST_BYTES + "; use smaller batches");
        }
        ByteBuffer elements = tensor.segment().asByteBuffer().order(ByteOrder.nativeOrder());
        if (!elements.isDirect()) {
            throw new IllegalArgumentException("the tensor " + tensor.type() + tensor.shape()
                    + " lies on the Java heap, where it can't be shared; take its memory from a BufferPool");
        }
        try {
            return OnnxTensor.createTensor(
                    OnnxEnvironment.get(), elements, tensor.shape().extents(), type);
        } catch (OrtException refused) {
            throw new OnnxException(
                    "ONNX Runtime takes no tensor " + tensor.type() + tensor.shape() + ": " + refused.getMessage(),
                    refused);
        }
    }

    /// A tensor in memory of `pool` with what `result` holds, which ONNX Runtime allocated itself: a copy, which
    /// the caller owns. `result` stays the caller's.
    ///
    /// @throws IllegalArgumentException if it holds texts, or elements of a type that we don't have
    /// @throws org.jspdl.memory.PoolExhaustedException if the pool has no room for it
    public static Tensor copyOf(OnnxTensor result, BufferPool pool) {
        TensorInfo info = result.getInfo();
        ElementType type = ElementTypes.of(info.onnxType)
                .orElseThrow(() -> new IllegalArgumentException("ONNX Runtime's Java API doesn't give the elements of "
                        + info + "; export the model without it"));
        Tensor tensor = Tensor.allocate(type, Shape.of(info.getShape()), pool);
        tensor.segment().asByteBuffer().put(result.getByteBuffer());
        return tensor;
    }

    /// What ONNX Runtime takes as an input, or as the place for an output. Good until this view is closed, which
    /// closes it.
    public OnnxTensor onnx() {
        return onnx;
    }

    /// The tensor behind it.
    public Tensor tensor() {
        return tensor;
    }

    @Override
    public void close() {
        if (!onnx.isClosed()) {
            onnx.close();
        }
        if (owner) {
            tensor.close();
        }
    }
}
