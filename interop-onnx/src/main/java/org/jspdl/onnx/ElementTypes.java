package org.jspdl.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.TensorInfo.OnnxTensorType;
import java.util.Optional;
import org.jspdl.memory.ElementType;

/// Which of our element types is which of ONNX Runtime's.
public final class ElementTypes {
    private ElementTypes() {}

    /// The type that tensors over a buffer are made with.
    ///
    /// @throws IllegalArgumentException if ONNX Runtime's Java API has no such tensors
    public static OnnxJavaType java(ElementType type) {
        return switch (type) {
            case BOOL -> OnnxJavaType.BOOL;
            case UINT8 -> OnnxJavaType.UINT8;
            case INT8 -> OnnxJavaType.INT8;
            case INT16 -> OnnxJavaType.INT16;
            case INT32 -> OnnxJavaType.INT32;
            case INT64 -> OnnxJavaType.INT64;
            case FLOAT16 -> OnnxJavaType.FLOAT16;
            case BFLOAT16 -> OnnxJavaType.BFLOAT16;
            case FLOAT32 -> OnnxJavaType.FLOAT;
            case FLOAT64 -> OnnxJavaType.DOUBLE;
            case UINT16, UINT32, UINT64, FLOAT8_E4M3, FLOAT8_E5M2, COMPLEX64, COMPLEX128 ->
                throw new IllegalArgumentException("ONNX Runtime's Java API has no tensors of " + type
                        + "; convert to a type it has, such as INT64 or FLOAT32");
        };
    }

    /// Our type for a tensor of a model; empty for texts and types that the Java API can't exchange.
    public static Optional<ElementType> of(OnnxTensorType type) {
        return Optional.ofNullable(
                switch (type) {
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL -> ElementType.BOOL;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 -> ElementType.UINT8;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 -> ElementType.INT8;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16 -> ElementType.INT16;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 -> ElementType.INT32;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 -> ElementType.INT64;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 -> ElementType.FLOAT16;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 -> ElementType.BFLOAT16;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT -> ElementType.FLOAT32;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE -> ElementType.FLOAT64;
                    // The rest is ONNX Runtime's list, which grows.
                    default -> null;
                });
    }
}
