package org.jspdl.memory;

/// The block sizes of a pool: four steps to each power of two, so that at most a fifth of a block is unused.
final class SizeClasses {
    static final long SMALLEST = 64;
    /// The steps to twice the size.
    static final int STEPS = 4;
    /// 64 bytes to 2^46.
    static final int COUNT = STEPS * 40 + 1;
    static final long LARGEST = 1L << 46;

    private SizeClasses() {}

    /// The index of the smallest class of at least `byteSize` bytes.
    static int indexOf(long byteSize) {
        if (byteSize <= SMALLEST) {
            return 0;
        }
        int power = 63 - Long.numberOfLeadingZeros(byteSize - 1);
        long step = 1L << (power - 2);
        int quarter = (int) ((byteSize - 1 - (1L << power)) / step) + 1;
        return (power - 6) * 4 + quarter;
    }

    /// The size in bytes of the blocks of class `index`.
    static long sizeOf(int index) {
        int power = 6 + index / 4;
        return (1L << power) + (index % 4) * (1L << (power - 2));
    }
}
