package org.jspdl.media.audio;

import org.jspdl.memory.ElementType;
import org.jspdl.wav.SampleLayout;
import org.jspecify.annotations.Nullable;

/// Element types of sound, with FFmpeg's `AVSampleFormat` for both layouts, and the byte that silence is made of.
enum SampleType {
    UINT8(ElementType.UINT8, 0, 5, 0x80),
    INT16(ElementType.INT16, 1, 6, 0),
    INT32(ElementType.INT32, 2, 7, 0),
    FLOAT32(ElementType.FLOAT32, 3, 8, 0),
    FLOAT64(ElementType.FLOAT64, 4, 9, 0);

    private final ElementType element;
    private final int interleaved;
    private final int planar;
    private final byte silence;

    SampleType(ElementType element, int interleaved, int planar, int silence) {
        this.element = element;
        this.interleaved = interleaved;
        this.planar = planar;
        this.silence = (byte) silence;
    }

    static @Nullable SampleType of(ElementType element) {
        for (SampleType one : values()) {
            if (one.element == element) {
                return one;
            }
        }
        return null;
    }

    int format(SampleLayout layout) {
        return layout == SampleLayout.PLANAR ? planar : interleaved;
    }

    /// FFmpeg's name of the interleaved format; the planar one has a `p` behind it.
    String ffmpegName() {
        return switch (this) {
            case UINT8 -> "u8";
            case INT16 -> "s16";
            case INT32 -> "s32";
            case FLOAT32 -> "flt";
            case FLOAT64 -> "dbl";
        };
    }

    byte silence() {
        return silence;
    }

    int byteSize() {
        return element.byteSize();
    }
}
