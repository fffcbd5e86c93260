package org.jspdl.memory;

/// What one element of a tensor is.
public enum ElementType {
    /// True or false in one byte: 1 or 0.
    BOOL(1),
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
    /// Unsigned, 32 bits.
    UINT32(4),
    /// Signed, 64 bits.
    INT64(8),
    /// Unsigned, 64 bits.
    UINT64(8),
    /// 8 bits: 4 of exponent, 3 of mantissa, no infinities.
    FLOAT8_E4M3(1),
    /// 8 bits: 5 of exponent, 2 of mantissa.
    FLOAT8_E5M2(1),
    /// IEEE 754 half precision.
    FLOAT16(2),
    /// The upper half of a single-precision number.
    BFLOAT16(2),
    /// IEEE 754 single precision.
    FLOAT32(4),
    /// IEEE 754 double precision.
    FLOAT64(8),
    /// Two single-precision numbers: the real part, then the imaginary one.
    COMPLEX64(8),
    /// Two double-precision numbers: the real part, then the imaginary one.
    COMPLEX128(16);

    private final int byteSize;

    ElementType(int byteSize) {
        this.byteSize = byteSize;
    }

    /// Bytes of one element.
    public int byteSize() {
        return byteSize;
    }
}
