package org.jspdl.data.plan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import org.jspdl.array.ArrayView;

/// The element of an array that has one and no dimensions.
final class ScalarElement {
    private ScalarElement() {}

    /// A number or a truth value, exactly; the array itself if its elements are neither.
    static Object of(ArrayView scalar) {
        MemorySegment element = MemorySegment.ofArray(new long[2]);
        scalar.copyTo(element);
        return switch (scalar.type()) {
            case BOOL -> element.get(ValueLayout.JAVA_BYTE, 0) != 0;
            case UINT8 -> (long) (element.get(ValueLayout.JAVA_BYTE, 0) & 0xFF);
            case INT8 -> (long) element.get(ValueLayout.JAVA_BYTE, 0);
            case UINT16 -> (long) (element.get(ValueLayout.JAVA_SHORT, 0) & 0xFFFF);
            case INT16 -> (long) element.get(ValueLayout.JAVA_SHORT, 0);
            case UINT32 -> element.get(ValueLayout.JAVA_INT, 0) & 0xFFFF_FFFFL;
            case INT32 -> (long) element.get(ValueLayout.JAVA_INT, 0);
            case UINT64 -> new BigInteger(Long.toUnsignedString(element.get(ValueLayout.JAVA_LONG, 0)));
            case INT64 -> element.get(ValueLayout.JAVA_LONG, 0);
            case FLOAT16 -> (double) Float.float16ToFloat(element.get(ValueLayout.JAVA_SHORT, 0));
            case BFLOAT16 -> (double) Float.intBitsToFloat(element.get(ValueLayout.JAVA_SHORT, 0) << 16);
            case FLOAT32 -> (double) element.get(ValueLayout.JAVA_FLOAT, 0);
            case FLOAT64 -> element.get(ValueLayout.JAVA_DOUBLE, 0);
            default -> scalar;
        };
    }
}
