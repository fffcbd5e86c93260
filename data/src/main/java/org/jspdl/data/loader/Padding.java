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

    /// Fills whole elements of `type`.
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
            case BFLOAT16 ->
                fill(target, count, ValueLayout.JAVA_SHORT_UNALIGNED, (short)
                        (Float.floatToRawIntBits((float) value) >>> 16));
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

    private static void fill(MemorySegment target, long count, ValueLayout.OfShort layout, short bits) {
        for (long i = 0; i < count; i++) {
            target.setAtIndex(layout, i, bits);
        }
    }
}
