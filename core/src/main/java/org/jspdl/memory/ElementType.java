package org.jspdl.memory;

/// What one element of a tensor is.
public enum ElementType {
    /// Unsigned, 8 bits.
    UINT8(1),
    /// Signed, 8 bits.
    INT8(1),
    /// Signed, 16 bits.
    INT16(2),
    /// Unsigned, 16 bits.
    UINT16(2),
    /// Signed, 32 bits.
    INT32(4),
    /// Signed, 64 bits.
    INT64(8),
    /// IEEE 754 half precision.
    FLOAT16(2),
    /// The upper half of a single-precision number.
    BFLOAT16(2),
    /// IEEE 754 single precision.
    FLOAT32(4),
    /// IEEE 754 double precision.
    FLOAT64(8);

    private final int byteSize;

    ElementType(int byteSize) {
        this.byteSize = byteSize;
    }

    /// Bytes of one element.
    public int byteSize() {
        return byteSize;
    }
}
