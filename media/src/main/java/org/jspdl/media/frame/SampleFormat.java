package org.jspdl.media.frame;

import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.memory.ElementType;

/// Which elements sound is made of, by FFmpeg's `AVSampleFormat`.
enum SampleFormat {
    U8(0, 5, 1, ElementType.UINT8),
    S16(1, 6, 2, ElementType.INT16),
    S32(2, 7, 4, ElementType.INT32),
    FLT(3, 8, 4, ElementType.FLOAT32),
    DBL(4, 9, 8, ElementType.FLOAT64),
    S64(10, 11, 8, ElementType.INT64);

    private final int packed;
    private final int planar;
    private final int byteSize;
    private final ElementType type;

    SampleFormat(int packed, int planar, int byteSize, ElementType type) {
        this.packed = packed;
        this.planar = planar;
        this.byteSize = byteSize;
        this.type = type;
    }

    /// @throws IllegalArgumentException if there is no such format
    static SampleFormat of(int format) {
        for (SampleFormat one : values()) {
            if (one.packed == format || one.planar == format) {
                return one;
            }
        }
        throw new IllegalArgumentException("there is no sample format " + format);
    }

    static boolean isPlanar(int format) {
        return AvNames.isPlanarSound(format);
    }

    int byteSize() {
        return byteSize;
    }

    ElementType type() {
        return type;
    }
}
