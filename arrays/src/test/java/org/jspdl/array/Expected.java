package org.jspdl.array;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspdl.fixtures.Bytes;
import org.jspdl.memory.ElementType;

/// What the arrays of resources/npy hold, by the formula of make.py, in the machine's byte order.
final class Expected {
    private Expected() {}

    static byte[] elements(ElementType type, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count * type.byteSize()).order(ByteOrder.nativeOrder());
        for (int k = 0; k < count; k++) {
            int value = (37 * k + 11) % 101;
            switch (type) {
                case BOOL -> bytes.put((byte) (value % 2));
                case UINT8, INT8 -> bytes.put((byte) value);
                case UINT16, INT16 -> bytes.putShort((short) value);
                case UINT32, INT32 -> bytes.putInt(value);
                case UINT64, INT64 -> bytes.putLong(value);
                case FLOAT16 -> bytes.putShort(Float.floatToFloat16(value));
                case FLOAT32 -> bytes.putFloat(value);
                case FLOAT64 -> bytes.putDouble(value);
                case COMPLEX64 -> bytes.putFloat(value).putFloat(value + 1);
                case COMPLEX128 -> bytes.putDouble(value).putDouble(value + 1);
                default -> throw new IllegalArgumentException("NumPy has no " + type);
            }
        }
        return bytes.array();
    }

    static byte[] copyOf(ArrayView view) {
        java.lang.foreign.MemorySegment copy =
                java.lang.foreign.MemorySegment.ofArray(new byte[Math.toIntExact(view.byteSize())]);
        view.copyTo(copy);
        return Bytes.of(copy);
    }
}
