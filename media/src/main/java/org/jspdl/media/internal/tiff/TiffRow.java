package org.jspdl.media.internal.tiff;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A row of samples as they are stored.
public final class TiffRow {
    private static final int MOST = 65_535;

    private final int bits;
    private final boolean littleEndian;
    private final boolean isFloat;
    private MemorySegment bytes = MemorySegment.NULL;

    TiffRow(TiffLayout layout) {
        bits = layout.bits;
        littleEndian = layout.littleEndian;
        isFloat = layout.isFloat;
    }

    void set(MemorySegment row) {
        bytes = row;
    }

    /// Sample `index` as it is stored; of 8 bits or less.
    public int stored(long index) {
        return (int) raw(index);
    }

    /// Sample `index`, 0 to 255.
    public int byteAt(long index) {
        if (bits == Byte.SIZE) {
            return bytes.get(ValueLayout.JAVA_BYTE, index) & 0xFF;
        }
        return bits < Byte.SIZE ? (int) raw(index) * 255 / ((1 << bits) - 1) : (deepAt(index) * 255 + MOST / 2) / MOST;
    }

    /// Sample `index`, 0 to 65,535; floats are from 0 to 1.
    public int deepAt(long index) {
        long value = raw(index);
        if (isFloat) {
            double real = switch (bits) {
                case 16 -> Float.float16ToFloat((short) value);
                case 32 -> Float.intBitsToFloat((int) value);
                default -> Double.longBitsToDouble(value);
            };
            return Math.clamp(Math.round(real * MOST), 0, MOST);
        }
        if (bits >= Short.SIZE) {
            return (int) (value >>> (bits - Short.SIZE));
        }
        int most = (1 << bits) - 1;
        return ((int) value * MOST + most / 2) / most;
    }

    private long raw(long index) {
        if (bits % Byte.SIZE == 0) {
            int count = bits / Byte.SIZE;
            return number(bytes, index * count, count, littleEndian);
        }
        int value = 0;
        for (long bit = index * bits; bit < (index + 1) * bits; bit++) {
            value = (value << 1) | ((bytes.get(ValueLayout.JAVA_BYTE, bit >>> 3) >>> (7 - (int) (bit & 7))) & 1);
        }
        return value;
    }

    /// The number of `count` bytes at `at`.
    static long number(MemorySegment from, long at, int count, boolean littleEndian) {
        long value = 0;
        for (int i = 0; i < count; i++) {
            long each = from.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF;
            value |= each << (Byte.SIZE * (littleEndian ? i : count - 1 - i));
        }
        return value;
    }
}
