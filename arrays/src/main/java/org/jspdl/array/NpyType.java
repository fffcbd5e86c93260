package org.jspdl.array;

import java.nio.ByteOrder;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspecify.annotations.Nullable;

/// NumPy's names of element types: byte order, kind and bytes, such as `<f4`.
final class NpyType {
    private NpyType() {}

    /// The element type of kind `kind` with `bytes` bytes; null if there is none.
    static @Nullable ElementType of(int kind, long bytes) {
        if (bytes < 1 || bytes > 16) {
            return null;
        }
        return switch (kind << 8 | (int) bytes) {
            case 'b' << 8 | 1 -> ElementType.BOOL;
            case 'u' << 8 | 1 -> ElementType.UINT8;
            case 'i' << 8 | 1 -> ElementType.INT8;
            case 'u' << 8 | 2 -> ElementType.UINT16;
            case 'i' << 8 | 2 -> ElementType.INT16;
            case 'u' << 8 | 4 -> ElementType.UINT32;
            case 'i' << 8 | 4 -> ElementType.INT32;
            case 'u' << 8 | 8 -> ElementType.UINT64;
            case 'i' << 8 | 8 -> ElementType.INT64;
            case 'f' << 8 | 2 -> ElementType.FLOAT16;
            case 'f' << 8 | 4 -> ElementType.FLOAT32;
            case 'f' << 8 | 8 -> ElementType.FLOAT64;
            case 'c' << 8 | 8 -> ElementType.COMPLEX64;
            case 'c' << 8 | 16 -> ElementType.COMPLEX128;
            default -> null;
        };
    }

    /// What to say about a type that cannot be read.
    static FormatException unsupported(String descr) {
        String kind = switch (descr.isEmpty() ? ' ' : descr.charAt(Math.min(1, descr.length() - 1))) {
            case 'O' -> "Python objects, which only Python can unpickle";
            case 'S', 'a' -> "byte strings";
            case 'U' -> "strings";
            case 'M', 'm' -> "dates or durations; save them as int64";
            case 'V' -> "raw or structured elements; save each field as an array of its own";
            case 'f', 'c' -> "floating-point numbers of a size that only some machines have; save them as float64";
            default -> "of no type that NumPy has";
        };
        return FormatException.because("NPY: the elements, '" + descr + "', are " + kind);
    }

    /// The name under which elements of `type` are written here.
    ///
    /// @throws IllegalArgumentException if NumPy has no such type
    static String nameOf(ElementType type) {
        char order = type.byteSize() == 1 ? '|' : ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? '<' : '>';
        char kind = switch (type) {
            case BOOL -> 'b';
            case UINT8, UINT16, UINT32, UINT64 -> 'u';
            case INT8, INT16, INT32, INT64 -> 'i';
            case FLOAT16, FLOAT32, FLOAT64 -> 'f';
            case COMPLEX64, COMPLEX128 -> 'c';
            case BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 ->
                throw new IllegalArgumentException(
                        "NPY has no " + type + "; convert to FLOAT32, or view the bytes as UINT" + 8 * type.byteSize());
        };
        return "" + order + kind + type.byteSize();
    }
}
