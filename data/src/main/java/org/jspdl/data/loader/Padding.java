package org.jspdl.data.loader;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.memory.ElementType;

/// What rows that are too short are filled up with.
///
/// @param value    for each missing element
/// @param multiple what the outermost extent is rounded up to
record Padding(double value, int multiple) {
    static final Padding NONE = new Padding(0, 0);

    /// Refuses elements of which none has the value: -100 in bytes without a sign would be 156, and 0.5 in whole
    /// numbers 0.
    ///
    /// @throws IllegalArgumentException if `type` has no such element
    void requireElementOf(ElementType type, String field) {
        boolean has = switch (type) {
            case BOOL -> isWhole(0, 1);
            case UINT8 -> isWhole(0, 0xFF);
            case INT8 -> isWhole(Byte.MIN_VALUE, Byte.MAX_VALUE);
            case UINT16 -> isWhole(0, 0xFFFF);
            case INT16 -> isWhole(Short.MIN_VALUE, Short.MAX_VALUE);
            case UINT32 -> isWhole(0, 0xFFFF_FFFFL);
            case INT32 -> isWhole(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UINT64 -> isWhole(0, 0x1p63);
            case INT64 -> isWhole(-0x1p63, 0x1p63);
            case FLOAT16 -> isWithin(Float.float16ToFloat((short) 0x7BFF));
            case BFLOAT16 -> isWithin(Float.intBitsToFloat(0x7F7F_0000));
            case FLOAT32 -> isWithin(Float.MAX_VALUE);
            default -> true;
        };
        if (!has) {
            throw new IllegalArgumentException(
                    "field '" + field + "' is of " + type + ", which has no " + value + " to fill it up with");
        }
    }

    /// Whether it is a whole number from `least` to `most`; 2^63 itself is none of 64 bits.
    private boolean isWhole(double least, double most) {
        return value == Math.rint(value) && value >= least && value <= most && value < 0x1p63;
    }

    private boolean isWithin(double most) {
        return !Double.isFinite(value) || Math.abs(value) <= most;
    }

    /// Fills whole elements of `type`, which has the value.
    void fill(MemorySegment target, ElementType type) {
        if (value == 0) {
            target.fill((byte) 0);
            return;
        }
        long count = target.byteSize() / type.byteSize();
        switch (type) {
            case UINT8, INT8, BOOL -> target.fill((byte) (long) value);
            case INT16, UINT16 -> fill(target, count, ValueLayout.JAVA_SHORT_UNALIGNED, (short) (long) value);
            case FLOAT16 -> fill(target, count, ValueLayout.JAVA_SHORT_UNALIGNED, Float.floatToFloat16((float) value));
            case BFLOAT16 -> fill(target, count, ValueLayout.JAVA_SHORT_UNALIGNED, nearestBfloat16((float) value));
            case INT32, UINT32 -> {
                for (long i = 0; i < count; i++) {
                    target.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, (int) (long) value);
                }
            }
            case INT64, UINT64 -> {
                for (long i = 0; i < count; i++) {
                    target.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, (long) value);
                }
            }
            case FLOAT32 -> {
                for (long i = 0; i < count; i++) {
                    target.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, (float) value);
                }
            }
            case FLOAT64 -> {
                for (long i = 0; i < count; i++) {
                    target.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i, value);
                }
            }
            default -> throw new IllegalArgumentException(type + " can be padded with 0 only, not with " + value);
        }
    }

    private static short nearestBfloat16(float value) {
        int bits = Float.floatToIntBits(value);
        return (short) (Float.isNaN(value) ? bits >>> 16 : (bits + 0x7FFF + (bits >>> 16 & 1)) >>> 16);
    }

    private static void fill(MemorySegment target, long count, ValueLayout.OfShort layout, short bits) {
        for (long i = 0; i < count; i++) {
            target.setAtIndex(layout, i, bits);
        }
    }
}
