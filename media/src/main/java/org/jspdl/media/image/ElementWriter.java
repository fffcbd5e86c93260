package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.memory.ElementType;

/// Turns the bytes of an output image into its elements: floats of 32 or 16 bits, scaled and shifted by channel, or
/// integers of 16 bits.
final class ElementWriter {
    private static final int BLOCK = 3 * 1024;

    private final int channels;
    private final boolean interleaved;
    private final boolean single;
    private final float[][] floatOf;
    private final short[][] halfOf;
    private final byte[] bytes = new byte[BLOCK];
    private final float[] floats = new float[BLOCK];
    private final short[] halves = new short[BLOCK];

    ElementWriter(ImageSpec.Pixels pixels) {
        channels = pixels.channels().count();
        interleaved = pixels.layout() == Layout.NHWC;
        single = pixels.type() == ElementType.FLOAT32;
        floatOf = new float[channels][256];
        halfOf = new short[channels][256];
        for (int c = 0; c < channels; c++) {
            float scale = pixels.scale(c);
            float bias = pixels.bias(c);
            for (int value = 0; value < 256; value++) {
                float element = value * scale + bias;
                floatOf[c][value] = element;
                halfOf[c][value] = switch (pixels.type()) {
                    case UINT16 -> (short) (value * 257);
                    case BFLOAT16 -> bfloat16(element);
                    default -> Float.floatToFloat16(element);
                };
            }
        }
    }

    /// The upper half of a float, rounded to the nearest, ties to even; for finite numbers.
    static short bfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }

    /// Writes the elements of `pixels` pixels, whose channels lie as in the output, into `row`.
    void write(MemorySegment image, long pixels, MemorySegment row) {
        long count = pixels * channels;
        long done = 0;
        while (done < count) {
            // A block is of one channel, or begins with the first channel of a pixel.
            int channel = interleaved ? 0 : (int) (done / pixels);
            long left = interleaved ? count - done : (channel + 1) * pixels - done;
            int n = (int) Math.min(BLOCK, left);
            MemorySegment.copy(image, ValueLayout.JAVA_BYTE, done, bytes, 0, n);
            int step = interleaved ? channels : 1;
            for (int c = 0; c < step; c++) {
                if (single) {
                    floats(floatOf[channel + c], c, step, n);
                } else {
                    halves(halfOf[channel + c], c, step, n);
                }
            }
            if (single) {
                MemorySegment.copy(floats, 0, row, ValueLayout.JAVA_FLOAT_UNALIGNED, done * Float.BYTES, n);
            } else {
                MemorySegment.copy(halves, 0, row, ValueLayout.JAVA_SHORT_UNALIGNED, done * Short.BYTES, n);
            }
            done += n;
        }
    }

    private void floats(float[] table, int from, int step, int n) {
        for (int i = from; i < n; i += step) {
            floats[i] = table[bytes[i] & 0xFF];
        }
    }

    private void halves(short[] table, int from, int step, int n) {
        for (int i = from; i < n; i += step) {
            halves[i] = table[bytes[i] & 0xFF];
        }
    }
}
