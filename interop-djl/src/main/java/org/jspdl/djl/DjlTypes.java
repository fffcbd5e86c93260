package org.jspdl.djl;

import ai.djl.ndarray.types.DataType;
import org.jspdl.memory.ElementType;

/// Which of our element types is which of DJL's: those that its PyTorch engine exchanges. For any other, such as INT16
/// or BFLOAT16, that engine ends the process.
final class DjlTypes {
    private DjlTypes() {}

    static DataType djl(ElementType type) {
        return switch (type) {
            case BOOL -> DataType.BOOLEAN;
            case UINT8 -> DataType.UINT8;
            case INT8 -> DataType.INT8;
            case INT32 -> DataType.INT32;
            case INT64 -> DataType.INT64;
            case FLOAT16 -> DataType.FLOAT16;
            case FLOAT32 -> DataType.FLOAT32;
            case FLOAT64 -> DataType.FLOAT64;
            case INT16, UINT16, UINT32, UINT64, FLOAT8_E4M3, FLOAT8_E5M2, BFLOAT16, COMPLEX64, COMPLEX128 ->
                throw new IllegalArgumentException("DJL's PyTorch engine takes no tensors of " + type
                        + "; convert to a type it takes, such as INT64 or FLOAT32");
        };
    }

    static ElementType ours(DataType type) {
        return switch (type) {
            case BOOLEAN -> ElementType.BOOL;
            case UINT8 -> ElementType.UINT8;
            case INT8 -> ElementType.INT8;
            case INT32 -> ElementType.INT32;
            case INT64 -> ElementType.INT64;
            case FLOAT16 -> ElementType.FLOAT16;
            case FLOAT32 -> ElementType.FLOAT32;
            case FLOAT64 -> ElementType.FLOAT64;
            // The rest is DJL's list, which grows.
            default -> throw new IllegalArgumentException("DJL's arrays of " + type + " can't be taken as tensors");
        };
    }
}
