package org.jspdl.device.dlpack;

import org.jspdl.memory.ElementType;

/// DLPack's codes for element types and devices.
final class Codes {
    static final int CPU = 1;
    static final int CUDA = 2;
    static final int CUDA_HOST = 3;
    static final int CUDA_MANAGED = 13;

    private static final int INT = 0;
    private static final int UINT = 1;
    private static final int FLOAT = 2;
    private static final int BFLOAT = 4;
    private static final int COMPLEX = 5;
    private static final int BOOL = 6;
    private static final int FLOAT8_E4M3FN = 10;
    private static final int FLOAT8_E5M2 = 12;

    private Codes() {}

    /// `DLDataTypeCode` of a type.
    static int of(ElementType type) {
        return switch (type) {
            case BOOL -> BOOL;
            case INT8, INT16, INT32, INT64 -> INT;
            case UINT8, UINT16, UINT32, UINT64 -> UINT;
            case FLOAT16, FLOAT32, FLOAT64 -> FLOAT;
            case BFLOAT16 -> BFLOAT;
            case COMPLEX64, COMPLEX128 -> COMPLEX;
            case FLOAT8_E4M3 -> FLOAT8_E4M3FN;
            case FLOAT8_E5M2 -> FLOAT8_E5M2;
        };
    }

    /// The type of a code and its bits.
    ///
    /// @throws IllegalArgumentException if we have no such type
    static ElementType type(int code, int bits) {
        for (ElementType type : ElementType.values()) {
            if (of(type) == code && type.byteSize() * 8 == bits) {
                return type;
            }
        }
        throw new IllegalArgumentException(
                "a DLPack tensor of type code " + code + " with " + bits + " bits has no counterpart here");
    }
}
